#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n; std::vector<int> t;
    while (n--) { int x; std::cin >> x; auto i = std::upper_bound(t.begin(), t.end(), x); if (i == t.end()) t.push_back(x); else *i = x; }
    std::cout << t.size() << "\n";
}
