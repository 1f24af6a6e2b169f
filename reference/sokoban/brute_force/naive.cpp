// Right, O(M⁴N⁴): plays each placement forward, by a search over (box, player), until the box stands on the goal.
#include <cstdio>
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
    if (std::scanf("%d %d", &rows, &columns) != 2) return {};
    const int stride = columns + 2;
    Grid grid;
    grid.cells.assign(stride, '#');
    for (int row = 0; row < rows; ++row) {
        char line[1001] = "";
        if (std::scanf("%1000s", line) != 1) return {};
        grid.cells += '#' + std::string(line) + '#';
    }
    grid.cells += std::string(stride, '#');
    grid.goal = static_cast<int>(grid.cells.find('X'));
    grid.step[0] = 1, grid.step[1] = -1, grid.step[2] = stride, grid.step[3] = -stride;
    return grid;
}

bool solvable(const Grid& grid, int first_box, int first_player) {
    const size_t total = grid.cells.size();
    std::vector<bool> seen(total * total);
    std::vector<std::pair<int, int>> queue = {{first_box, first_player}};
    seen[first_box * total + first_player] = true;
    for (size_t i = 0; i < queue.size(); ++i) {
        const auto [box, player] = queue[i];
        if (box == grid.goal) return true;
        for (const int step : grid.step) {
            const int next = player + step;
            const int next_box = next == box ? box + step : box;
            if (grid.cells[next] == '#' || grid.cells[next_box] == '#' || seen[next_box * total + next]) continue;
            seen[next_box * total + next] = true;
            queue.emplace_back(next_box, next);
        }
    }
    return false;
}

}  // namespace

int main() {
    const Grid grid = read_grid();
    const int total = static_cast<int>(grid.cells.size());
    long long answer = 0;
    for (int box = 0; box < total; ++box)
        for (int player = 0; player < total; ++player)
            if (grid.cells[box] == '.' && grid.cells[player] == '.' && box != player) answer += solvable(grid, box, player);
    std::printf("%lld\n", answer);
    return 0;
}
