// Plays from two edge-disjoint spanning trees, found by matroid union; knows nothing of grids. The right to move first
// counts as one more edge from entrance to exit, which the opponent removes at once.
#include <algorithm>
#include <iostream>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct Edge {
    int from, to;
};

class TwoTrees {
public:
    TwoTrees(int vertices, std::vector<Edge> edges) : vertices_(vertices), edges_(std::move(edges)) {
        in_[0].assign(edges_.size(), false);
        in_[1].assign(edges_.size(), false);
        size_t held = 0;
        for (size_t e = 0; e < edges_.size(); ++e) held += insert(static_cast<int>(e));
        spanning_ = held == 2 * (static_cast<size_t>(vertices_) - 1);
    }

    bool spanning() const { return spanning_; }

    // The opponent removes an edge. Returns an edge of the other tree that makes up for it, or -1.
    int answer(int removed) {
        for (int tree : {0, 1}) {
            if (!in_[tree][removed]) continue;
            in_[tree][removed] = false;
            const std::vector<int> part = reach(tree, edges_[removed].from);
            for (size_t e = 0; e < edges_.size(); ++e)
                if (in_[1 - tree][e] && (part[edges_[e].from] == -2) != (part[edges_[e].to] == -2))
                    return in_[tree][e] = true, static_cast<int>(e);  // an edge of both trees is fixed
        }
        return -1;
    }

    // A move for nothing: this edge, too, becomes part of both trees, and takes the place of another.
    void gift(int edge) {
        for (int tree : {0, 1}) {
            if (in_[tree][edge]) continue;
            const std::vector<int> arrival = reach(tree, edges_[edge].from);
            int at = edges_[edge].to;
            while (arrival[at] >= 0 && in_[1 - tree][arrival[at]])
                at = edges_[arrival[at]].from + edges_[arrival[at]].to - at;
            if (arrival[at] >= 0) in_[tree][arrival[at]] = false;
            in_[tree][edge] = true;
        }
    }

private:
    // Per vertex the edge by which a walk from `start` through one tree arrives; -1 at the start, -2 if not reached.
    std::vector<int> reach(int tree, int start) const {
        std::vector<std::vector<std::pair<int, int>>> links(vertices_);
        for (size_t e = 0; e < edges_.size(); ++e) {
            if (!in_[tree][e]) continue;
            links[edges_[e].from].emplace_back(e, edges_[e].to);
            links[edges_[e].to].emplace_back(e, edges_[e].from);
        }
        std::vector<int> arrival(vertices_, -2);
        std::queue<int> queue;
        arrival[start] = -1;
        for (queue.push(start); !queue.empty(); queue.pop())
            for (auto [e, next] : links[queue.front()])
                if (arrival[next] == -2) arrival[next] = e, queue.push(next);
        return arrival;
    }

    // Matroid union: one more edge, others moved to the other tree along a shortest chain.
    bool insert(int newcomer) {
        std::vector<int> wanted_by(edges_.size(), -1);
        std::vector<bool> seen(edges_.size(), false);
        std::queue<int> queue;
        seen[newcomer] = true;
        for (queue.push(newcomer); !queue.empty(); queue.pop()) {
            const int e = queue.front();
            for (int tree : {0, 1}) {
                if (in_[tree][e]) continue;
                const std::vector<int> arrival = reach(tree, edges_[e].from);
                if (arrival[edges_[e].to] == -2) {
                    move(e, tree, wanted_by);
                    return true;
                }
                for (int at = edges_[e].to; at != edges_[e].from;) {
                    const int other = arrival[at];
                    if (!seen[other]) seen[other] = true, wanted_by[other] = e, queue.push(other);
                    at = edges_[other].from + edges_[other].to - at;
                }
            }
        }
        return false;
    }

    void move(int e, int tree, const std::vector<int>& wanted_by) {
        while (e >= 0) {
            const int left = in_[0][e] ? 0 : in_[1][e] ? 1 : -1;
            if (left >= 0) in_[left][e] = false;
            in_[tree][e] = true;
            e = wanted_by[e];
            tree = left;
        }
    }

    int vertices_;
    std::vector<Edge> edges_;
    std::vector<bool> in_[2];
    bool spanning_ = false;
};

using Name = std::tuple<char, int, int>;

}  // namespace

int main() {
    int height, width;
    std::string mover;
    std::cin >> height >> width >> mover;
    const bool first = mover == "First";
    const int entrance = height * width, exit = entrance + 1;
    auto room = [&](int i, int j) { return j == 0 ? entrance : j > width ? exit : (i - 1) * width + j - 1; };
    std::vector<Name> names;
    std::vector<Edge> edges;
    std::map<Name, int> number;
    auto add = [&](char kind, int i, int j, int from, int to) {
        number[{kind, i, j}] = static_cast<int>(names.size());
        names.emplace_back(kind, i, j);
        edges.push_back({from, to});
    };
    for (int i = 1; i <= height; ++i)
        for (int j = 1; j <= width + 1; ++j) add('|', i, j, room(i, j - 1), room(i, j));
    for (int i = 1; i < height; ++i)
        for (int j = 1; j <= width; ++j) add('-', i, j, room(i, j), room(i + 1, j));
    if (first) edges.push_back({entrance, exit});

    TwoTrees trees(height * width + 2, edges);
    if (!trees.spanning()) {
        std::cout << "No" << std::endl;
        return 0;
    }
    std::cout << "Yes" << std::endl;
    std::vector<bool> decided(names.size(), false);
    auto fix = [&](int e) {
        if (e < 0) {
            e = static_cast<int>(std::find(decided.begin(), decided.end(), false) - decided.begin());
            trees.gift(e);
        }
        decided[e] = true;
        auto [kind, i, j] = names[e];
        std::cout << kind << ' ' << i << ' ' << j << std::endl;
    };
    if (first) fix(trees.answer(static_cast<int>(names.size())));
    char kind;
    int i, j;
    while (std::cin >> kind >> i >> j && kind != 'a' && kind != 'w') {
        const int closed = number.at({kind, i, j});
        decided[closed] = true;
        fix(trees.answer(closed));
    }
    return 0;
}
