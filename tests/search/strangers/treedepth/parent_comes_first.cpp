#include <bits/stdc++.h>
using namespace std;
int main() {
    int n; scanf("%d", &n);
    vector<int> d(n + 1, 1); int best = 1;
    for (int i = 1; i < n; i++) { int u, v; scanf("%d %d", &u, &v); d[v] = d[u] + 1; best = max(best, d[v]); }
    printf("%d\n", best);
}
