// C(N + M - 1, M) as a product of primes, whose exponents follow from Legendre's formula; no division modulo anything.
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int64_t kModulus = 1000000007;

// The exponent of a prime in total! / (chosen! · (total - chosen)!).
int exponent_of(int prime, int total, int chosen) {
    int exponent = 0;
    for (int64_t power = prime; power <= total; power *= prime)
        exponent += total / power - chosen / power - (total - chosen) / power;
    return exponent;
}

int64_t choose(int total, int chosen) {
    std::vector<char> composite(total + 1, 0);
    int64_t value = 1;
    for (int prime = 2; prime <= total; ++prime) {
        if (composite[prime]) continue;
        for (int64_t multiple = int64_t{prime} * prime; multiple <= total; multiple += prime) composite[multiple] = 1;
        for (int times = exponent_of(prime, total, chosen); times > 0; --times) value = value * prime % kModulus;
    }
    return value;
}

}  // namespace

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    std::printf("%lld\n", static_cast<long long>(choose(people + apples - 1, apples)));
    return 0;
}
