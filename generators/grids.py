"""Families of grids, shared by the problems on grids. Each docstring says what the family breaks.

A grid is a flat bytearray of rows·cols cells, row by row, `.` floor and `#` wall. A family is a function
(rows, cols, rng, **options) -> grid. Bits come from `rng.getrandbits` only, so that the same seed gives the same bytes
on every Python from 3.9. Rows, columns and rectangles are written as slices: a cell at a time would cost a second.
"""

FLOOR = b"."
WALL = b"#"
TO_CELLS = bytes.maketrans(b"01", FLOOR + WALL)


def filled(rows, cols, cell):
    """A grid of one kind of cell."""
    return bytearray(cell * (rows * cols))


def paint(grid, cols, top, left, height, width, cell):
    """Fill a rectangle; the longer side goes slice by slice."""
    if height > width:
        for column in range(left, left + width):
            grid[top * cols + column : (top + height) * cols : cols] = cell * height
    else:
        for row in range(top, top + height):
            grid[row * cols + left : row * cols + left + width] = cell * width


def below(rng, bound):
    """An integer, 0 ≤ value < bound, by rejection from raw bits."""
    bits = bound.bit_length()
    value = rng.getrandbits(bits)
    while value >= bound:
        value = rng.getrandbits(bits)
    return value


