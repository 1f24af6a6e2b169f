"""BUG: moves the queens about at random until the board is peaceful, for ever where no board is."""

import random
import sys

rows = sys.stdin.read().split()
given = {row: rows[row].index("Q") for row in range(8) if "Q" in rows[row]}
free_columns = [column for column in range(8) if column not in given.values()]
random.seed(1)
while True:
    random.shuffle(free_columns)
    rest = iter(free_columns)
    columns = [given[row] if row in given else next(rest, 0) for row in range(8)]
    if len({row + column for row, column in enumerate(columns)}) < 8:
        continue
    if len({row - column for row, column in enumerate(columns)}) == 8 and len(set(columns)) == 8:
        break
for column in columns:
    print("." * column + "Q" + "." * (7 - column))
