#include <iostream>
#include <vector>
int main() {
    size_t n; std::cin >> n; std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    int sum = 0, count = 0;
    for (size_t i = 0; i <= a.size() - 1; i++) if (a[i] > 0) { sum += a[i]; count++; }
    std::cout << (count ? sum / count : 0) << "\n";
}
