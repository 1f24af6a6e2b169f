// BUG: makes a table of all boards first, and counts them from 0: the last of the 92 is not in it.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

constexpr int kLast = 91;

std::string boards[kLast];  // the columns of the queens, row by row

bool is_peaceful(const std::string& columns) {
    for (int row = 0; row < 8; ++row)
        for (int above = 0; above < row; ++above)
            if (std::abs(columns[row] - columns[above]) == row - above) return false;
    return true;
}

void make_table() {
    std::string columns = "01234567";
    int found = 0;
    do {
        if (is_peaceful(columns)) boards[found++] = columns;
    } while (found < kLast && std::next_permutation(columns.begin(), columns.end()));
}

}  // namespace

int main() {
    make_table();
    std::string rows[8];
    for (std::string& row : rows) std::cin >> row;
    for (const std::string& columns : boards) {
        bool fits = true;
        for (int row = 0; row < 8; ++row)
            for (int column = 0; column < 8; ++column)
                if (rows[row][column] == 'Q' && columns[row] != '0' + column) fits = false;
        if (!fits) continue;
        for (const char column : columns) std::cout << std::string(column - '0', '.') << 'Q' << std::string('7' - column, '.') << '\n';
        return 0;
    }
    std::cout << "No Answer\n";
}
