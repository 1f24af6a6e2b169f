// BUG: the table in 64 bits, without a modulus.
#include <cstdio>
#include <vector>

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    std::vector<unsigned long long> ways(apples + 1, 1);
    for (int person = 2; person <= people; ++person)
        for (int given = 1; given <= apples; ++given) ways[given] = ways[given] + ways[given - 1];
    std::printf("%llu\n", ways[apples]);
    return 0;
}
