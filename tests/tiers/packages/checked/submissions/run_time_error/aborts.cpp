#include <cstdlib>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    if (n >= 10) std::abort();
    std::cout << 0 << " " << n << "\n";
}
