// Wrong: of where the keeper is it remembers the highest row that he can walk to, not the cell: in one row he may stand
// on either side of a box.
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace {

struct Board {
    int columns = 0, keeper = 0;
    std::string cells;
    std::vector<int> boxes;

    bool is(int cell, const char* signs) const { return std::string(signs).find(cells[cell]) != std::string::npos; }
};

Board read_board() {
    Board board;
    int rows;
    std::cin >> rows >> board.columns;
    std::string row;
    for (int i = 0; i < rows; ++i) {
        std::cin >> row;
        board.cells += row;
    }
    for (int cell = 0; cell < static_cast<int>(board.cells.size()); ++cell) {
        if (board.is(cell, "$*")) board.boxes.push_back(cell);
        if (board.is(cell, "@+")) board.keeper = cell;
    }
    return board;
}

// Which cells the keeper can walk to, and the first of them.
std::pair<std::vector<bool>, int> walk(const Board& board, const std::vector<int>& boxes, int keeper) {
    std::vector<bool> seen(board.cells.size());
    for (int box : boxes) seen[box] = true;
    std::vector<bool> room(board.cells.size());
    std::vector<int> todo{keeper};
    int first = keeper;
    room[keeper] = true;
    while (!todo.empty()) {
        const int cell = todo.back();
        todo.pop_back();
        first = std::min(first, cell);
        for (int step : {1, -1, board.columns, -board.columns}) {
            const int beside = cell + step;
            if (board.cells[beside] == '#' || seen[beside] || room[beside]) continue;
            room[beside] = true;
            todo.push_back(beside);
        }
    }
    return {room, first};
}

bool is_solvable(const Board& board) {
    std::set<std::vector<int>> seen;
    std::vector<std::pair<std::vector<int>, int>> todo;
    const auto visit = [&](std::vector<int> boxes, int keeper) {
        std::sort(boxes.begin(), boxes.end());
        const int first = walk(board, boxes, keeper).second;
        std::vector<int> key = boxes;
        key.push_back(first / board.columns);
        if (seen.insert(key).second) todo.emplace_back(boxes, first);
    };
    visit(board.boxes, board.keeper);
    while (!todo.empty()) {
        const auto [boxes, keeper] = todo.back();
        todo.pop_back();
        if (std::all_of(boxes.begin(), boxes.end(), [&](int box) { return board.is(box, ".*+"); })) return true;
        const std::vector<bool> room = walk(board, boxes, keeper).first;
        for (size_t i = 0; i < boxes.size(); ++i) {
            for (int step : {1, -1, board.columns, -board.columns}) {
                const int target = boxes[i] + step;
                if (!room[boxes[i] - step] || board.cells[target] == '#') continue;
                if (std::count(boxes.begin(), boxes.end(), target)) continue;
                std::vector<int> after = boxes;
                after[i] = target;
                visit(after, boxes[i]);
            }
        }
    }
    return false;
}

}  // namespace

int main() {
    int positions;
    std::cin >> positions;
    while (positions--) std::cout << (is_solvable(read_board()) ? "unknown" : "dead") << '\n';
    return 0;
}
