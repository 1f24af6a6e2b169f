// Right, but searches the whole game at every move, without any memory; hopeless beyond a dozen doors.
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace {

enum State { undecided, fixed, closed };

struct Door {
    char kind;
    int i, j, from, to;
    State state = undecided;
};

std::vector<Door> doors;
int rooms;

int find(std::vector<int>& above, int x) { return above[x] == x ? x : above[x] = find(above, above[x]); }

bool joined(bool undecided_too) {
    std::vector<int> above(rooms);
    std::iota(above.begin(), above.end(), 0);
    for (const Door& door : doors)
        if (door.state == fixed || (undecided_too && door.state == undecided))
            above[find(above, door.from)] = find(above, door.to);
    return find(above, rooms - 2) == find(above, rooms - 1);
}

bool wins(bool my_move);

bool wins_after(Door& door, bool my_move) {
    door.state = my_move ? fixed : closed;
    const bool result = wins(!my_move);
    door.state = undecided;
    return result;
}

bool wins(bool my_move) {
    if (joined(false)) return true;
    if (!joined(true)) return false;
    for (Door& door : doors)
        if (door.state == undecided && wins_after(door, my_move) == my_move) return my_move;
    return !my_move;
}

Door* choose() {
    Door* any = nullptr;
    for (Door& door : doors) {
        if (door.state != undecided) continue;
        any = &door;
        if (wins_after(door, true)) return &door;
    }
    return any;
}

}  // namespace

int main() {
    int height, width;
    std::string mover;
    std::cin >> height >> width >> mover;
    const bool first = mover == "First";
    if (height < width + (first ? 1 : 2)) {
        std::cout << "No" << std::endl;
        return 0;
    }
    std::cout << "Yes" << std::endl;
    const int entrance = height * width;
    rooms = entrance + 2;
    auto room = [&](int i, int j) { return j == 0 ? entrance : j > width ? entrance + 1 : (i - 1) * width + j - 1; };
    for (int i = 1; i <= height; ++i)
        for (int j = 1; j <= width + 1; ++j) doors.push_back({'|', i, j, room(i, j - 1), room(i, j)});
    for (int i = 1; i < height; ++i)
        for (int j = 1; j <= width; ++j) doors.push_back({'-', i, j, room(i, j), room(i + 1, j)});
    for (bool my_move = first;; my_move = true) {
        if (my_move) {
            Door* door = choose();
            door->state = fixed;
            std::cout << door->kind << ' ' << door->i << ' ' << door->j << std::endl;
        }
        char kind;
        int i, j;
        if (!(std::cin >> kind >> i >> j) || kind == 'a' || kind == 'w') return 0;
        for (Door& door : doors)
            if (door.kind == kind && door.i == i && door.j == j) door.state = closed;
    }
}
