// O(MN) without low-links: a box separates two of its sides exactly when one 8-connected piece of wall is met on both
// arcs between them; any spanning tree (here by breadth-first search) then gives the sizes of the parts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// The grid with a margin of wall; a row's right margin is the next row's left one.
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
    grid.floor.assign(static_cast<size_t>(w) * (rows + 2) + 1, 0);
    for (int row = 1; row <= rows; ++row, ++at)
        for (int column = 1; column <= columns; ++column, ++at) {
            const int cell = row * w + column;
            grid.floor[cell] = *at != '#';
            if (*at == 'X') grid.goal = cell;
        }
    return grid;
}

// A breadth-first tree from the goal. Floor that it does not reach becomes wall.
struct Tree {
    std::vector<int32_t> order;   // the cells as they were found
    std::vector<int32_t> parent;  // 0: none
    std::vector<int32_t> size;    // of the subtree
};

Tree span(Grid& grid) {
    Tree tree;
    tree.parent.assign(grid.floor.size(), 0);
    tree.size.assign(grid.floor.size(), 0);
    tree.order.reserve(grid.floor.size());
    tree.order.push_back(grid.goal);
    tree.size[grid.goal] = 1;
    for (size_t i = 0; i < tree.order.size(); ++i)
        for (int side = 0; side < 8; side += 2) {
            const int cell = tree.order[i], next = cell + grid.ring[side];
            if (!grid.floor[next] || tree.size[next]) continue;
            tree.size[next] = 1;
            tree.parent[next] = cell;
            tree.order.push_back(next);
        }
    for (size_t i = tree.order.size(); --i > 0;) tree.size[tree.parent[tree.order[i]]] += tree.size[tree.order[i]];
    for (size_t cell = 0; cell < grid.floor.size(); ++cell) grid.floor[cell] = tree.size[cell] > 0;
    return tree;
}

// The number of the 8-connected piece of wall of every wall cell, from 1; 0 on floor. The margin belongs to piece 1.
std::vector<int32_t> number_pieces(const Grid& grid) {
    const int total = grid.floor.size();
    std::vector<int32_t> piece(total, 0), stack;
    int pieces = 0;
    for (int start = 0; start < total; ++start) {
        if (grid.floor[start] || piece[start]) continue;
        piece[start] = ++pieces;
        stack.push_back(start);
        while (!stack.empty()) {
            const int cell = stack.back();
            stack.pop_back();
            for (const int step : grid.ring) {
                const int next = cell + step;
                if (next < 0 || next >= total || grid.floor[next] || piece[next]) continue;
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

// How many gaps between consecutive sides on floor hold a wall. With at most one such gap all sides are joined by the
// corners.
int gaps_with_wall(const int32_t (&ring)[8]) {
    int gaps = 0;
    for (int k = 0; k < 8; k += 2) gaps += !ring[k] && (ring[k + 1] || ring[(k + 2) % 8]);
    return gaps;
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
    const bool whole = gaps_with_wall(ring) <= 1;
    Part part;
    for (int k = 0; k < 8; k += 2) {
        if (ring[k] || (!whole && k != side && separated(ring, side, k))) continue;
        part.sides |= 1 << k;
        const int next = box + level.grid.ring[k];
        if (next == tree.parent[box]) part.cells += total - tree.size[box] - 1;
        if (tree.parent[next] == box) part.cells += tree.size[next];
    }
    return part;
}

// Pull the box from the goal: a state is the box and a side that the player can reach.
int64_t count_placements(const Level& level) {
    const Grid& grid = level.grid;
    std::vector<uint8_t> reached(grid.floor.size(), 0);
    std::vector<int32_t> pulled;  // 8·box + place of the player in the ring
    for (int side = 0; side < 8; side += 2)
        if (grid.floor[grid.goal + grid.ring[side]]) pulled.push_back(grid.goal * 8 + side);
    int64_t answer = 0;
    while (!pulled.empty()) {
        const int box = pulled.back() / 8, side = pulled.back() % 8;
        pulled.pop_back();
        if (reached[box] >> side & 1) continue;
        const Part part = part_beside(level, box, side);
        reached[box] |= part.sides;
        if (box != grid.goal) answer += part.cells;
        for (int k = 0; k < 8; k += 2) {
            if (!(part.sides >> k & 1)) continue;
            const int next = box + grid.ring[k];
            if (grid.floor[next + grid.ring[k]] && !(reached[next] >> k & 1)) pulled.push_back(next * 8 + k);
        }
    }
    return answer;
}

}  // namespace

int main() {
    Level level;
    level.grid = read_grid();
    level.tree = span(level.grid);
    level.piece = number_pieces(level.grid);
    std::printf("%lld\n", static_cast<long long>(count_placements(level)));
    return 0;
}
