// Label-setting minimax in near-linear time, for mazes of a million cells and more. What a rock on the only way down
// costs is read from the dominator tree of the shortest ways; a search is left for the few cells where two bounds differ.
// The proof: solution/solution.en.md.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kNever = INT_MAX / 4;

// The maze with a margin of wall; a row's right margin is the next row's left one.
struct Maze {
    int entrance = 0, exit = 0;
    int step[4] = {};
    std::vector<uint8_t> floor;
};

Maze read_maze() {
    int rows = 0, columns = 0;
    if (std::scanf("%d %d", &rows, &columns) != 2) return {};
    Maze maze;
    const int stride = columns + 1;
    const int steps[4] = {1, -1, stride, -stride};
    std::copy(steps, steps + 4, maze.step);
    maze.floor.assign(static_cast<size_t>(stride) * (rows + 2) + 1, 0);
    std::vector<char> line(columns + 1);
    char form[16];
    std::snprintf(form, sizeof form, "%%%ds", columns);
    for (int row = 1; row <= rows; ++row) {
        if (std::scanf(form, line.data()) != 1) return maze;
        for (int column = 0; column < columns; ++column) {
            const int cell = row * stride + column + 1;
            maze.floor[cell] = line[column] != '#';
            if (line[column] == 'E') maze.entrance = cell;
            if (line[column] == 'X') maze.exit = cell;
        }
    }
    return maze;
}

// Distances from the exit. Neighbours differ by exactly one, so every step leads up or down.
struct Levels {
    std::vector<int32_t> order;  // the cells that the exit reaches, as they were found
    std::vector<int32_t> level;  // -1 on walls and on floor out of reach
};

Levels flood(const Maze& maze) {
    Levels levels;
    levels.level.assign(maze.floor.size(), -1);
    levels.order.push_back(maze.exit);
    levels.level[maze.exit] = 0;
    for (size_t i = 0; i < levels.order.size(); ++i)
        for (const int step : maze.step) {
            const int cell = levels.order[i], next = cell + step;
            if (!maze.floor[next] || levels.level[next] >= 0) continue;
            levels.level[next] = levels.level[cell] + 1;
            levels.order.push_back(next);
        }
    return levels;
}

// The tree of cells that lie on all shortest ways to the exit; its root is the exit.
class Dominators {
public:
    explicit Dominators(size_t cells) : above_(cells), jump_(cells), depth_(cells), first_(cells), size_(cells, 1) {}

    void set_root(int cell) { above_[cell] = jump_[cell] = cell; }

    void hang(int cell, int above) {
        const int far = jump_[above];
        const bool doubles = depth_[above] - depth_[far] == depth_[far] - depth_[jump_[far]];
        above_[cell] = above;
        depth_[cell] = depth_[above] + 1;
        jump_[cell] = doubles ? jump_[far] : above;
    }

    int above(int cell) const { return above_[cell]; }
    int depth(int cell) const { return depth_[cell]; }

    int ancestor(int cell, int depth) const {
        while (depth_[cell] > depth) cell = depth_[jump_[cell]] >= depth ? jump_[cell] : above_[cell];
        return cell;
    }

    int meet(int a, int b) const {
        a = ancestor(a, depth_[b]);
        b = ancestor(b, depth_[a]);
        while (a != b) {
            const bool far = jump_[a] != jump_[b];
            a = far ? jump_[a] : above_[a];
            b = far ? jump_[b] : above_[b];
        }
        return a;
    }

    // Number the subtrees; `order` lists every cell after the one that it hangs from.
    void number(const std::vector<int32_t>& order) {
        for (size_t i = order.size(); --i > 0;) size_[above_[order[i]]] += size_[order[i]];
        std::vector<int32_t> used(above_.size(), 1);
        for (size_t i = 1; i < order.size(); ++i) {
            const int above = above_[order[i]];
            first_[order[i]] = first_[above] + used[above];
            used[above] += size_[order[i]];
        }
    }

    bool dominates(int a, int b) const { return first_[a] <= first_[b] && first_[b] < first_[a] + size_[a]; }

private:
    std::vector<int32_t> above_, jump_, depth_, first_, size_;
};

