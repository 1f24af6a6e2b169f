// Right, O(M²N²): floods the floor anew for every state of (box, part of the floor with the player).
#include <cstdint>
#include <iostream>
#include <string>
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

// Give `mark` to all cells that the player can reach from `start`; how many of them are not the goal.
int flood(const Grid& grid, std::vector<int>& marks, int start, int box, int mark) {
    static std::vector<int> queue;
    queue.assign(1, start);
    marks[start] = mark;
    int found = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
        found += queue[i] != grid.goal;
        for (const int step : grid.step) {
            const int next = queue[i] + step;
            if (next == box || grid.cells[next] == '#' || marks[next] == mark) continue;
            marks[next] = mark;
            queue.push_back(next);
        }
    }
    return found;
}

}  // namespace

int main() {
    const Grid grid = read_grid();
    std::vector<int> marks(grid.cells.size(), 0), pulled;
    std::vector<uint8_t> reached(grid.cells.size(), 0);
    for (int d = 0; d < 4; ++d)
        if (grid.cells[grid.goal + grid.step[d]] != '#') pulled.push_back(grid.goal * 4 + d);
    int64_t answer = 0;
    for (int mark = 1; !pulled.empty(); ++mark) {
        const int box = pulled.back() / 4, side = pulled.back() % 4;
        pulled.pop_back();
        if (reached[box] >> side & 1) continue;
        const int found = flood(grid, marks, box + grid.step[side], box, mark);
        if (box != grid.goal) answer += found;
        for (int d = 0; d < 4; ++d) {
            const int next = box + grid.step[d];
            if (marks[next] != mark) continue;
            reached[box] |= 1 << d;
            if (grid.cells[next + grid.step[d]] != '#') pulled.push_back(next * 4 + d);
        }
    }
    std::cout << answer << '\n';
}
