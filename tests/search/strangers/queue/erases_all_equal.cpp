#include <iostream>
#include <set>
int main() {
    int q; std::cin >> q; std::multiset<int> b;
    while (q--) {
        int k, x; std::cin >> k;
        if (k == 1) { std::cin >> x; b.insert(x); }
        else if (k == 2) { if (!b.empty()) b.erase(*b.begin()); }
        else if (b.empty()) std::cout << "empty\n";
        else std::cout << *b.begin() << "\n";
    }
}
