// Right, but takes `a 0 0` for a door that needs no answer, and plays on.
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace {

struct Door {
    char kind;
    int i, j, from, to;
    bool closed = false, fixed = false;
    int colour() const { return (i + j) % 2; }
};

struct UnionFind {
    std::vector<int> above;
    explicit UnionFind(int size) : above(size) { std::iota(above.begin(), above.end(), 0); }
    int find(int x) { return above[x] == x ? x : above[x] = find(above[x]); }
    void join(int x, int y) { above[find(x)] = find(y); }
};

int height, width;
std::vector<Door> doors;

int room(int i, int j) {
    if (j == 0) return height * width;
    if (j > width) return height * width + 1;
    return (i - 1) * width + j - 1;
}

// A door of the other colour that joins two parts which the fixed doors and the open ones of `colour` leave apart.
Door* joining(int colour) {
    UnionFind parts(height * width + 2);
    for (const Door& door : doors)
        if (door.fixed || (!door.closed && door.colour() == colour)) parts.join(door.from, door.to);
    for (Door& door : doors)
        if (!door.fixed && !door.closed && parts.find(door.from) != parts.find(door.to)) return &door;
    return nullptr;
}

Door* choose() {
    for (int colour : {0, 1})
        if (Door* door = joining(colour)) return door;
    for (Door& door : doors)
        if (!door.fixed && !door.closed) return &door;
    return nullptr;
}

}  // namespace

int main() {
    std::string mover;
    std::cin >> height >> width >> mover;
    const bool first = mover == "First";
    if (height < width + (first ? 1 : 2)) {
        std::cout << "No" << std::endl;
        return 0;
    }
    std::cout << "Yes" << std::endl;
    for (int i = 1; i <= height; ++i)
        for (int j = 1; j <= width + 1; ++j) doors.push_back({'|', i, j, room(i, j - 1), room(i, j)});
    for (int i = 1; i < height; ++i)
        for (int j = 1; j <= width; ++j) doors.push_back({'-', i, j, room(i, j), room(i + 1, j)});
    for (bool my_move = first;; my_move = true) {
        if (my_move) {
            Door* door = choose();
            if (!door) return 0;
            door->fixed = true;
            std::cout << door->kind << ' ' << door->i << ' ' << door->j << std::endl;
        }
        char kind;
        int i, j;
        if (!(std::cin >> kind >> i >> j)) return 0;
        for (Door& door : doors)
            if (door.kind == kind && door.i == i && door.j == j) door.closed = true;
    }
}
