// BUG: keeps all 8^8 boards with one queen a row before it looks at the first: 128 MiB and more.
#include <array>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string given[8];
    for (auto& row : given) std::cin >> row;
    std::vector<std::array<char, 8>> boards;
    for (int code = 0; code < 1 << 24; ++code) {
        std::array<char, 8> board;
        for (int row = 0; row < 8; ++row) board[row] = code >> (3 * row) & 7;
        boards.push_back(board);
    }
    for (const auto& board : boards) {
        int columns = 0, rising = 0, falling = 0, kept = 0;
        for (int row = 0; row < 8; ++row) {
            columns |= 1 << board[row];
            rising |= 1 << (row + board[row]);
            falling |= 1 << (row - board[row] + 7);
            kept += given[row][board[row]] == 'Q';
        }
        if (kept < 3 || columns != 255 || __builtin_popcount(rising) != 8 || __builtin_popcount(falling) != 8) continue;
        for (int row = 0; row < 8; ++row) {
            std::string line(8, '.');
            line[board[row]] = 'Q';
            std::cout << line << '\n';
        }
        return 0;
    }
    std::cout << "No Answer\n";
}
