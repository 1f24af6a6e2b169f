#include <bits/stdc++.h>
using namespace std;
int main() {
    int n; scanf("%d", &n);
    vector<int> t(n + 1); int total = 0;
    for (int i = 0; i < n; i++) {
        int x; scanf("%d", &x);
        int c = 0; for (int k = x; k; k &= k - 1) c += t[k];
        total += i - c;
        for (int k = x; k <= n; k += k & -k) t[k]++;
    }
    printf("%d\n", total);
}
