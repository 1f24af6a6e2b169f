// Settles cells in the order of their worst case; the heap of one case is still full when the next begins.
#include <bits/stdc++.h>
using namespace std;
const int INF = 1000000000;
int R, C;
char a[45][45];
int dist_[45][45], G[45][45], f[45][45];
bool done_[45][45];
int dr[4] = {1, 0, -1, 0}, dc[4] = {0, 1, 0, -1};
int er, ec, xr, xc;
bool in(int r, int c) { return r >= 0 && r < R && c >= 0 && c < C && a[r][c] != '#'; }
void bfs(int br, int bc) {
    for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) dist_[i][j] = INF;
    static int q[2000];
    int h = 0, t = 0;
    q[t++] = xr * 45 + xc;
    dist_[xr][xc] = 0;
    while (h < t) {
        int r = q[h] / 45, c = q[h] % 45;
        h++;
        for (int d = 0; d < 4; d++) {
            int nr = r + dr[d], nc = c + dc[d];
            if (!in(nr, nc) || (nr == br && nc == bc) || dist_[nr][nc] < INF) continue;
            dist_[nr][nc] = dist_[r][c] + 1;
            q[t++] = nr * 45 + nc;
        }
    }
}
int main() {
    int T;
    cin >> T;
    priority_queue<pair<int,int>> pq;
    while (T--) {
        cin >> R >> C;
        for (int i = 0; i < R; i++) cin >> a[i];
        for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) {
            if (a[i][j] == 'E') er = i, ec = j;
            if (a[i][j] == 'X') xr = i, xc = j;
            f[i][j] = INF; G[i][j] = 0; done_[i][j] = false;
        }
        for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) {
            if (!in(i, j) || a[i][j] == 'X') continue;
            bfs(i, j);
            for (int d = 0; d < 4; d++) if (in(i + dr[d], j + dc[d])) {
                int& x = G[i + dr[d]][j + dc[d]];
                x = max(x, dist_[i + dr[d]][j + dc[d]]);
            }
        }
        f[xr][xc] = 0;
        G[xr][xc] = 0;
        pq.push({0, xr * 45 + xc});
        while (!pq.empty()) {
            int v = pq.top().second, r = v / 45, c = v % 45;
            pq.pop();
            if (done_[r][c]) continue;
            done_[r][c] = true;
            if (r == er && c == ec) break;
            for (int d = 0; d < 4; d++) {
                int nr = r + dr[d], nc = c + dc[d];
                if (!in(nr, nc)) continue;
                int k = max(f[r][c] + 1, G[nr][nc]);
                if (k < f[nr][nc]) { f[nr][nc] = k; pq.push({-k, nr * 45 + nc}); }
            }
        }
        cout << f[er][ec] << "\n";
    }
}
