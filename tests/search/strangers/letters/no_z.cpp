#include <iostream>
#include <set>
#include <string>
#include <vector>
int main() {
    int n; std::cin >> n; std::set<std::vector<int>> keys;
    while (n--) { std::string s; std::cin >> s; std::vector<int> c(25); for (char x : s) c.at(x - 'a')++; keys.insert(c); }
    std::cout << keys.size() << "\n";
}
