// BUG: keeps the whole table, terabytes of it for the largest cases.
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    constexpr int64_t modulus = 1000000007;
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    const size_t width = apples + 1;
    std::vector<int64_t> ways(width * (people + 1), 1);
    for (int person = 2; person <= people; ++person)
        for (int given = 1; given <= apples; ++given)
            ways[person * width + given] = (ways[(person - 1) * width + given] + ways[person * width + given - 1]) % modulus;
    std::printf("%lld\n", static_cast<long long>(ways[people * width + apples]));
    return 0;
}
