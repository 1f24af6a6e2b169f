#include <iostream>
#include <string>
int main() {
    std::string s; std::cin >> s; int n = s.size(), best = 1;
    for (int i = 0; i < n; i++) { int k = 0; while (i - k - 1 >= 0 && i + k + 1 < n && s[i - k - 1] == s[i + k + 1]) k++; if (2 * k + 1 > best) best = 2 * k + 1; }
    std::cout << best << "\n";
}
