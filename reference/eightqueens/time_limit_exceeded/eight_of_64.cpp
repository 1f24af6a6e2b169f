// Looks at every choice of eight squares, whatever is given, and drops those that lack a given queen: 4,426,165,368.
#include <iostream>
#include <string>

namespace {

std::string squares;
int queens[8];

bool is_answer() {
    unsigned rows = 0, columns = 0, rising = 0, falling = 0, kept = 0;
    for (int square : queens) {
        const int row = square / 8, column = square % 8;
        rows |= 1u << row, columns |= 1u << column;
        rising |= 1u << (row + column), falling |= 1u << (row - column + 7);
        kept += squares[square] == 'Q';
    }
    return kept == 3 && rows == 255 && columns == 255 && __builtin_popcount(rising) == 8 &&
           __builtin_popcount(falling) == 8;
}

bool choose(int count, int from) {
    if (count == 8) return is_answer();
    for (int square = from; square < 64; ++square) {
        queens[count] = square;
        if (choose(count + 1, square + 1)) return true;
    }
    return false;
}

}  // namespace

int main() {
    for (std::string row; std::cin >> row;) squares += row;
    if (!choose(0, 0)) {
        std::cout << "No Answer\n";
        return 0;
    }
    for (int square : queens) squares[square] = 'Q';
    for (int row = 0; row < 8; ++row) std::cout << squares.substr(8 * row, 8) << '\n';
}
