#include <iostream>
#include <vector>
int main() {
    long long n, s; std::cin >> n >> s; std::vector<long long> p(n + 1);
    for (int i = 1; i <= n; i++) { std::cin >> p[i]; p[i] += p[i - 1]; }
    if (p[n] < s) { std::cout << -1 << "\n"; return 0; }
    int lo = 1, hi = n - 1;
    while (lo < hi) { int m = (lo + hi) / 2; if (p[m] >= s) hi = m; else lo = m + 1; }
    std::cout << lo << "\n";
}