// What a rock on the only way down costs. A cell hangs from another that lies on all its shortest ways. A way around the
// rock leaves the part that hangs from it at some cell; if u steps of it led up until there, its length is level + 2·u.
class Detours {
public:
    Detours(const Maze& maze, const Levels& levels)
        : maze_(maze), level_(levels.level), tree_(maze.floor.size()), out_(maze.floor.size(), kNever),
          low_(maze.floor.size(), kNever), high_(maze.floor.size(), kNever), sides_(maze.floor.size(), 0),
          join_(maze.floor.size(), 0), next_join_(maze.floor.size(), 0), seen_(maze.floor.size(), 0) {
        tree_.set_root(maze.exit);
        for (size_t i = 1; i < levels.order.size(); ++i) hang(levels.order[i]);
        tree_.number(levels.order);
        find_ways_out(levels.order);
        for (size_t i = 1; i < levels.order.size(); ++i)
            if (tree_.above(levels.order[i]) != maze.exit) bound(levels.order[i]);
    }

    // Whether a cell has one neighbour below, and that may be blocked.
    bool has_only_way(int cell) const {
        const int above = tree_.above(cell);
        return level_[above] == level_[cell] - 1 && above != maze_.exit;
    }

    // A bound of the way around, and the way around; kNever or more if there is none.
    int at_least(int cell) const { return 2 * low_[tree_.above(cell)] - level_[cell]; }
    int exactly(int cell) {
        if (low_[tree_.above(cell)] < high_[cell]) search(cell);
        return 2 * high_[cell] - level_[cell];
    }

private:
    void hang(int cell) {
        int above = -1;
        for (const int step : maze_.step) {
            const int next = cell + step;
            if (level_[next] == level_[cell] - 1 && level_[next] >= 0) above = above < 0 ? next : tree_.meet(above, next);
        }
        tree_.hang(cell, above);
    }

    // out_: the lowest level to which one climbs from a cell, or from what hangs from it, to a cell that does not even
    // hang from the cell above it. Lowest first; a cell that has its level is skipped by union-find.
    void find_ways_out(const std::vector<int32_t>& order) {
        std::vector<int32_t> open(level_.size());
        for (const int cell : order) open[cell] = cell;
        const auto next_open = [&open](int cell) {
            while (open[cell] != cell) cell = open[cell] = open[open[cell]];
            return cell;
        };
        for (size_t i = 1; i < order.size(); ++i) {
            const int top = order[i], depth = tree_.depth(top);
            for (const int step : maze_.step) {
                if (level_[top + step] != level_[top] - 1) continue;
                for (int cell = next_open(top + step); tree_.depth(cell) > depth; cell = next_open(cell)) {
                    out_[cell] = level_[top];
                    open[cell] = tree_.above(cell);
                }
            }
        }
    }

    // Take a cell into account that hangs from a rock directly: beside it, or joining ways from several of its sides.
    void bound(int cell) {
        const int rock = tree_.above(cell);
        for (int d = 0; d < 4; ++d) {
            const int below = cell - maze_.step[d];
            if (level_[below] != level_[cell] - 1) continue;
            sides_[cell] |= below == rock ? 1 << d : sides_[part(rock, below)];
        }
        low_[rock] = std::min(low_[rock], out_[cell]);
        for (int d = 0; d < 4; ++d) {
            const int side = rock + maze_.step[d];
            if (sides_[cell] >> d & 1) high_[side] = std::min(high_[side], out_[cell]);
        }
        if (has_only_way(cell)) return;
        next_join_[cell] = join_[rock];
        join_[rock] = cell;
    }

    // Of the cells that hang from the rock directly, the one that this cell hangs from, or is.
    int part(int rock, int cell) const { return tree_.ancestor(cell, tree_.depth(rock) + 1); }

    // Lower high_ to the level at which the best way around gets out, plus the number of steps down until there. The search
    // goes by that number. What can be climbed to from the start is known already; other parts of what hangs from the rock
    // are entered by a step down from a cell that joins them.
    void search(int start) {
        const int rock = tree_.above(start);
        Way way = {rock, sides_[start], 1, high_[start]};
        later_.clear();
        for (int cell = join_[rock]; cell != 0; cell = next_join_[cell])
            if (sides_[cell] & way.side) step_down(way, cell, 0);
        ++stamp_;
        for (; low_[rock] + way.downs < way.best && !later_.empty(); ++way.downs) {
            now_.swap(later_);
            later_.clear();
            for (const int cell : now_)
                if (seen_[cell] != stamp_) climb(way, cell);
        }
        high_[start] = way.best;
    }

