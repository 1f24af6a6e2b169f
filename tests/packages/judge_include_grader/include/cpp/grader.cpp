#include <cstdio>
#include "twice.h"

int main() {
    long long number;
    if (std::scanf("%lld", &number) == 1) std::printf("%lld\n", twice(number));
}
