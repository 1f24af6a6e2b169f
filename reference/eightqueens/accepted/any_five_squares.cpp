// Adds every choice of five squares to the three queens and looks at the board only then: 5,949,147 boards.
#include <iostream>
#include <string>

namespace {

std::string squares;
int queens[8];

bool is_peaceful() {
    unsigned rows = 0, columns = 0, rising = 0, falling = 0;
    for (int square : queens) {
        const int row = square / 8, column = square % 8;
        rows |= 1u << row, columns |= 1u << column;
        rising |= 1u << (row + column), falling |= 1u << (row - column + 7);
    }
    return rows == 255 && columns == 255 && __builtin_popcount(rising) == 8 && __builtin_popcount(falling) == 8;
}

bool add(int count, int from) {
    if (count == 8) return is_peaceful();
    for (int square = from; square < 64; ++square) {
        if (squares[square] == 'Q') continue;
        queens[count] = square;
        if (add(count + 1, square + 1)) return true;
    }
    return false;
}

}  // namespace

int main() {
    for (std::string row; std::cin >> row;) squares += row;
    int given = 0;
    for (int square = 0; square < 64; ++square) {
        if (squares[square] == 'Q') queens[given++] = square;
    }
    if (!add(given, 0)) {
        std::cout << "No Answer\n";
        return 0;
    }
    for (int square : queens) squares[square] = 'Q';
    for (int row = 0; row < 8; ++row) std::cout << squares.substr(8 * row, 8) << '\n';
    return 0;
}