    struct Way {
        int rock;
        int side;   // of the rock, on which it starts, as a bit of sides_
        int downs;  // steps down so far
        int best;
    };

    void step_down(Way& way, int cell, int downs) {
        for (const int step : maze_.step) {
            const int next = cell + step;
            if (level_[next] != level_[cell] - 1 || next == way.rock) continue;
            if (tree_.above(cell) == way.rock) {  // into another part: one way is down to where all of it hangs from
                const int entered = part(way.rock, next);
                if (sides_[entered] & way.side) continue;
                way.best = std::min(way.best, out_[entered] + level_[next] - level_[entered] + downs + 1);
            }
            later_.push_back(next);
        }
    }

    void climb(Way& way, int start) {
        seen_[start] = stamp_;
        climb_.assign(1, start);
        for (size_t i = 0; i < climb_.size(); ++i) {
            const int cell = climb_[i];
            step_down(way, cell, way.downs);
            for (const int step : maze_.step) {
                const int next = cell + step;
                if (level_[next] <= level_[cell] || seen_[next] == stamp_) continue;
                if (!tree_.dominates(way.rock, next)) way.best = std::min(way.best, level_[next] + way.downs);
                const bool known = tree_.above(next) == way.rock && (sides_[next] & way.side);
                if (known || level_[next] + way.downs + 1 >= way.best || !tree_.dominates(way.rock, next)) continue;
                seen_[next] = stamp_;
                climb_.push_back(next);
            }
        }
    }

    const Maze& maze_;
    const std::vector<int32_t>& level_;
    Dominators tree_;
    std::vector<int32_t> out_;
    std::vector<int32_t> low_;               // by rock: the least out_ of what hangs from it directly
    std::vector<int32_t> high_;              // by cell beside a rock: the least out_ of those that it can climb to
    std::vector<uint8_t> sides_;             // from which sides of the rock above a cell can be climbed to
    std::vector<int32_t> join_, next_join_;  // by rock: a list of the cells that hang from it but are not beside it
    std::vector<int32_t> seen_, now_, later_, climb_;
    int stamp_ = 0;
};

// Cells in order of a number that never falls below what was taken out last.
class Queue {
public:
    void put(int key, int cell) {
        if (static_cast<size_t>(key) >= buckets_.size()) buckets_.resize(key + key / 2 + 64);
        buckets_[key].push_back(cell);
        ++size_;
    }

    bool empty() const { return size_ == 0; }
    int key() {
        while (buckets_[key_].empty()) ++key_;
        return key_;
    }

    int take() {
        const int cell = buckets_[key()].back();
        buckets_[key_].pop_back();
        --size_;
        return cell;
    }

private:
    std::vector<std::vector<int32_t>> buckets_;
    size_t size_ = 0;
    int key_ = 0;
};

int guaranteed_steps(const Maze& maze) {
    const Levels levels = flood(maze);
    Detours detours(maze, levels);
    std::vector<uint8_t> settled(maze.floor.size(), 0), met(maze.floor.size(), 0);
    Queue queue;
    met[maze.exit] = 1;
    queue.put(0, maze.exit);
    while (!queue.empty()) {
        const int steps = queue.key(), cell = queue.take();
        if (settled[cell]) continue;
        if (cell != maze.exit && detours.has_only_way(cell)) {
            const int around = detours.exactly(cell);
            if (around > steps) {
                if (around < kNever) queue.put(around, cell);
                continue;
            }
        }
        if (cell == maze.entrance) return steps;
        settled[cell] = 1;
        for (const int step : maze.step) {
            const int next = cell + step;
            if (!maze.floor[next] || met[next]) continue;
            met[next] = 1;
            const int bound = detours.has_only_way(next) ? std::max(steps + 1, detours.at_least(next)) : steps + 1;
            if (bound < kNever) queue.put(bound, next);
        }
    }
    return -1;
}

}  // namespace

int main() {
    int cases = 0;
    if (std::scanf("%d", &cases) != 1) return 1;
    for (; cases > 0; --cases) std::printf("%d\n", guaranteed_steps(read_maze()));
    return 0;
}
