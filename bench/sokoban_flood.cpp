// The yardstick of bench/sokoban_reference.py: reads a grid, floods it once from the goal, prints the size of the flood.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int read_number(const char*& at) {
    int value = 0;
    for (; *at >= '0'; ++at) value = value * 10 + (*at - '0');
    ++at;
    return value;
}

}  // namespace

int main() {
    std::vector<char> text(1100000);
    text[std::fread(text.data(), 1, text.size() - 1, stdin)] = 0;
    const char* at = text.data();
    const int rows = read_number(at), columns = read_number(at);
    const int stride = columns + 1;
    std::vector<uint8_t> floor(static_cast<size_t>(stride) * (rows + 2) + 1, 0);
    for (int i = 0; i < rows * stride; ++i) floor[stride + 1 + i] = at[i] > '#';
    const int goal = static_cast<const char*>(std::memchr(at, 'X', rows * stride)) - at + stride + 1;
    std::vector<int32_t> queue = {goal};
    queue.reserve(floor.size());
    floor[goal] = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
        const int beside[4] = {queue[i] + 1, queue[i] - 1, queue[i] + stride, queue[i] - stride};
        for (const int next : beside) {
            if (!floor[next]) continue;
            floor[next] = 0;
            queue.push_back(next);
        }
    }
    std::printf("%zu\n", queue.size());
}
