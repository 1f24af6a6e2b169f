// O(MN) without low-links: a box separates two of its sides exactly when one 8-connected piece of wall is met on both
// arcs between them; any spanning tree (here by breadth-first search) then gives the sizes of the parts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

// The grid with a margin of wall, two rows above and below and a column between rows; cells are numbered row by row.
struct Grid {
    int stride = 0;
    int goal = 0;
    int ring[8] = {};  // the eight neighbours clockwise from the upper one: even places are sides, odd ones corners
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
    const int w = grid.stride = columns + 1;
    const int ring[8] = {-w, 1 - w, 1, w + 1, w, w - 1, -1, -w - 1};
    std::copy(ring, ring + 8, grid.ring);
    grid.floor.assign(static_cast<size_t>(w) * (rows + 4) + 1, 0);
    // the line feed at the end of a row falls on the margin
    uint8_t* first = grid.floor.data() + 2 * w + 1;
    for (int i = 0; i < rows * w; ++i) first[i] = at[i] > '#';
    grid.goal = static_cast<const char*>(std::memchr(at, 'X', rows * w)) - at + 2 * w + 1;
    return grid;
}

// A breadth-first tree from the goal. Floor that it does not reach becomes wall.
struct Tree {
    std::vector<int32_t> order;    // the cells as they were found
    std::vector<uint8_t> entered;  // the place in the ring of the parent at which the search came; 8 at the goal
    std::vector<int32_t> size;     // of the subtree
};

Tree span(Grid& grid) {
    Tree tree;
    tree.entered.assign(grid.floor.size(), 8);
    tree.size.assign(grid.floor.size(), 1);
    tree.order.reserve(grid.floor.size());
    tree.order.push_back(grid.goal);
    std::vector<uint8_t> fresh = grid.floor;
    fresh[grid.goal] = 0;
    for (size_t i = 0; i < tree.order.size(); ++i)
        for (int side = 0; side < 8; side += 2) {
            const int cell = tree.order[i], next = cell + grid.ring[side];
            if (!fresh[next]) continue;
            fresh[next] = 0;
            tree.entered[next] = side;
            tree.order.push_back(next);
        }
    for (size_t i = tree.order.size(); --i > 0;) {
        const int cell = tree.order[i];
        tree.size[cell - grid.ring[tree.entered[cell]]] += tree.size[cell];
    }
    for (size_t cell = 0; cell < fresh.size(); ++cell) grid.floor[cell] ^= fresh[cell];
    return tree;
}

// The number of the 8-connected piece of wall of every wall cell, from 1; 0 on floor and in the outermost rows.
std::vector<int32_t> number_pieces(const Grid& grid) {
    const int total = grid.floor.size();
    std::vector<int32_t> piece(total, 0), stack;
    std::vector<uint8_t> fresh(total, 0);
    for (int cell = grid.stride + 1; cell < total - grid.stride - 1; ++cell) fresh[cell] = !grid.floor[cell];
    int pieces = 0;
    for (int start = 0; start < total; ++start) {
        if (!fresh[start]) continue;
        fresh[start] = 0;
        piece[start] = ++pieces;
        stack.push_back(start);
        while (!stack.empty()) {
            const int cell = stack.back();
            stack.pop_back();
            for (const int step : grid.ring) {
                const int next = cell + step;
                if (!fresh[next]) continue;
                fresh[next] = 0;
                piece[next] = pieces;
                stack.push_back(next);
            }
        }
    }
    return piece;
}

struct Level {
    Grid grid;
    Tree tree;
    std::vector<int32_t> piece;
};

// Whether one piece of wall is met both clockwise from place a to place b of the ring and from b to a.
bool separated(const int32_t (&ring)[8], int a, int b) {
    for (int i = (a + 1) % 8; i != b; i = (i + 1) % 8)
        for (int j = (b + 1) % 8; j != a; j = (j + 1) % 8)
            if (ring[i] && ring[i] == ring[j]) return true;
    return false;
}

// By the floor around a cell (bit = place in the ring): one wall of each gap between consecutive sides on floor, or
// nothing if fewer than two gaps have a wall. The walls of a gap touch each other; a gap without any is a floor corner,
// which joins the sides next to it.
struct Gaps {
    uint8_t count = 0;
    uint8_t place[4] = {};
};

std::vector<Gaps> gaps_by_floor() {
    std::vector<Gaps> table(256);
    for (int floor = 0; floor < 256; ++floor)
        for (int side = 0; side < 8; side += 2) {
            if (!(floor >> side & 1)) continue;
            const int corner = side + 1, following = (side + 2) % 8;
            const bool wall_at_corner = !(floor >> corner & 1);
            if (!wall_at_corner && floor >> following & 1) continue;
            table[floor].place[table[floor].count++] = wall_at_corner ? corner : following;
        }
    for (Gaps& gaps : table)
        if (gaps.count < 2) gaps.count = 0;
    return table;
}

