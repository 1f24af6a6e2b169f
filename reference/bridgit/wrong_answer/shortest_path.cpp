// Fixes the first door of a way from the entrance to the exit that needs the fewest doors.
#include <deque>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Door {
    char kind;
    int i, j, from, to;
    bool closed = false, fixed = false;
};

std::vector<Door> doors;

Door* choose(int rooms, int entrance, int exit) {
    std::vector<std::vector<Door*>> at(rooms);
    for (Door& door : doors)
        if (!door.closed) at[door.from].push_back(&door), at[door.to].push_back(&door);
    std::vector<int> cost(rooms, 1 << 20);
    std::deque<int> queue{exit};
    cost[exit] = 0;
    std::vector<Door*> next(rooms, nullptr);
    while (!queue.empty()) {
        const int room = queue.front();
        queue.pop_front();
        for (Door* door : at[room]) {
            const int other = door->from + door->to - room, total = cost[room] + (door->fixed ? 0 : 1);
            if (total >= cost[other]) continue;
            cost[other] = total;
            next[other] = door;
            door->fixed ? queue.push_front(other) : queue.push_back(other);
        }
    }
    int room = entrance;
    while (next[room]->fixed) room = next[room]->from + next[room]->to - room;
    return next[room];
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
    const int entrance = height * width, exit = entrance + 1;
    auto room = [&](int i, int j) { return j == 0 ? entrance : j > width ? exit : (i - 1) * width + j - 1; };
    for (int i = 1; i <= height; ++i)
        for (int j = 1; j <= width + 1; ++j) doors.push_back({'|', i, j, room(i, j - 1), room(i, j)});
    for (int i = 1; i < height; ++i)
        for (int j = 1; j <= width; ++j) doors.push_back({'-', i, j, room(i, j), room(i + 1, j)});
    for (bool my_move = first;; my_move = true) {
        if (my_move) {
            Door* door = choose(height * width + 2, entrance, exit);
            door->fixed = true;
            std::cout << door->kind << ' ' << door->i << ' ' << door->j << std::endl;
        }
        char kind;
        int i, j;
        if (!(std::cin >> kind >> i >> j) || kind == 'a' || kind == 'w') return 0;
        for (Door& door : doors)
            if (door.kind == kind && door.i == i && door.j == j) door.closed = true;
    }
}
