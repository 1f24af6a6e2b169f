#include <bits/stdc++.h>
using namespace std;
int main() {
    int n; scanf("%d", &n);
    vector<int> a(n); for (auto &x : a) scanf("%d", &x);
    long long total = 0;
    for (int end = n - 1; end > 0; end--) {
        bool moved = false;
        for (int i = 0; i < end; i++) if (a[i] > a[i + 1]) { swap(a[i], a[i + 1]); total++; moved = true; }
        if (!moved) break;
    }
    printf("%lld\n", total);
}
