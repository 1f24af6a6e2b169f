// Right, for a few apples: give the first person 0, 1, …, M apples and hand out the rest among the others.
#include <cstdio>

namespace {

constexpr int kModulus = 1000000007;

int ways(int people, int apples) {
    if (people == 1) return 1;
    int sum = 0;
    for (int left = 0; left <= apples; ++left) sum = (sum + ways(people - 1, left)) % kModulus;
    return sum;
}

}  // namespace

int main() {
    int people = 0, apples = 0;
    if (std::scanf("%d %d", &people, &apples) != 2) return 1;
    std::printf("%d\n", ways(people, apples));
    return 0;
}
