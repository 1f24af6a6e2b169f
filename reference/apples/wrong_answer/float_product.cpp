// BUG: a product of fractions in floating point.
#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    double value = 1;
    const int total = people + apples - 1, chosen = std::min(apples, people - 1);
    for (int i = 1; i <= chosen; ++i) value = value * (total + 1 - i) / i;
    std::printf("%.0f\n", std::fmod(std::round(value), 1000000007.0));
    return 0;
}
