#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n; std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    std::sort(a.begin(), a.end());
    for (int i = 0; i < n; i++) { std::cout << a[i]; if (i + 1 < n && a[i + 1] >= 0) std::cout << ' '; }
}
