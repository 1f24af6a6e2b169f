// BUG: a table for mazes of up to 32 times 32 cells, checked.
#include <cstdio>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

constexpr int kSide = 32, kNever = 1 << 28;

struct Maze {
    int rows, columns;
    char cells[kSide * kSide];
};

char& cell_at(Maze& maze, int row, int column) {
    if (row >= kSide || column >= kSide) throw std::out_of_range("the maze is too large");
    return maze.cells[row * kSide + column];
}

std::vector<int> neighbours(Maze& maze, int place) {
    const int row = place / kSide, column = place % kSide;
    std::vector<int> found;
    if (row > 0 && cell_at(maze, row - 1, column) != '#') found.push_back(place - kSide);
    if (row + 1 < maze.rows && cell_at(maze, row + 1, column) != '#') found.push_back(place + kSide);
    if (column > 0 && cell_at(maze, row, column - 1) != '#') found.push_back(place - 1);
    if (column + 1 < maze.columns && cell_at(maze, row, column + 1) != '#') found.push_back(place + 1);
    return found;
}

std::vector<int> distances(Maze& maze, int exit, int rock) {
    std::vector<int> distance(kSide * kSide, kNever);
    std::queue<int> queue({exit});
    distance[exit] = 0;
    for (; !queue.empty(); queue.pop())
        for (const int next : neighbours(maze, queue.front())) {
            if (next == rock || distance[next] < kNever) continue;
            distance[next] = distance[queue.front()] + 1;
            queue.push(next);
        }
    return distance;
}

int guaranteed_steps(Maze& maze) {
    int entrance = 0, exit = 0;
    for (int place = 0; place < kSide * kSide; ++place) {
        if (maze.cells[place] == 'E') entrance = place;
        if (maze.cells[place] == 'X') exit = place;
    }
    std::vector<int> worst(kSide * kSide, 0), steps(kSide * kSide, kNever);
    for (int rock = 0; rock < kSide * kSide; ++rock) {
        if (maze.cells[rock] == '#' || rock == exit) continue;
        const std::vector<int> distance = distances(maze, exit, rock);
        for (const int next : neighbours(maze, rock)) worst[next] = std::max(worst[next], distance[next]);
    }
    steps[exit] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int place = 0; place < kSide * kSide; ++place) {
            if (maze.cells[place] == '#' || place == exit) continue;
            int onward = kNever;
            for (const int next : neighbours(maze, place)) onward = std::min(onward, steps[next] + 1);
            onward = std::min(kNever, std::max(onward, worst[place]));
            changed |= onward != steps[place];
            steps[place] = onward;
        }
    }
    return steps[entrance];
}

}  // namespace

int main() {
    int cases = 0;
    if (std::scanf("%d", &cases) != 1) return 1;
    while (cases-- > 0) {
        Maze maze;
        if (std::scanf("%d %d", &maze.rows, &maze.columns) != 2) return 1;
        for (char& cell : maze.cells) cell = '#';
        for (int row = 0; row < maze.rows; ++row)
            for (int column = 0; column < maze.columns; ++column)
                if (std::scanf(" %c", &cell_at(maze, row, column)) != 1) return 1;
        std::printf("%d\n", guaranteed_steps(maze));
    }
    return 0;
}
