// BUG: throws on grids with more than 100 rows or columns: the bounds of another problem.
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int kSide = 102;  // with a margin of wall
constexpr int kStep[4] = {1, -1, kSide, -kSide};

std::array<std::array<char, kSide>, kSide> rows_of_cells;
char* const cells = rows_of_cells[0].data();
std::array<int, kSide * kSide> colour;

int flood(int start, int box, int mark) {
    std::vector<int> queue = {start};
    colour[start] = mark;
    int found = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
        found += cells[queue[i]] != 'X';
        for (const int step : kStep) {
            const int next = queue[i] + step;
            if (next == box || cells[next] == '#' || colour[next] == mark) continue;
            colour[next] = mark;
            queue.push_back(next);
        }
    }
    return found;
}

}  // namespace

int main() {
    int rows = 0, columns = 0, goal = 0, mark = 0;
    std::cin >> rows >> columns;
    for (auto& row : rows_of_cells) row.fill('#');
    for (int row = 1; row <= rows; ++row) {
        std::string line;
        std::cin >> line;
        for (int column = 1; column <= columns; ++column) {
            rows_of_cells.at(row).at(column) = line[column - 1];
            if (line[column - 1] == 'X') goal = row * kSide + column;
        }
    }
    std::vector<uint8_t> reached(kSide * kSide);
    std::vector<int> pulled;
    for (int d = 0; d < 4; ++d)
        if (cells[goal + kStep[d]] != '#') pulled.push_back(goal * 4 + d);
    int64_t answer = 0;
    while (!pulled.empty()) {
        const int box = pulled.back() / 4, side = pulled.back() % 4;
        pulled.pop_back();
        if (reached[box] >> side & 1) continue;
        const int part = flood(box + kStep[side], box, ++mark);
        if (box != goal) answer += part;
        for (int d = 0; d < 4; ++d) {
            const int next = box + kStep[d];
            if (colour[next] != mark) continue;
            reached[box] |= 1 << d;
            if (cells[next + kStep[d]] != '#') pulled.push_back(next * 4 + d);
        }
    }
    std::cout << answer << '\n';
}
