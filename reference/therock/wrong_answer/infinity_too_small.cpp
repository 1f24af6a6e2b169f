// BUG: a thousand and twenty-four steps are taken for no way at all.
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kNever = 1024;

struct Maze {
    int rows = 0, columns = 0;
    std::vector<char> cells;  // row by row
    std::vector<std::vector<int>> beside;

    int find(char mark) const { return std::find(cells.begin(), cells.end(), mark) - cells.begin(); }
    int size() const { return rows * columns; }
};

Maze read_maze() {
    Maze maze;
    if (std::scanf("%d %d", &maze.rows, &maze.columns) != 2) return {};
    maze.cells.resize(maze.size());
    for (char& cell : maze.cells)
        if (std::scanf(" %c", &cell) != 1) return {};
    maze.beside.resize(maze.size());
    for (int cell = 0; cell < maze.size(); ++cell) {
        if (maze.cells[cell] == '#') continue;
        const auto link = [&maze, cell](bool inside, int other) {
            if (inside && maze.cells[other] != '#') maze.beside[cell].push_back(other);
        };
        const int column = cell % maze.columns;
        link(cell >= maze.columns, cell - maze.columns);
        link(cell + maze.columns < maze.size(), cell + maze.columns);
        link(column > 0, cell - 1);
        link(column + 1 < maze.columns, cell + 1);
    }
    return maze;
}

// By cell: its distance to the exit when `rock` is blocked.
std::vector<int> distances(const Maze& maze, int exit, int rock) {
    std::vector<int> distance(maze.size(), kNever), queue = {exit};
    distance[exit] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
        for (const int next : maze.beside[queue[i]]) {
            if (next == rock || distance[next] < kNever) continue;
            distance[next] = distance[queue[i]] + 1;
            queue.push_back(next);
        }
    return distance;
}

// By cell: the longest way that a rock on a cell beside it leaves.
std::vector<int> worst_rocks(const Maze& maze, int exit) {
    std::vector<int> worst(maze.size(), 0);
    for (int rock = 0; rock < maze.size(); ++rock) {
        if (rock == exit || maze.beside[rock].empty()) continue;
        const std::vector<int> distance = distances(maze, exit, rock);
        for (const int cell : maze.beside[rock]) worst[cell] = std::max(worst[cell], distance[cell]);
    }
    return worst;
}

int guaranteed_steps(const Maze& maze) {
    const int exit = maze.find('X');
    const std::vector<int> worst = worst_rocks(maze, exit);
    std::vector<int> steps(maze.size(), kNever);
    steps[exit] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int cell = 0; cell < maze.size(); ++cell) {
            if (cell == exit) continue;
            int onward = kNever;
            for (const int next : maze.beside[cell]) onward = std::min(onward, steps[next] + 1);
            onward = std::min(kNever, std::max(onward, worst[cell]));
            changed |= onward != steps[cell];
            steps[cell] = onward;
        }
    }
    const int answer = steps[maze.find('E')];
    return answer < kNever ? answer : -1;
}

}  // namespace

int main() {
    int cases = 0;
    if (std::scanf("%d", &cases) != 1) return 1;
    for (; cases > 0; --cases) std::printf("%d\n", guaranteed_steps(read_maze()));
    return 0;
}
