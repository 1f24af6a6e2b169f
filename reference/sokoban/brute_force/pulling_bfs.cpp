// Right, O(M²N²) in time and memory: a search over all (box, player) from the goal, where boxes are pulled. A row of
// marks is made when the box first comes to a cell, so it is the memory limit that ends it on large grids.
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Grid {
    int goal = 0;
    int step[4] = {};
    std::string cells;  // with a margin of wall
};

Grid read_grid() {
    int rows = 0, columns = 0;
    std::cin >> rows >> columns;
    const int stride = columns + 2;
    Grid grid;
    grid.cells.assign(stride, '#');
    for (int row = 0; row < rows; ++row) {
        std::string line;
        std::cin >> line;
        grid.cells += '#' + line + '#';
    }
    grid.cells += std::string(stride, '#');
    grid.goal = static_cast<int>(grid.cells.find('X'));
    grid.step[0] = 1, grid.step[1] = -1, grid.step[2] = stride, grid.step[3] = -stride;
    return grid;
}

class Search {
public:
    explicit Search(const Grid& grid) : grid_(grid), seen_(grid.cells.size()) {}

    void reach(int box, int player) {
        if (seen_[box].empty()) seen_[box].resize(grid_.cells.size());
        if (seen_[box][player]) return;
        seen_[box][player] = true;
        queue_.emplace_back(box, player);
    }

    int64_t count_placements() {
        int64_t answer = 0;
        for (size_t i = 0; i < queue_.size(); ++i) {
            const auto [box, player] = queue_[i];
            answer += box != grid_.goal && player != grid_.goal;
            for (const int step : grid_.step) {
                const int next = player + step;
                if (grid_.cells[next] == '#' || next == box) continue;
                reach(box, next);
                if (player - step == box) reach(player, next);
            }
        }
        return answer;
    }

private:
    const Grid& grid_;
    std::vector<std::vector<bool>> seen_;  // [box][player]
    std::vector<std::pair<int, int>> queue_;
};

}  // namespace

int main() {
    const Grid grid = read_grid();
    Search search(grid);
    for (const int step : grid.step)
        if (grid.cells[grid.goal + step] != '#') search.reach(grid.goal, grid.goal + step);
    std::cout << search.count_placements() << '\n';
}
