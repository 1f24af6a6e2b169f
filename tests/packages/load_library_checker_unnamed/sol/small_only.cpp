#include <cstdio>
int main() {
    long long n;
    if (std::scanf("%lld", &n) == 1) std::printf("%lld\n", n < 5 ? 2 * n : n);
}
