#include <cstdio>
int up[100005];
int top(int x) { while (up[x] != x) x = up[x] = up[up[x]]; return x; }
int main() {
    int n, q; scanf("%d %d", &n, &q);
    for (int i = 1; i <= n; i++) up[i] = i;
    int parts = n;
    while (q--) { int a, b; scanf("%d %d", &a, &b); if (up[a] != up[b]) { up[top(a)] = top(b); parts--; } }
    printf("%d\n", parts);
}
