#include <iostream>
#include <string>
#include <algorithm>
int main() {
    int n, m; std::cin >> n >> m; int free = 0, best = 0;
    for (int i = 0; i < n; i++) {
        std::string s; std::cin >> s; int run = 0;
        for (char c : s) { if (c == '.') { free++; best = std::max(best, ++run); } else run = 0; }
    }
    std::cout << free << " " << best << "\n";
}
