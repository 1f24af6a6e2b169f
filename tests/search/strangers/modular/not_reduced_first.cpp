#include <iostream>
int main() {
    long long a, b, m; std::cin >> a >> b >> m;
    std::cout << ((a - b) % m + m) % m << " " << a * b % m << "\n";
}
