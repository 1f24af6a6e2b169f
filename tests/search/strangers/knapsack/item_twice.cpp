#include <iostream>
#include <vector>
int main() {
    int n, w; std::cin >> n >> w; std::vector<long long> b(w + 1);
    while (n--) { long long c, v; std::cin >> c >> v; for (int i = c; i <= w; i++) b[i] = std::max(b[i], b[i - c] + v); }
    std::cout << b[w] << "\n";
}
