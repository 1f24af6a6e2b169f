// Wrong: it takes a position for dead when forty thousand others have come of it and none of them is solved. (A search in
// breadth, nearest positions first.)
#include <cstdint>
#include <iostream>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

constexpr size_t PATIENCE = 40000;

// A board of at most 144 cells, of which at most 64 are not wall: floor cells are numbered from 0.
struct Board {
    int next[64][4];  // the neighbour in each direction, or -1; directions d and d ^ 1 are opposite
    uint64_t goals = 0, boxes = 0, live = 0;
    int keeper = 0, cells = 0;
};

struct State {
    uint64_t boxes;
    int keeper;  // the least cell that the keeper can walk to
    bool operator==(const State& other) const { return boxes == other.boxes && keeper == other.keeper; }
};

struct Hash {
    size_t operator()(const State& state) const {
        return (state.boxes * 0x9e3779b97f4a7c15u ^ static_cast<uint64_t>(state.keeper) * 0xc2b2ae3d27d4eb4fu) >> 7;
    }
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

bool is_solvable(const Board& board) {
    if (board.boxes & ~board.live) return false;
    std::unordered_set<State, Hash> seen;
    std::vector<State> todo;
    const auto visit = [&](uint64_t boxes, int keeper) {
        const State state{boxes, __builtin_ctzll(walk(board, boxes, keeper))};
        if (seen.insert(state).second) todo.push_back(state);
    };
    visit(board.boxes, board.keeper);
    for (size_t at = 0; at < todo.size() && seen.size() < PATIENCE; ++at) {
        const State state = todo[at];
        if (state.boxes == board.goals) return true;
        const uint64_t room = walk(board, state.boxes, state.keeper);
        for (int box = 0; box < board.cells; ++box) {
            if (!has(state.boxes, box)) continue;
            for (int d = 0; d < 4; ++d) {
                const int target = board.next[box][d], behind = board.next[box][d ^ 1];
                if (target < 0 || behind < 0 || !has(room, behind)) continue;
                if (has(state.boxes, target) || !has(board.live, target)) continue;
                visit(state.boxes ^ 1ull << box ^ 1ull << target, box);
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
