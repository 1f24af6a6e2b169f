#include <cstdio>
#include "params.h"
int main() {
    long long n;
    return std::scanf("%lld", &n) == 1 && 1 <= n && n <= N_MAX ? 42 : 43;
}
