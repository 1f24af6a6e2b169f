#include <iostream>
#include <vector>
int main() {
    long long n, s; std::cin >> n >> s; std::vector<long long> p(n + 1);
    for (int i = 1; i <= n; i++) { std::cin >> p[i]; p[i] += p[i - 1]; }
    int lo = 0, hi = n + 1;
    while (lo + 1 != hi) {
        int m = (lo + hi) / 2;
        if (p[m] >= s) hi = m; else lo = m == n - 1 ? lo : m;
    }
    std::cout << (hi > n ? -1 : hi) << "\n";
}
