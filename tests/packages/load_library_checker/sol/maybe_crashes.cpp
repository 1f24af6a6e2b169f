#include <cstdio>
#include <cstdlib>
int main() {
    long long n;
    if (std::scanf("%lld", &n) != 1 || n > 400000) std::abort();
    std::printf("%lld\n", 2 * n);
}
