// Right, and quadratic: blocks by joining the tree edges of every cycle, in a union-find whose ways are never shortened.
// Grids whose cycles are short, or one inside the other, it does in no time; one cycle as long as the grid allows it does not.
#include <cstdint>
#include <iostream>
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

// The breadth-first tree from the goal. A cell other than the goal stands for the edge to its parent, too.
struct Tree {
    std::vector<int> order, parent, depth, size;
    std::vector<int> block;  // union-find: edges of the same block
    std::vector<int> above;  // the highest edge known to be of the same block, upwards

    int block_of(int edge) const {
        while (block[edge] != edge) edge = block[edge];
        return edge;
    }
    int highest(int edge) {
        while (above[edge] != edge) edge = above[edge] = above[above[edge]];
        return edge;
    }
    int block_between(int cell, int next) const { return block_of(parent[next] == cell ? next : cell); }
    void close_cycle(int one, int other);
};

Tree search(const Grid& grid) {
    const size_t total = grid.cells.size();
    Tree tree{{grid.goal}, std::vector<int>(total), std::vector<int>(total, -1), std::vector<int>(total, 1), {}, {}};
    tree.depth[grid.goal] = 0;
    for (size_t i = 0; i < tree.order.size(); ++i)
        for (const int step : grid.step) {
            const int cell = tree.order[i], next = cell + step;
            if (grid.cells[next] == '#' || tree.depth[next] >= 0) continue;
            tree.depth[next] = tree.depth[cell] + 1;
            tree.parent[next] = cell;
            tree.order.push_back(next);
        }
    for (size_t i = tree.order.size() - 1; i > 0; --i) tree.size[tree.parent[tree.order[i]]] += tree.size[tree.order[i]];
    for (size_t cell = 0; cell < total; ++cell) tree.block.push_back(cell), tree.above.push_back(cell);
    return tree;
}

// The edge between these two is none of the tree: all tree edges between them are of one block.
void Tree::close_cycle(int one, int other) {
    for (one = highest(one), other = highest(other); one != other; one = highest(one)) {
        if (depth[one] < depth[other]) std::swap(one, other);
        const bool siblings = parent[one] == parent[other];
        const int joined = siblings ? other : parent[one];
        block[block_of(one)] = block_of(joined);
        if (siblings) return;
        above[one] = joined;
    }
}

// Bit d of a cell: a box there can be brought to the goal by a player who is beside it in direction d.
std::vector<uint8_t> pull(const Grid& grid, const Tree& tree) {
    std::vector<uint8_t> good(grid.cells.size(), 0);
    std::vector<std::pair<int, int>> states;
    for (int d = 0; d < 4; ++d) states.push_back({grid.goal, d});
    while (!states.empty()) {
        const auto [cell, d] = states.back();
        states.pop_back();
        const int next = cell + grid.step[d];
        if (grid.cells[next] == '#' || grid.cells[next + grid.step[d]] == '#' || good[next] >> d & 1) continue;
        const int block = tree.block_between(next, next + grid.step[d]);
        for (int e = 0; e < 4; ++e) {
            const int beside = next + grid.step[e];
            if (grid.cells[beside] == '#' || tree.block_between(next, beside) != block) continue;
            good[next] |= 1 << e;
            states.push_back({next, e});
        }
    }
    return good;
}

}  // namespace

int main() {
    const Grid grid = read_grid();
    Tree tree = search(grid);
    for (const int cell : tree.order)
        for (const int step : grid.step) {
            const int next = cell + step;
            if (grid.cells[next] != '#' && tree.parent[cell] != next && tree.depth[next] > tree.depth[cell] && tree.parent[next] != cell)
                tree.close_cycle(cell, next);
        }
    const std::vector<uint8_t> good = pull(grid, tree);
    int64_t answer = 0;
    for (const int cell : tree.order) {
        if (cell == grid.goal) continue;
        int above = static_cast<int>(tree.order.size()) - 2;  // where the player gets from the parent, but for the goal
        bool counted = false;
        for (int d = 0; d < 4; ++d) {
            const int next = cell + grid.step[d];
            if (grid.cells[next] == '#') continue;
            const bool below = tree.parent[next] == cell && tree.block_of(next) != tree.block_of(cell);
            if (below) above -= tree.size[next];
            if (below && good[cell] >> d & 1) answer += tree.size[next];
            if (!below && good[cell] >> d & 1) counted = true;
        }
        if (counted) answer += above;
    }
    std::cout << answer << '\n';
}
