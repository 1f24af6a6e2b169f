#include <iostream>
#include <queue>
int main() {
    int q; std::cin >> q;
    std::priority_queue<int, std::vector<int>, std::greater<int>> b;
    while (q--) {
        int k, x; std::cin >> k;
        if (k == 1) { std::cin >> x; b.push(x); }
        else if (k == 2) b.pop();
        else if (b.empty()) std::cout << "empty\n";
        else std::cout << b.top() << "\n";
    }
}
