"""BUG: walks along the diagonals without asking where the board ends."""

import sys

board = [list(row) for row in sys.stdin.read().split()]


def is_safe(row, column):
    for down, right in ((-1, -1), (-1, 0), (-1, 1)):
        at, across = row + down, column + right
        while at >= 0:
            if board[at][across] == "Q":
                return False
            at, across = at + down, across + right
    return True


def place(row):
    if row == 8:
        return True
    given = "Q" in board[row]
    for column in range(8):
        if given and board[row][column] != "Q":
            continue
        if is_safe(row, column):
            board[row][column] = "Q"
            if place(row + 1):
                return True
            if not given:
                board[row][column] = "."
    return False


print("\n".join("".join(row) for row in board) if place(0) else "No Answer")
