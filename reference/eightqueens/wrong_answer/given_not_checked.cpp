// BUG: never asks whether the three given queens attack each other.
#include <iostream>
#include <string>

namespace {

std::string squares;

// Whether a queen on this square is attacked by none on the board.
bool is_safe(int square) {
    for (int other = 0; other < 64; ++other) {
        if (other == square || squares[other] != 'Q') continue;
        const int down = other / 8 - square / 8, right = other % 8 - square % 8;
        if (down == 0 || right == 0 || down == right || down == -right) return false;
    }
    return true;
}

// Whether `missing` more queens, the given ones included, fit on the squares from this one on.
bool decide(int square, int missing) {
    if (square == 64) return missing == 0;
    if (squares[square] == 'Q') return decide(square + 1, missing - 1);
    if (missing > 0 && is_safe(square)) {
        squares[square] = 'Q';
        if (decide(square + 1, missing - 1)) return true;
        squares[square] = '.';
    }
    return decide(square + 1, missing);
}

}  // namespace

int main() {
    for (std::string row; std::cin >> row;) squares += row;
    if (!decide(0, 8)) {
        std::cout << "No Answer\n";
        return 0;
    }
    for (int row = 0; row < 8; ++row) std::cout << squares.substr(8 * row, 8) << '\n';
}
