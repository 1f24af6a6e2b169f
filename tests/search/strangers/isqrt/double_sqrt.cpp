#include <cmath>
#include <iostream>
int main() { long long n; std::cin >> n; std::cout << (long long)std::sqrt((double)n) << "\n"; }
