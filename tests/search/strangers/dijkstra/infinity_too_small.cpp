#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, m; cin >> n >> m; const long long INF = 1e9;
    vector<vector<pair<int, long long>>> g(n + 1);
    while (m--) { int u, v; long long c; cin >> u >> v >> c; g[u].push_back({v, c}); }
    vector<long long> d(n + 1, INF); d[1] = 0;
    set<pair<long long, int>> s{{0, 1}};
    while (!s.empty()) {
        auto [x, u] = *s.begin(); s.erase(s.begin());
        for (auto [v, c] : g[u]) if (x + c < d[v]) { s.erase({d[v], v}); d[v] = x + c; s.insert({d[v], v}); }
    }
    cout << (d[n] >= INF ? -1 : d[n]) << "\n";
}
