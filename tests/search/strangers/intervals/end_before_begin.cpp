#include <bits/stdc++.h>
using namespace std;
int main() {
    int n; cin >> n; vector<pair<int, int>> e;
    while (n--) { int l, r; cin >> l >> r; e.push_back({l, 1}); e.push_back({r, -1}); }
    sort(e.begin(), e.end());
    int best = 0, now = 0;
    for (auto [x, c] : e) best = max(best, now += c);
    cout << best << "\n";
}
