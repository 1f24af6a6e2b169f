#include <cstdlib>
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n; std::vector<__int128> x(n), y(n);
    for (int i = 0; i < n; i++) { long long a, b; std::cin >> a >> b; x[i] = a; y[i] = b; }
    __int128 area = 0;
    for (int i = 1; i < n; i++) area += x[i - 1] * y[i] - y[i - 1] * x[i];
    if (area < 0) area = -area;
    std::string s; do { s.insert(s.begin(), char('0' + int(area % 10))); area /= 10; } while (area);
    std::cout << s << "\n";
}
