// O(MN): the box is pulled back from the goal, the player is known only by his component. What a box cuts off comes
// from the low-links of one depth-first search, which keeps its own stack.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int32_t kWall = INT32_MAX;

// The grid with a margin of wall, two rows above and below and a column between rows; cells are numbered row by row.
struct Grid {
    int goal = 0;
    int step[4] = {};  // right, left, down, up
    std::vector<uint8_t> floor;
};

int read_number(const char*& at) {
    int value = 0;
    for (; *at >= '0'; ++at) value = value * 10 + (*at - '0');
    ++at;
    return value;
}

Grid read_grid() {
    std::vector<char> text(1100000);
    text[std::fread(text.data(), 1, text.size() - 1, stdin)] = 0;
    const char* at = text.data();
    const int rows = read_number(at), columns = read_number(at);
    Grid grid;
    const int stride = columns + 1;
    const int steps[4] = {1, -1, stride, -stride};
    std::copy(steps, steps + 4, grid.step);
    grid.floor.assign(static_cast<size_t>(stride) * (rows + 4) + 1, 0);
    // the line feed at the end of a row falls on the margin
    uint8_t* first = grid.floor.data() + 2 * stride + 1;
    for (int i = 0; i < rows * stride; ++i) first[i] = at[i] > '#';
    grid.goal = static_cast<const char*>(std::memchr(at, 'X', rows * stride)) - at + 2 * stride + 1;
    return grid;
}

// The depth-first tree from the goal.
struct Tree {
    std::vector<int32_t> order;    // time of discovery, from 1; 0 where the search never came; kWall
    std::vector<int32_t> low;      // low-link; of a cut child, once it is left: the size of its subtree
    std::vector<uint8_t> entered;  // the direction in which the search came
    std::vector<uint8_t> cut;      // bit d: the neighbour in direction d is a child with no edge past this cell
    int cells = 0;
};

Tree search(const Grid& grid) {
    const size_t total = grid.floor.size();
    Tree tree;
    tree.order.resize(total);
    for (size_t i = 0; i < total; ++i) tree.order[i] = grid.floor[i] ? 0 : kWall;
    tree.low.resize(total);
    tree.entered.assign(total, 0);
    tree.cut.assign(total, 0);
    int cell = grid.goal, d = 0;
    int32_t low = tree.order[cell] = ++tree.cells;
    for (;;) {
        // The parent may count as a back edge: that never lowers `low` below the parent's own number.
        for (; d < 4; ++d) {
            const int next = cell + grid.step[d];
            if (tree.order[next]) {
                low = std::min(low, tree.order[next]);
                continue;
            }
            tree.low[cell] = low;
            tree.entered[next] = d;
            cell = next;
            low = tree.order[cell] = ++tree.cells;
            d = -1;
        }
        if (cell == grid.goal) return tree;
        const int child = cell;
        d = tree.entered[child];
        cell -= grid.step[d];
        if (low >= tree.order[cell]) {
            tree.cut[cell] |= 1 << d;
            tree.low[child] = tree.cells - tree.order[child] + 1;
        }
        low = std::min(low, tree.low[cell]);
        ++d;
    }
}

// The direction of the cut child of `box` whose subtree holds the neighbour in direction d; -1 for the part that holds
// the rest of the grid.
int part_of(const Grid& grid, const Tree& tree, int box, int d) {
    const int order = tree.order[box + grid.step[d]];
    int child = -1, latest = tree.order[box];
    for (int k = 0; k < 4; ++k) {
        const int next = box + grid.step[k], found = tree.order[next];
        if (found == kWall || tree.entered[next] != k || found > order || found <= latest) continue;
        child = k;
        latest = found;
    }
    return child >= 0 && (tree.cut[box] >> child & 1) ? child : -1;
}

// A part of the grid without the box: a mask of the sides of the box that it touches, and its cells other than the goal.
struct Part {
    int sides;
    int cells;
};

Part part_beside(const Grid& grid, const Tree& tree, int box, int d) {
    const int part = part_of(grid, tree, box, d);
    Part result = {0, tree.cells - 2};
    for (int k = 0; k < 4; ++k) {
        const int next = box + grid.step[k];
        if (!grid.floor[next]) continue;
        if (part_of(grid, tree, box, k) == part) result.sides |= 1 << k;
        if (tree.cut[box] >> k & 1) result.cells -= tree.low[next];
    }
    if (part >= 0) result.cells = tree.low[box + grid.step[part]];
    return result;
}

// Pulls the box from the goal, over all states of the box and a part that the player is in.
class Pulling {
public:
    Pulling(const Grid& grid, const Tree& tree)
        : grid_(grid), tree_(tree), todo_(grid.floor), reached_(grid.floor.size()), whole_(grid.floor.size() + 4) {
        for (size_t cell = 0; cell < todo_.size(); ++cell) todo_[cell] <<= tree.cut[cell] != 0;
        todo_[grid.goal] = kCutting;
    }

    int64_t count_placements() {
        for (int d = 0; d < 4; ++d)
            if (grid_.floor[grid_.goal + grid_.step[d]]) sided_.push_back(grid_.goal * 4 + d);
        while (!sided_.empty()) {
            const int box = sided_.back() / 4, side = sided_.back() % 4;
            sided_.pop_back();
            if (!(reached_[box] >> side & 1)) pull_cutting(box, side);
            pull_whole();
        }
        return answer_ + int64_t{tree_.cells - 2} * pulled_;
    }

private:
    static constexpr int kFresh = 1, kCutting = 2;

    // A box that cuts something off: only the sides of the player's part count.
    void pull_cutting(int box, int side) {
        const Part part = part_beside(grid_, tree_, box, side);
        reached_[box] |= part.sides;
        if (box != grid_.goal) answer_ += part.cells;
        for (int d = 0; d < 4; ++d) {
            const int next = box + grid_.step[d];
            if (!(part.sides >> d & 1) || !grid_.floor[next + grid_.step[d]]) continue;
            if (todo_[next] == kFresh) whole_[found_++] = next;
            if (todo_[next] == kCutting) sided_.push_back(next * 4 + d);
            todo_[next] &= ~kFresh;
        }
    }

    // Boxes that cut nothing off, until only cutting ones are left to visit. No branch on whether a cell is fresh: it
    // would be guessed wrong. First in, first out, so that a box does not wait for the one before.
    void pull_whole() {
        int found = found_;
        for (; pulled_ < found; ++pulled_) {
            const int box = whole_[pulled_];
            for (int d = 0; d < 4; ++d) {
                const int next = box + grid_.step[d];
                const int open = todo_[next] & -grid_.floor[next + grid_.step[d]];
                whole_[found] = next;
                found += open & kFresh;
                todo_[next] ^= open & kFresh;
                if (open & kCutting) sided_.push_back(next * 4 + d);
            }
        }
        found_ = found;
    }

    const Grid& grid_;
    const Tree& tree_;
    std::vector<uint8_t> todo_;     // kFresh: cuts nothing off, not visited yet; kCutting; 0: nothing to do
    std::vector<uint8_t> reached_;  // of a cutting box: the sides from which it was visited
    std::vector<int32_t> whole_;    // boxes that cut nothing off, as they were found
    int found_ = 0, pulled_ = 0;
    std::vector<int32_t> sided_;  // 4·box + direction of the player
    int64_t answer_ = 0;
};

}  // namespace

int main() {
    const Grid grid = read_grid();
    const Tree tree = search(grid);
    std::printf("%lld\n", static_cast<long long>(Pulling(grid, tree).count_placements()));
    return 0;
}