// For every floor cell whether a box on it cuts nothing off (kFresh) or something (kCutting).
constexpr int kFresh = 1, kCutting = 2;

bool cuts(const Level& level, int cell, const Gaps& gaps) {
    for (int i = 0; i < gaps.count; ++i)
        for (int j = 0; j < i; ++j) {
            const int* ring = level.grid.ring;
            if (level.piece[cell + ring[gaps.place[i]]] == level.piece[cell + ring[gaps.place[j]]]) return true;
        }
    return false;
}

std::vector<uint8_t> kinds(const Level& level) {
    const std::vector<Gaps> table = gaps_by_floor();
    const std::vector<uint8_t>& floor = level.grid.floor;
    std::vector<uint8_t> kind(floor);
    for (size_t cell = 0; cell < floor.size(); ++cell) {
        if (!floor[cell]) continue;
        int around = 0;
        for (int k = 0; k < 8; ++k) around |= floor[cell + level.grid.ring[k]] << k;
        if (cuts(level, cell, table[around])) kind[cell] = kCutting;
    }
    kind[level.grid.goal] = kCutting;
    return kind;
}

// The part of the grid without `box` that holds its neighbour on one side: a mask of the sides that it touches (bit =
// place in the ring), and its cells other than the goal.
struct Part {
    int sides = 0;
    int cells = 0;
};

Part part_beside(const Level& level, int box, int side) {
    const Tree& tree = level.tree;
    const int total = tree.order.size();
    int32_t ring[8];
    for (int k = 0; k < 8; ++k) ring[k] = level.piece[box + level.grid.ring[k]];
    Part part;
    for (int k = 0; k < 8; k += 2) {
        if (ring[k] || (k != side && separated(ring, side, k))) continue;
        part.sides |= 1 << k;
        const int next = box + level.grid.ring[k];
        if (tree.entered[next] == k) part.cells += tree.size[next];
        if (tree.entered[box] == (k + 4) % 8) part.cells += total - tree.size[box] - 1;
    }
    return part;
}

// Pulls the box from the goal, over all states of the box and a part that the player is in.
class Pulling {
public:
    explicit Pulling(const Level& level)
        : level_(level), todo_(kinds(level)), reached_(todo_.size()), whole_(level.tree.order.size() + 1) {}

    int64_t count_placements() {
        const Grid& grid = level_.grid;
        for (int side = 0; side < 8; side += 2)
            if (grid.floor[grid.goal + grid.ring[side]]) sided_.push_back(grid.goal * 8 + side);
        while (!sided_.empty()) {
            const int box = sided_.back() / 8, side = sided_.back() % 8;
            sided_.pop_back();
            if (!(reached_[box] >> side & 1)) pull_cutting(box, side);
            pull_whole();
        }
        return answer_ + (static_cast<int64_t>(level_.tree.order.size()) - 2) * pulled_;
    }

private:
    // A box that cuts something off: only the sides of the player's part count.
    void pull_cutting(int box, int side) {
        const Part part = part_beside(level_, box, side);
        reached_[box] |= part.sides;
        if (box != level_.grid.goal) answer_ += part.cells;
        for (int k = 0; k < 8; k += 2)
            if (part.sides >> k & 1) pull(box, k);
    }

    // Boxes that cut nothing off, until only cutting ones are left to visit.
    void pull_whole() {
        for (; pulled_ < found_; ++pulled_)
            for (int k = 0; k < 8; k += 2) pull(whole_[pulled_], k);
    }

    // No branch on whether a cell is fresh: it would be guessed wrong.
    void pull(int box, int k) {
        const int next = box + level_.grid.ring[k];
        const int open = todo_[next] & -level_.grid.floor[next + level_.grid.ring[k]];
        whole_[found_] = next;
        found_ += open & kFresh;
        todo_[next] ^= open & kFresh;
        if (open & kCutting) sided_.push_back(next * 8 + k);
    }

    const Level& level_;
    std::vector<uint8_t> todo_;     // kFresh: cuts nothing off, not visited yet; kCutting; 0: nothing to do
    std::vector<uint8_t> reached_;  // of a cutting box: the sides from which it was visited
    std::vector<int32_t> whole_;    // boxes that cut nothing off, as they were found
    int found_ = 0, pulled_ = 0;
    std::vector<int32_t> sided_;  // 8·box + place of the player in the ring
    int64_t answer_ = 0;
};

}  // namespace

int main() {
    Level level;
    level.grid = read_grid();
    level.tree = span(level.grid);
    level.piece = number_pieces(level.grid);
    std::printf("%lld\n", static_cast<long long>(Pulling(level).count_placements()));
    return 0;
}
