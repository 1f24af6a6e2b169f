#include <cstdio>
#include "solve.hpp"
int main() {
    long long n;
    if (std::scanf("%lld", &n) == 1) std::printf("%lld\n", solve(n));
}
