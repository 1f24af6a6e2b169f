"""BUG: never asks whether the three given queens attack each other."""

import sys


def is_safe(squares, square):
    """Whether a queen on this square is attacked by none on the board."""
    for other in range(64):
        if other != square and squares[other] == "Q":
            down, right = other // 8 - square // 8, other % 8 - square % 8
            if down == 0 or right == 0 or abs(down) == abs(right):
                return False
    return True


def decide(squares, square, missing):
    """Whether `missing` more queens, the given ones included, fit on the squares from this one on; places them."""
    if square == 64:
        return missing == 0
    if squares[square] == "Q":
        return decide(squares, square + 1, missing - 1)
    if missing and is_safe(squares, square):
        squares[square] = "Q"
        if decide(squares, square + 1, missing - 1):
            return True
        squares[square] = "."
    return decide(squares, square + 1, missing)


def answer(text):
    """What to print for this input."""
    squares = list("".join(text.split()))
    if not decide(squares, 0, 8):
        return "No Answer"
    return "\n".join("".join(squares[row : row + 8]) for row in range(0, 64, 8))


if __name__ == "__main__":
    print(answer(sys.stdin.read()))
