#include <iostream>
#include <set>
#include <string>
int main() {
    int n; std::cin >> n; std::set<std::pair<int, int>> keys;
    while (n--) { std::string s; std::cin >> s; int sum = 0; for (char c : s) sum += c - 'a'; keys.insert({sum, (int)s.size()}); }
    std::cout << keys.size() << "\n";
}