def shuffled(rng, items):
    """A new list of the items in random order (Fisher and Yates)."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = below(rng, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def random_bytes(rng, count):
    """`count` bytes."""
    return rng.getrandbits(8 * count).to_bytes(count, "little") if count else b""


def open_field(rows, cols, rng):
    """No wall: the largest answers (32-bit sums), the deepest recursion, the most states."""
    return filled(rows, cols, FLOOR)


def spiral(rows, cols, rng):
    """One corridor that winds inwards: recursion depth, every cell an articulation point."""
    grid = filled(rows, cols, WALL)
    row, column, height, width = 0, -1, rows - 1, cols
    while True:
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            length = width if right else height
            if length <= 0:
                return grid
            top, left = min(row + down, row + down * length), min(column + right, column + right * length)
            paint(grid, cols, top, left, length if down else 1, length if right else 1, FLOOR)
            row, column = row + down * length, column + right * length
            if right:
                width -= 1 if width == cols else 2
            else:
                height -= 2


def snake(rows, cols, rng, closed=0):
    """One corridor to and fro: recursion depth, components of every size.

    `closed` joins its ends to one long cycle: ways up a tree or a union-find that are walked again and again.
    """
    grid = filled(rows, cols, WALL)
    rows = (rows + 1) // 4 * 4 - 1 if closed else rows  # an even number of lines, so that the last one leads back
    for row in range(0, rows, 2):
        paint(grid, cols, row, 0, 1, cols, FLOOR)
    for row in range(1, rows, 2):
        grid[row * cols + (cols - 1 if row % 4 == 1 else 0)] = FLOOR[0]
    if closed and rows > 0 and cols > 2:
        paint(grid, cols, 1, 1, rows - 2, 1, WALL)
        paint(grid, cols, 1, 0, rows - 2, 1, FLOOR)
        for row in range(3, rows, 4):
            grid[row * cols + 2] = FLOOR[0]
    return grid


def comb(rows, cols, rng, spine=0):
    """Teeth on a spine: starting from one side of the goal only, sizes of the parts that a box cuts off."""
    grid = filled(rows, cols, WALL)
    spine = min(spine, rows - 1)
    paint(grid, cols, spine, 0, 1, cols, FLOOR)
    for column in range(0, cols, 2):
        paint(grid, cols, 0, column, rows, 1, FLOOR)
    return grid


def double_comb(rows, cols, rng):
    """Teeth up and down from a spine in the middle: a box on the spine has up to four sides that do not meet."""
    return comb(rows, cols, rng, spine=rows // 2)


def pillars(rows, cols, rng):
    """A wall at every odd row and column: many small faces, no articulation point."""
    even = FLOOR * cols
    odd = (FLOOR + WALL) * (cols // 2) + FLOOR * (cols % 2)
    return bytearray(b"".join(odd if row % 2 else even for row in range(rows)))


def rooms(rows, cols, rng, period=10, loops=0, chain=0):
    """Rooms of 9×9 joined into a tree by doors one cell wide: `low <= dis`, boxes pulled through a door.

    Each room has a door to the room above or to the left; in `loops` percent of the rooms to both. `chain`: one room
    leads to the next, to and fro; a box gets everywhere, and in each door it parts long ways from long ways.
    """
    grid = filled(rows, cols, FLOOR)
    for row in range(period - 1, rows, period):
        paint(grid, cols, row, 0, 1, cols, WALL)
    for column in range(period - 1, cols, period):
        paint(grid, cols, 0, column, rows, 1, WALL)
    for top in range(0, rows, period):
        for left in range(0, cols, period):
            size = (min(period - 1, rows - top), min(period - 1, cols - left))
            if chain:
                first = (cols - 1) // period * period if top // period % 2 else 0
                _open_door_behind(grid, cols, top, left, size, upwards=left == first)
            else:
                _open_doors(grid, cols, top, left, size, loops, rng)
    return grid


def _open_door_behind(grid, cols, top, left, size, upwards):
    """In the middle of the wall on the left, and of the one above: a box along a wall never leaves it."""
    height, width = size
    if height and width and upwards and top:
        grid[(top - 1) * cols + left + width // 2] = FLOOR[0]
    if height and width and left:
        grid[(top + height // 2) * cols + left - 1] = FLOOR[0]


def _open_doors(grid, cols, top, left, size, loops, rng):
    height, width = size
    both = below(rng, 100) < loops
    upwards = rng.getrandbits(1)
    if top and height and width and (both or upwards or not left):
        grid[(top - 1) * cols + left + below(rng, width)] = FLOOR[0]
    if left and height and width and (both or not upwards or not top):
        grid[(top + below(rng, height)) * cols + left - 1] = FLOOR[0]


def bridges(rows, cols, rng, hall=7, length=3):
    """Halls as wide as the grid, joined by straight bridges one cell wide: chains of articulation points."""
    grid = filled(rows, cols, FLOOR)
    for top in range(hall, rows, hall + length):
        height = min(length, rows - top)
        paint(grid, cols, top, 0, height, cols, WALL)
        paint(grid, cols, top, below(rng, cols), height, 1, FLOOR)
    return grid


def islands(rows, cols, rng, period=7):
    """Floor that the goal cannot reach: pockets shut by diagonal walls in a sea, and a far shore behind a wall.

    Breaks counting unreachable floor, and floods that slip through diagonals.
    """
    grid = filled(rows, cols, FLOOR)
    for top in range(1, rows - 3, period):
        for left in range(1, cols - 3, period):
            _pocket(grid, cols, top, left, rng.getrandbits(1))
    shore = rows - rows // 4 - 1
    if rows > 1:
        paint(grid, cols, shore, 0, 1, cols, WALL)
    return grid


def _pocket(grid, cols, top, left, slanted):
    middle = top * cols + left
    for cell in (middle + 1, middle + cols, middle + cols + 2, middle + 2 * cols + 1):
        grid[cell] = WALL[0]
    if slanted:  # a corner makes it a wall of another outline
        grid[middle] = WALL[0]


def random_field(rows, cols, rng, density=20):
    """Walls drawn by lot, `density` percent: all kinds of articulation points, stray unreachable cells."""
    bound = density * 256 // 100
    table = WALL * bound + FLOOR * (256 - bound)
    return bytearray(random_bytes(rng, rows * cols).translate(table))


def maze(rows, cols, rng):
    """A perfect maze on the even cells: a tree of corridors, every inner cell an articulation point."""
    grid = filled(rows, cols, WALL)
    nodes = (cols + 1) // 2
    for row in range(0, rows, 2):
        # each node opens upwards (0) or to the left (1); the first row and the first column have no choice
        leftwards = b"0" + _coins(rng, nodes - 1) if row else b"1" * nodes
        grid[row * cols : (row + 1) * cols : 2] = FLOOR * nodes
        grid[row * cols + 1 : row * cols + 2 * nodes - 2 : 2] = leftwards[1:].translate(_LEFT_DOOR)
        if row:
            grid[(row - 1) * cols : row * cols : 2] = leftwards.translate(_UP_DOOR)
    return grid


_LEFT_DOOR = bytes.maketrans(b"01", WALL + FLOOR)
_UP_DOOR = bytes.maketrans(b"01", FLOOR + WALL)
_COIN = b"01" * 128


def _coins(rng, count):
    return random_bytes(rng, count).translate(_COIN)


def hilbert(rows, cols, rng):
    """One corridor along a Hilbert curve: recursion depth with a bend at every other cell, poor memory locality."""
    grid = filled(rows, cols, WALL)
    order = max((min(rows, cols) + 1).bit_length() - 2, 0)
    steps = {ord(b"r"): 1, ord(b"d"): cols, ord(b"l"): -1, ord(b"u"): -cols}
    place = 0
    grid[place] = FLOOR[0]
    for move in _hilbert_moves(order):
        grid[place + steps[move]] = FLOOR[0]
        place += 2 * steps[move]
        grid[place] = FLOOR[0]
    return grid


_TRANSPOSED = bytes.maketrans(b"rdlu", b"drul")
_TRANSPOSED_BACK = bytes.maketrans(b"rdlu", b"uldr")


def _hilbert_moves(order):
    """The moves right, down, left, up of the curve over 2^order × 2^order nodes, upper left to upper right."""
    moves = b""
    for _ in range(order):
        moves = (
            moves.translate(_TRANSPOSED) + b"d" + moves + b"r" + moves + b"u" + moves.translate(_TRANSPOSED_BACK)
        )
    return moves


def tiny(rows, cols, rng, walls=0):
    """The grid whose bit i of `walls` says that cell i is a wall: all small grids, one by one."""
    bits = f"{walls:0{rows * cols}b}".encode()
    return bytearray(bits[::-1].translate(TO_CELLS))


FAMILIES = {
    "open": open_field,
    "spiral": spiral,
    "snake": snake,
    "comb": comb,
    "double-comb": double_comb,
    "pillars": pillars,
    "rooms": rooms,
    "bridges": bridges,
    "islands": islands,
    "random": random_field,
    "maze": maze,
    "hilbert": hilbert,
    "tiny": tiny,
}
