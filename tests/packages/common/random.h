// The header of generators that a repository of Library Checker keeps in its folder common/: a stand-in of our own.
#include <cstdint>
struct Random {
    std::uint64_t state;
    explicit Random(std::uint64_t seed) : state(seed) {}
    long long uniform(long long low, long long high) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return low + (long long)((state >> 33) % (std::uint64_t)(high - low + 1));
    }
};
