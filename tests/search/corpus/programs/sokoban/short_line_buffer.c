#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* low-links; rows are read into a line of 1000 letters, of which 999 are read at once */
static char g[1002][1002];
static int M, N;
static int tin[1002*1002], low[1002*1002], sz[1002*1002], par[1002*1002];
static char it[1002*1002], vis[1002*1002][4];
static int st[1002*1002], q[4*1002*1002];
static int dr[] = {0, 0, 1, -1}, dc[] = {1, -1, 0, 0};
static int ok(int r, int c) { return g[r][c] == '.' || g[r][c] == 'X'; }
static int part(int b, int w) {
    for (int d = 0; d < 4; d++) {
        int u = b + dr[d] * 1002 + dc[d];
        if (ok(u / 1002, u % 1002) && par[u] == b && low[u] >= tin[b] && tin[w] >= tin[u] && tin[w] < tin[u] + sz[u]) return u;
    }
    return -1;
}
int main(void) {
    char line[1002];
    fgets(line, 1002, stdin);
    sscanf(line, "%d %d", &M, &N);
    int goal = 0;
    for (int i = 1; i <= M; i++) {
        fgets(line, 1000, stdin);
        for (int j = 0; j < N && line[j]; j++) { g[i][j+1] = line[j]; if (line[j] == 'X') goal = i * 1002 + j + 1; }
    }
    int n = 0, timer = 0;
    st[n++] = goal; tin[goal] = low[goal] = ++timer; sz[goal] = 1; par[goal] = -1;
    while (n) {
        int v = st[n-1];
        if (it[v] < 4) {
            int d = it[v]++, u = v + dr[d] * 1002 + dc[d];
            if (!ok(u / 1002, u % 1002)) continue;
            if (!tin[u]) { tin[u] = low[u] = ++timer; sz[u] = 1; par[u] = v; st[n++] = u; }
            else if (tin[u] < low[v]) low[v] = tin[u];
        } else {
            n--;
            if (par[v] >= 0) { if (low[v] < low[par[v]]) low[par[v]] = low[v]; sz[par[v]] += sz[v]; }
        }
    }
    long long ans = 0;
    int h = 0, t = 0;
    for (int d = 0; d < 4; d++) {
        int u = goal + dr[d] * 1002 + dc[d];
        if (ok(u / 1002, u % 1002)) { vis[goal][d] = 1; q[t++] = goal * 4 + d; }
    }
    while (h < t) {
        int b = q[h] / 4, d = q[h] % 4; h++;
        int nb = b + dr[d] * 1002 + dc[d], w = nb + dr[d] * 1002 + dc[d];
        if (!ok(nb / 1002, nb % 1002) || !ok(w / 1002, w % 1002) || vis[nb][d]) continue;
        int p = part(nb, w), rest = timer - 1;
        for (int k = 0; k < 4; k++) {
            int u = nb + dr[k] * 1002 + dc[k];
            if (!ok(u / 1002, u % 1002)) continue;
            if (par[u] == nb && low[u] >= tin[nb]) rest -= sz[u];
            if (part(nb, u) == p && !vis[nb][k]) { vis[nb][k] = 1; q[t++] = nb * 4 + k; }
        }
        if (nb != goal) ans += p >= 0 ? sz[p] : rest - 1;
    }
    printf("%lld\n", ans);
    return 0;
}
