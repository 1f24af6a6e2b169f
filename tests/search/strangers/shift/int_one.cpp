#include <iostream>
int main() {
    int k; long long x; std::cin >> k >> x;
    std::cout << (x >> k) << " " << ((x & (1 << k)) ? "yes" : "no") << "\n";
}
