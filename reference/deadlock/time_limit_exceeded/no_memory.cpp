// Too slow: tries every sequence of up to thirty pushes, remembering nothing.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

// A board of at most 144 cells, of which at most 64 are not wall: floor cells are numbered from 0.
struct Board {
    int next[64][4];  // the neighbour in each direction, or -1; directions d and d ^ 1 are opposite
    uint64_t goals = 0, boxes = 0, live = 0;
    int keeper = 0, cells = 0;
};

bool has(uint64_t set, int cell) { return set >> cell & 1; }

void find_live_squares(Board& board) {
    std::vector<int> todo;
    for (int cell = 0; cell < board.cells; ++cell) {
        if (has(board.goals, cell)) todo.push_back(cell);
    }
    board.live = board.goals;
    while (!todo.empty()) {
        const int cell = todo.back();
        todo.pop_back();
        for (int d = 0; d < 4; ++d) {
            const int before = board.next[cell][d];
            if (before < 0 || board.next[before][d] < 0 || has(board.live, before)) continue;
            board.live |= 1ull << before;
            todo.push_back(before);
        }
    }
}

Board read_board() {
    int rows, columns;
    std::cin >> rows >> columns;
    std::string cells, row;
    for (int i = 0; i < rows; ++i) {
        std::cin >> row;
        cells += row;
    }
    Board board;
    std::vector<int> number(cells.size(), -1);
    for (size_t at = 0; at < cells.size(); ++at) {
        if (cells[at] == '#') continue;
        const int cell = number[at] = board.cells++;
        const std::string sign(1, cells[at]);
        if (std::string(".*+").find(sign) != std::string::npos) board.goals |= 1ull << cell;
        if (std::string("$*").find(sign) != std::string::npos) board.boxes |= 1ull << cell;
        if (std::string("@+").find(sign) != std::string::npos) board.keeper = cell;
    }
    const int steps[4] = {1, -1, columns, -columns};
    for (size_t at = 0; at < cells.size(); ++at) {
        if (number[at] < 0) continue;
        for (int d = 0; d < 4; ++d) board.next[number[at]][d] = number[at + steps[d]];
    }
    find_live_squares(board);
    return board;
}

// The cells that the keeper can walk to.
uint64_t walk(const Board& board, uint64_t boxes, int keeper) {
    int todo[64], count = 0;
    uint64_t seen = 1ull << keeper;
    todo[count++] = keeper;
    while (count) {
        const int cell = todo[--count];
        for (int d = 0; d < 4; ++d) {
            const int beside = board.next[cell][d];
            if (beside < 0 || has(seen | boxes, beside)) continue;
            seen |= 1ull << beside;
            todo[count++] = beside;
        }
    }
    return seen;
}

bool search(const Board& board, uint64_t boxes, int keeper, int pushes) {
    if (boxes == board.goals) return true;
    if (!pushes) return false;
    const uint64_t room = walk(board, boxes, keeper);
    for (int box = 0; box < board.cells; ++box) {
        if (!has(boxes, box)) continue;
        for (int d = 0; d < 4; ++d) {
            const int target = board.next[box][d], behind = board.next[box][d ^ 1];
            if (target < 0 || behind < 0 || !has(room, behind)) continue;
            if (has(boxes, target) || !has(board.live, target)) continue;
            if (search(board, boxes ^ 1ull << box ^ 1ull << target, box, pushes - 1)) return true;
        }
    }
    return false;
}

bool is_solvable(const Board& board) {
    return !(board.boxes & ~board.live) && search(board, board.boxes, board.keeper, 30);
}

}  // namespace

int main() {
    int positions;
    std::cin >> positions;
    while (positions--) std::cout << (is_solvable(read_board()) ? "unknown" : "dead") << '\n';
    return 0;
}
