// BUG: divides the remainders instead of multiplying by an inverse.
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int64_t kModulus = 1000000007;

int64_t power(int64_t base, int64_t exponent) {
    int64_t value = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % kModulus)
        if (exponent % 2 == 1) value = value * base % kModulus;
    return value;
}

int64_t choose(int total, int chosen) {
    std::vector<int64_t> factorial(total + 1, 1);
    for (int i = 1; i <= total; ++i) factorial[i] = factorial[i - 1] * i % kModulus;
    const int64_t divisor = factorial[chosen] * factorial[total - chosen] % kModulus;
    return factorial[total] / divisor;
}

}  // namespace

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    std::printf("%lld\n", static_cast<long long>(choose(people + apples - 1, apples)));
    return 0;
}
