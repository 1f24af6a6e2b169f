#include <cstdio>
#include <cstdlib>
#include "random.h"
#include "../params.h"
int main(int, char* argv[]) {
    Random random(atoll(argv[1]));
    std::printf("%lld\n", random.uniform(5, N_MAX));
}
