// Answers with the first free door of the colour that was just closed, whether it joins anything or not.
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Door {
    char kind;
    int i, j, from, to;
    bool closed = false, fixed = false;
    int colour() const { return (i + j) % 2; }
};

int height, width, last_closed = 0;
std::vector<Door> doors;

int room(int i, int j) {
    if (j == 0) return height * width;
    if (j > width) return height * width + 1;
    return (i - 1) * width + j - 1;
}

Door* choose() {
    for (Door& door : doors)
        if (!door.fixed && !door.closed && door.colour() == (last_closed % 2)) return &door;
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
            door->fixed = true;
            std::cout << door->kind << ' ' << door->i << ' ' << door->j << std::endl;
        }
        char kind;
        int i, j;
        if (!(std::cin >> kind >> i >> j) || kind == 'a' || kind == 'w') return 0;
        for (Door& door : doors)
            if (door.kind == kind && door.i == i && door.j == j) door.closed = true, last_closed = i + j;
    }
}
