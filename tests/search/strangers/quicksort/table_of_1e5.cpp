#include <algorithm>
#include <cstdio>
int n, a[100005], b[100005];
int main() {
    scanf("%d", &n);
    for (int i = 0; i < n; i++) { int x; scanf("%d", &x); a[i] = x; }
    std::sort(a, a + n);
    for (int i = 0; i < n; i++) printf("%d ", a[i] + b[i] * 0);
}
