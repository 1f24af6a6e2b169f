// Every open door is a resistor, a fixed one next to none; fixes the door with the most current between entrance and
// exit. Strong, but it is no proof. The levels are exact: rooms by columns give a band matrix, solved by LDL'.
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Door {
    char kind;
    int i, j, from, to;
    bool closed = false, fixed = false;
    double conductance() const { return closed ? 0 : fixed ? 1e6 : 1; }
};

int height, width;
std::vector<Door> doors;

int entrance() { return height * width; }
int room(int i, int j) {
    if (j == 0) return entrance();
    return j > width ? entrance() + 1 : (j - 1) * height + i - 1;
}

std::vector<double> levels() {
    const int size = height * width, band = height;
    // below[v][d]: the entry in row v, column v - d
    std::vector<std::vector<double>> below(size, std::vector<double>(band + 1, 0.0));
    std::vector<double> value(size + 2, 0.0);
    for (int v = 0; v < size; ++v) below[v][0] = 1e-9;
    for (const Door& door : doors) {
        const int low = std::min(door.from, door.to), high = std::max(door.from, door.to);
        const double g = door.conductance();
        if (low >= size) continue;
        below[low][0] += g;
        if (high < size) below[high][0] += g, below[high][high - low] -= g;
        if (high == entrance()) value[low] += g;
    }
    for (int v = 0; v < size; ++v) {
        for (int d = std::min(v, band); d >= 1; --d) {
            const int c = v - d;
            double sum = below[v][d];
            for (int e = d + 1; e <= std::min(v, band); ++e)
                if (e - d <= band) sum -= below[v][e] * below[c][e - d] * below[v - e][0];
            below[v][d] = sum / below[c][0];
        }
        for (int d = 1; d <= std::min(v, band); ++d) below[v][0] -= below[v][d] * below[v][d] * below[v - d][0];
    }
    for (int v = 0; v < size; ++v)
        for (int d = 1; d <= std::min(v, band); ++d) value[v] -= below[v][d] * value[v - d];
    for (int v = 0; v < size; ++v) value[v] /= below[v][0];
    for (int v = size - 1; v >= 0; --v)
        for (int d = 1; d <= band && v + d < size; ++d) value[v] -= below[v + d][d] * value[v + d];
    value[entrance()] = 1.0;
    return value;
}

Door* choose() {
    const std::vector<double> level = levels();
    Door* best = nullptr;
    double most = -1;
    for (Door& door : doors) {
        const double current = std::abs(level[door.from] - level[door.to]);
        if (!door.closed && !door.fixed && current > most + 1e-9) most = current, best = &door;
    }
    return best;
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
            if (door.kind == kind && door.i == i && door.j == j) door.closed = true;
    }
}
