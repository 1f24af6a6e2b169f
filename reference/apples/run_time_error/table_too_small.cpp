// BUG: a table for fewer than a thousand of each.
#include <cstdio>
#include <array>
#include <stdexcept>

namespace {

constexpr int kModulus = 1000000007;

}  // namespace

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    static std::array<int, 1000> ways;
    ways.fill(1);
    for (int person = 2; person <= people; ++person)
        for (int given = 1; given <= apples; ++given) ways.at(given) = (ways.at(given) + ways.at(given - 1)) % kModulus;
    std::printf("%d\n", ways.at(apples));
    return 0;
}
