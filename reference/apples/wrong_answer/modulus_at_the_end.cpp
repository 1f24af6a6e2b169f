// BUG: the table in 32 bits, the modulus only at the end.
#include <cstdio>
#include <vector>

namespace {

constexpr int kModulus = 1000000007;

}  // namespace

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    std::vector<unsigned> ways(apples + 1, 1);
    for (int person = 2; person <= people; ++person)
        for (int given = 1; given <= apples; ++given) ways[given] = ways[given] + ways[given - 1];
    std::printf("%d\n", static_cast<int>(ways[apples] % kModulus));
    return 0;
}
