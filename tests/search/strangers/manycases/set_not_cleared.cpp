#include <bits/stdc++.h>
using namespace std;
set<int> seen;
int main() {
    int t; cin >> t;
    while (t--) {
        int n; cin >> n;
        long long best = LLONG_MIN, cur = 0;
        for (int i = 0; i < n; i++) {
            long long x; cin >> x; seen.insert(x);
            cur = max(cur + x, x); best = max(best, cur);
        }
        cout << best << " " << seen.size() << "\n";
    }
}
