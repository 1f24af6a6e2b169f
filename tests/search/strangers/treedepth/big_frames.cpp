#include <bits/stdc++.h>
using namespace std;
vector<int> g[100005];
int deep(int u, int p) {
    char note[12000]; note[u % 12000] = 1;
    int best = 0;
    for (int v : g[u]) if (v != p) best = max(best, deep(v, u) + note[u % 12000] - 1);
    asm volatile("" : : "r"(note) : "memory");
    return best + 1;
}
int main() {
    int n; scanf("%d", &n);
    for (int i = 1; i < n; i++) { int u, v; scanf("%d %d", &u, &v); g[u].push_back(v); g[v].push_back(u); }
    printf("%d\n", deep(1, 0));
}
