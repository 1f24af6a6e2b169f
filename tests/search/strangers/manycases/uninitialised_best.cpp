#include <iostream>
#include <set>
using namespace std;
int main() {
    int t; cin >> t;
    while (t--) {
        int n; cin >> n;
        long long best = 0, cur = 0;
        set<int> seen;
        for (int i = 0; i < n; i++) {
            long long x; cin >> x; seen.insert(x);
            cur = max(cur + x, x); best = max(best, cur);
        }
        cout << best << " " << seen.size() << "\n";
    }
}
