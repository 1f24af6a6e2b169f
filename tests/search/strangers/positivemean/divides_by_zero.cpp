#include <iostream>
int main() {
    int n, sum = 0, count = 0; std::cin >> n;
    for (int i = 0, x; i < n; i++) { std::cin >> x; if (x > 0) { sum += x; count++; } }
    std::cout << sum / count << "\n";
}
