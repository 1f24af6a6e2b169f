// Right by definition, for small mazes: plays the game out over all (cell, rock) states, with the rock put down at any
// time on any cell but the walker's and the exit. What can be won within k steps follows from what can be won within k-1.
#include <cstdio>
#include <vector>

namespace {

struct Maze {
    int cells = 0, entrance = 0, exit = 0;
    std::vector<std::vector<int>> beside;
};

Maze read_maze() {
    int rows = 0, columns = 0;
    if (std::scanf("%d %d", &rows, &columns) != 2) return {};
    std::vector<std::vector<int>> number(rows + 2, std::vector<int>(columns + 2, -1));
    Maze maze;
    for (int row = 1; row <= rows; ++row)
        for (int column = 1; column <= columns; ++column) {
            char cell = 0;
            if (std::scanf(" %c", &cell) != 1) return {};
            if (cell == '#') continue;
            if (cell == 'E') maze.entrance = maze.cells;
            if (cell == 'X') maze.exit = maze.cells;
            number[row][column] = maze.cells++;
        }
    maze.beside.resize(maze.cells);
    for (int row = 1; row <= rows; ++row)
        for (int column = 1; column <= columns; ++column) {
            if (number[row][column] < 0) continue;
            const int next[4] = {number[row][column + 1], number[row][column - 1], number[row + 1][column],
                                 number[row - 1][column]};
            for (const int other : next)
                if (other >= 0) maze.beside[number[row][column]].push_back(other);
        }
    return maze;
}

// won[rock][cell]: the walker gets there in time; rock == cells: it is still in hand.
using Table = std::vector<std::vector<char>>;

bool some_step_wins(const Maze& maze, const std::vector<char>& before, int cell, int rock) {
    for (const int next : maze.beside[cell])
        if (next != rock && before[next]) return true;
    return false;
}

Table one_step_more(const Maze& maze, const Table& before) {
    Table won = before;
    const int in_hand = maze.cells;
    for (int rock = 0; rock < maze.cells; ++rock)
        for (int cell = 0; cell < maze.cells; ++cell)
            if (cell != rock && !won[rock][cell]) won[rock][cell] = some_step_wins(maze, before[rock], cell, rock);
    for (int cell = 0; cell < maze.cells; ++cell) {
        if (won[in_hand][cell] || !some_step_wins(maze, before[in_hand], cell, -1)) continue;
        bool stands = true;
        for (int rock = 0; rock < maze.cells; ++rock)
            if (rock != cell && rock != maze.exit && !won[rock][cell]) stands = false;
        won[in_hand][cell] = stands;
    }
    return won;
}

int guaranteed_steps(const Maze& maze) {
    Table won(maze.cells + 1, std::vector<char>(maze.cells, 0));
    for (int rock = 0; rock <= maze.cells; ++rock)
        if (rock != maze.exit) won[rock][maze.exit] = 1;
    // one number more of steps without any new state won: nothing will change any more
    for (int steps = 0;; ++steps) {
        if (won[maze.cells][maze.entrance]) return steps;
        Table more = one_step_more(maze, won);
        if (more == won) return -1;
        won.swap(more);
    }
}

}  // namespace

int main() {
    int cases = 0;
    if (std::scanf("%d", &cases) != 1) return 1;
    for (; cases > 0; --cases) std::printf("%d\n", guaranteed_steps(read_maze()));
    return 0;
}
