// BUG: keeps one of two given queens in a row and leaves the other standing.
#include <iostream>
#include <string>

namespace {

std::string board[8];
int taken_columns, taken_rising, taken_falling;

bool place(int row) {
    if (row == 8) return true;
    const bool is_given = board[row].find('Q') != std::string::npos;
    for (int column = 0; column < 8; ++column) {
        if (is_given && board[row][column] != 'Q') continue;
        const int in_column = 1 << column, rising = 1 << (row + column), falling = 1 << (row - column + 7);
        if ((taken_columns & in_column) || (taken_rising & rising) || (taken_falling & falling)) continue;
        taken_columns ^= in_column, taken_rising ^= rising, taken_falling ^= falling;
        board[row][column] = 'Q';
        if (place(row + 1)) return true;
        if (!is_given) board[row][column] = '.';
        taken_columns ^= in_column, taken_rising ^= rising, taken_falling ^= falling;
    }
    return false;
}

}  // namespace

int main() {
    for (auto& row : board) std::cin >> row;
    if (!place(0)) {
        std::cout << "No Answer\n";
        return 0;
    }
    for (const auto& row : board) std::cout << row << '\n';
}
