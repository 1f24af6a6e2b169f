#include <cstdio>
#include <utility>
#include <vector>
std::vector<int> a;
void sort(int lo, int hi) {
    while (lo < hi) {
        int pivot = a[lo], m = lo;
        for (int i = lo + 1; i <= hi; i++) if (a[i] < pivot) std::swap(a[++m], a[i]);
        std::swap(a[lo], a[m]);
        if (m - lo < hi - m) { sort(lo, m - 1); lo = m + 1; } else { sort(m + 1, hi); hi = m - 1; }
    }
}
int main() {
    int n; scanf("%d", &n); a.resize(n);
    for (int &x : a) scanf("%d", &x);
    sort(0, n - 1);
    for (int i = 0; i < n; i++) printf("%d%c", a[i], i + 1 < n ? ' ' : '\n');
}
