// Right, O(NM): a table by people and apples, of which one row is kept. One person more: the sums of the row so far.
#include <cstdio>
#include <vector>

namespace {

constexpr int kModulus = 1000000007;

}  // namespace

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    std::vector<int> ways(apples + 1, 1);
    for (int person = 2; person <= people; ++person)
        for (int given = 1; given <= apples; ++given) ways[given] = (ways[given] + ways[given - 1]) % kModulus;
    std::printf("%d\n", ways[apples]);
    return 0;
}
