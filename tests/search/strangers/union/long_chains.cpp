#include <cstdio>
int up[100005];
int top(int x) { while (up[x] != x) x = up[x]; return x; }
int main() {
    int n, q; scanf("%d %d", &n, &q);
    for (int i = 1; i <= n; i++) up[i] = i;
    int parts = n;
    while (q--) { int a, b; scanf("%d %d", &a, &b); a = top(a); b = top(b); if (a != b) { up[a] = b; parts--; } }
    printf("%d\n", parts);
}
