#include <cstdlib>
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n; std::vector<int> x(n), y(n);
    for (int i = 0; i < n; i++) std::cin >> x[i] >> y[i];
    long long area = 0;
    for (int i = 0; i < n; i++) { int j = (i + 1) % n; area += x[i] * y[j] - y[i] * x[j]; }
    std::cout << std::llabs(area) << "\n";
}
