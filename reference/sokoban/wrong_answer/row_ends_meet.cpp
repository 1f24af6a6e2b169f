// BUG: rows of a thousand cells have no margin: the end of one is beside the beginning of the next.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// The grid in rows of a thousand cells, what is not given is wall.
struct Grid {
    int stride = 0;
    int goal = 0;
    int step[4] = {};  // right, left, down, up
    std::vector<char> floor;
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
    grid.stride = 1000;
    const int steps[4] = {1, -1, grid.stride, -grid.stride};
    std::copy(steps, steps + 4, grid.step);
    grid.floor.assign(static_cast<size_t>(grid.stride) * (rows + 2) + 1, 0);
    for (int row = 1; row <= rows; ++row, ++at)
        for (int column = 0; column < columns; ++column, ++at) {
            const int cell = row * grid.stride + column;
            grid.floor[cell] = *at != '#';
            if (*at == 'X') grid.goal = cell;
        }
    return grid;
}

// The depth-first tree from the goal. `order` is 0 where the search never came.
struct Tree {
    std::vector<int32_t> order, low, size;
    std::vector<uint8_t> child;  // bit d: the neighbour in direction d is a child
    std::vector<uint8_t> cut;    // bit d: that child's subtree has no edge past this cell
    int cells = 0;
};

Tree search(const Grid& grid) {
    const size_t total = grid.floor.size();
    Tree tree;
    tree.order.assign(total, 0);
    tree.low.assign(total, 0);
    tree.size.assign(total, 1);
    tree.child.assign(total, 0);
    tree.cut.assign(total, 0);
    std::vector<uint8_t> way(total, 0);       // next direction to try
    std::vector<uint8_t> entered(total, 4);   // direction in which the search came
    int cell = grid.goal;
    tree.order[cell] = tree.low[cell] = ++tree.cells;
    for (;;) {
        if (way[cell] < 4) {
            const int d = way[cell]++;
            const int next = cell + grid.step[d];
            if (!grid.floor[next]) continue;
            if (tree.order[next] == 0) {
                tree.child[cell] |= 1 << d;
                entered[next] = d;
                cell = next;
                tree.order[cell] = tree.low[cell] = ++tree.cells;
            } else {
                // the parent may count as a back edge: it never lowers `low` below the parent's own number
                tree.low[cell] = std::min(tree.low[cell], tree.order[next]);
            }
            continue;
        }
        if (cell == grid.goal) return tree;
        const int d = entered[cell];
        const int parent = cell - grid.step[d];
        tree.low[parent] = std::min(tree.low[parent], tree.low[cell]);
        tree.size[parent] += tree.size[cell];
        if (tree.low[cell] >= tree.order[parent]) tree.cut[parent] |= 1 << d;
        cell = parent;
    }
}

// The part of the grid without `box` that holds the neighbour in direction d: the sides it touches, and its cells other
// than the goal.
struct Part {
    int sides;
    int cells;
};

// The direction of the child of `box` whose subtree holds the neighbour in direction d, or -1 if none does.
int child_towards(const Grid& grid, const Tree& tree, int box, int d) {
    const int order = tree.order[box + grid.step[d]];
    int best = -1, best_order = tree.order[box];
    for (int k = 0; k < 4; ++k) {
        const int found = tree.order[box + grid.step[k]];
        if ((tree.child[box] >> k & 1) && found <= order && found > best_order) best = k, best_order = found;
    }
    return best;
}

// Which cut child's subtree holds the neighbour, or -1 for the part that holds the rest of the grid.
int part_of(const Grid& grid, const Tree& tree, int box, int d) {
    const int child = child_towards(grid, tree, box, d);
    return child >= 0 && (tree.cut[box] >> child & 1) ? child : -1;
}

Part part_beside(const Grid& grid, const Tree& tree, int box, int d) {
    if (tree.cut[box] == 0) return {15, tree.cells - 2};
    const int part = part_of(grid, tree, box, d);
    Part result = {0, tree.cells - 2};
    for (int k = 0; k < 4; ++k) {
        const int next = box + grid.step[k];
        if (!grid.floor[next]) continue;
        if (part_of(grid, tree, box, k) == part) result.sides |= 1 << k;
        if (part < 0 && (tree.cut[box] >> k & 1)) result.cells -= tree.size[next];
    }
    if (part >= 0) result.cells = tree.size[box + grid.step[part]];
    return result;
}

// Pull the box from the goal: a state is the box and a side that the player can reach.
int64_t count_placements(const Grid& grid, const Tree& tree) {
    std::vector<uint8_t> reached(grid.floor.size(), 0);
    std::vector<int32_t> pulled;  // 4·box + direction of the player
    for (int d = 0; d < 4; ++d)
        if (grid.floor[grid.goal + grid.step[d]]) pulled.push_back(grid.goal * 4 + d);
    int64_t answer = 0;
    while (!pulled.empty()) {
        const int box = pulled.back() / 4, side = pulled.back() % 4;
        pulled.pop_back();
        if (reached[box] >> side & 1) continue;
        const Part part = part_beside(grid, tree, box, side);
        reached[box] |= part.sides;
        if (box != grid.goal) answer += part.cells;
        for (int d = 0; d < 4; ++d) {
            const int next = box + grid.step[d];
            if (!(part.sides >> d & 1) || !grid.floor[next] || !grid.floor[next + grid.step[d]]) continue;
            if (!(reached[next] >> d & 1)) pulled.push_back(next * 4 + d);
        }
    }
    return answer;
}

}  // namespace

int main() {
    const Grid grid = read_grid();
    const Tree tree = search(grid);
    std::printf("%lld\n", static_cast<long long>(count_placements(grid, tree)));
    return 0;
}
