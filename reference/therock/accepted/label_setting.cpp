// Label-setting minimax: cells are settled in order of their value, as in Dijkstra's algorithm. A rock matters only on the
// one neighbour that is nearer to the exit, if there is only one; a search around it costs O(RC), O((RC)²) in total.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace {

constexpr int kNever = 1 << 28;

// The maze with a margin of wall on every side.
struct Maze {
    int entrance = 0, exit = 0;
    int step[4] = {};
    std::vector<char> cells;
};

Maze read_maze() {
    int rows = 0, columns = 0;
    if (std::scanf("%d %d", &rows, &columns) != 2) return {};
    Maze maze;
    const int stride = columns + 2;
    const int steps[4] = {1, -1, stride, -stride};
    std::copy(steps, steps + 4, maze.step);
    maze.cells.assign(stride * (rows + 2), '#');
    for (int row = 1; row <= rows; ++row)
        for (int column = 1; column <= columns; ++column) {
            const int cell = row * stride + column;
            if (std::scanf(" %c", &maze.cells[cell]) != 1) return {};
            if (maze.cells[cell] == 'E') maze.entrance = cell;
            if (maze.cells[cell] == 'X') maze.exit = cell;
        }
    return maze;
}

// By cell: its distance to the exit when `rock` is blocked (0, a wall: no rock).
std::vector<int> distances(const Maze& maze, int rock) {
    std::vector<int> distance(maze.cells.size(), kNever), queue = {maze.exit};
    distance[maze.exit] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
        for (const int step : maze.step) {
            const int next = queue[i] + step;
            if (maze.cells[next] == '#' || next == rock || distance[next] < kNever) continue;
            distance[next] = distance[queue[i]] + 1;
            queue.push_back(next);
        }
    return distance;
}

// By cell: the one neighbour nearer to the exit; 0 if there are several, or if it is the exit itself.
std::vector<int> only_ways(const Maze& maze, const std::vector<int>& distance) {
    std::vector<int> only(maze.cells.size(), 0);
    for (size_t cell = 0; cell < only.size(); ++cell) {
        if (maze.cells[cell] == '#' || distance[cell] == kNever) continue;
        int nearer = 0;
        for (const int step : maze.step)
            if (distance[cell + step] == distance[cell] - 1) only[cell] = cell + step, ++nearer;
        if (nearer != 1 || only[cell] == maze.exit) only[cell] = 0;
    }
    return only;
}

// What a rock on `cell` costs those for which it is the only way: found out when it is settled, which is soon enough.
void note_rock(const Maze& maze, const std::vector<int>& only, int cell, std::vector<int>& worst) {
    const auto needs_it = [&](int step) { return maze.cells[cell + step] != '#' && only[cell + step] == cell; };
    if (std::none_of(maze.step, maze.step + 4, needs_it)) return;
    const std::vector<int> distance = distances(maze, cell);
    for (const int step : maze.step)
        if (needs_it(step)) worst[cell + step] = distance[cell + step];
}

int guaranteed_steps(const Maze& maze) {
    const std::vector<int> only = only_ways(maze, distances(maze, 0));
    std::vector<int> worst(maze.cells.size(), 0);
    std::vector<char> settled(maze.cells.size(), 0);
    using Entry = std::pair<int, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    queue.push({0, maze.exit});
    while (!queue.empty()) {
        const auto [steps, cell] = queue.top();
        queue.pop();
        if (settled[cell]) continue;
        if (cell == maze.entrance) return steps;
        settled[cell] = 1;
        note_rock(maze, only, cell, worst);
        for (const int step : maze.step) {
            const int next = cell + step;
            if (maze.cells[next] == '#' || settled[next] || worst[next] == kNever) continue;
            // a neighbour that is settled before the only way down implies more than the rock on that way costs
            queue.push({std::max(steps + 1, worst[next]), next});
        }
    }
    return -1;
}

}  // namespace

int main() {
    int cases = 0;
    if (std::scanf("%d", &cases) != 1) return 1;
    for (; cases > 0; --cases) std::printf("%d\n", guaranteed_steps(read_maze()));
    return 0;
}
