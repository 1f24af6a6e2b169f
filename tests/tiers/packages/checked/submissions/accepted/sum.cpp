#include <iostream>
int main() {
    int n;
    std::cin >> n;
    int half = n / 2;
    if (n < 0) half = 0;
    std::cout << half << " " << n - half << "\n";
}
