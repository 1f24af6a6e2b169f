"""O(MN) without low-links, in plain Python.

A box separates two of its sides exactly when one 8-connected piece of wall is met on both arcs between them. Which walls
stand around each cell is worked out for all cells at once, by shifts of one large integer with a byte for each cell.
"""

import re
import sys

DONE, FRESH, CUTTING = range(3)  # what a cell still is to a box
TO_FLOOR = bytes(int(byte in b".X") for byte in range(256))
NOT = bytes([1, 0]) + bytes(254)


def grid_of(text):
    """The cells with two rows of wall above and below, and the distance between rows."""
    header, body = text.split(b"\n", 1)
    stride = int(header.split()[1]) + 1
    margin = b"#" * (2 * stride)
    return margin + body.rstrip(b"\n").replace(b"\n", b"#") + b"##" + margin, stride


def ring_of(stride):
    """Steps to the eight neighbours, clockwise from the upper one: sides at even places, corners at odd ones."""
    return (-stride, 1 - stride, 1, stride + 1, stride, stride - 1, -1, -stride - 1)


def span(cells, stride, goal):
    """A breadth-first tree: the cells as they are found, their parents (by cell), and the floor that they are (1 in bytes)."""
    fresh = bytearray(cells.translate(TO_FLOOR))
    parent = [0] * len(cells)
    found = [goal]
    note = found.append
    fresh[goal] = 0
    for cell in found:
        beside = cell + 1
        if fresh[beside]:
            fresh[beside] = 0
            parent[beside] = cell
            note(beside)
        beside = cell - 1
        if fresh[beside]:
            fresh[beside] = 0
            parent[beside] = cell
            note(beside)
        beside = cell + stride
        if fresh[beside]:
            fresh[beside] = 0
            parent[beside] = cell
            note(beside)
        beside = cell - stride
        if fresh[beside]:
            fresh[beside] = 0
            parent[beside] = cell
            note(beside)
    reached = int.from_bytes(cells.translate(TO_FLOOR), "little") ^ int.from_bytes(fresh, "little")
    return found, parent, reached.to_bytes(len(cells), "little")


def subtree_sizes(found, parent):
    """By cell."""
    size = [1] * len(parent)
    for cell in reversed(found):
        size[parent[cell]] += size[cell]
    return size


def number_pieces(floor, stride):
    """By cell: the number, from 1, of its 8-connected piece of wall; 0 on floor. The outermost rows stay 0."""
    piece = [0] * len(floor)
    fresh = bytearray(floor.translate(NOT))
    fresh[:stride] = bytes(stride)
    fresh[-stride - 1 :] = bytes(stride + 1)
    ring = ring_of(stride)
    pieces = 0
    start = fresh.find(1)
    while start >= 0:
        pieces += 1
        fresh[start] = 0
        piece[start] = pieces
        stack = [start]
        while stack:
            cell = stack.pop()
            for step in ring:
                beside = cell + step
                if fresh[beside]:
                    fresh[beside] = 0
                    piece[beside] = pieces
                    stack.append(beside)
        start = fresh.find(1, start)
    return piece


def walls_around(floor, stride):
    """By cell, bytes: bit k says that the neighbour at place k of the ring is wall."""
    walls = int.from_bytes(floor.translate(NOT), "little")
    mask = 0
    for place, step in enumerate(ring_of(stride)):
        mask |= (walls >> 8 * step if step > 0 else walls << -8 * step) << place
    return mask.to_bytes(len(floor) + stride + 2, "little")[: len(floor)]


def gaps_by_pattern(stride):
    """By walls around a cell: a step to one wall of each gap between sides on floor; empty if only one gap has a wall.

    The walls of a gap touch each other. A gap without wall is a floor corner, which joins the sides next to it.
    """
    ring = ring_of(stride)
    table = []
    for pattern in range(256):
        sides = [place for place in range(0, 8, 2) if not pattern >> place & 1]
        gaps = []
        for side, following in zip(sides, sides[1:] + [sides[0] + 8] if sides else []):
            walls = [place % 8 for place in range(side + 1, following) if pattern >> place % 8 & 1]
            gaps += walls[:1]
        table.append([ring[place] for place in gaps] if len(gaps) > 1 else [])
    return table


def cutting_cells(floor, piece, stride):
    """The floor cells around which two gaps belong to one piece of wall."""
    around = walls_around(floor, stride)
    gaps = gaps_by_pattern(stride)
    doubtful = int.from_bytes(around.translate(bytes(int(bool(steps)) for steps in gaps)), "little")
    doubtful &= int.from_bytes(floor, "little")
    cutting = []
    for match in re.finditer(b"\1", doubtful.to_bytes(len(floor), "little")):
        cell = match.start()
        steps = gaps[around[cell]]
        if len({piece[cell + step] for step in steps}) < len(steps):
            cutting.append(cell)
    return cutting


def separated(around, first, second):
    """Whether one piece is met on both arcs of the ring (a list of pieces) between two places, first < second."""
    return not set(around[first + 1 : second]).isdisjoint(set(around[second + 1 :] + around[:first]) - {0})


def parts_without(box, piece, parent, size, stride, total):
    """The parts that a cutting box makes: [steps to the sides that it touches, cells other than the goal]."""
    ring = ring_of(stride)
    around = [piece[box + step] for step in ring]
    parts = {}  # by the first place of the ring that belongs to it
    for place in range(0, 8, 2):
        if around[place]:
            continue
        joined = (first for first in parts if not separated(around, first, place))
        part = parts.setdefault(next(joined, place), [[], 0])
        side = box + ring[place]
        part[0].append(ring[place])
        if parent[side] == box:
            part[1] += size[side]
        elif parent[box] == side:
            part[1] += total - size[box] - 1
    return list(parts.values())


def take_part(parts, step):
    """Remove the part that touches the side at `step` and return it; nothing if it was taken before."""
    for index, (touched, _) in enumerate(parts):
        if step in touched:
            return parts.pop(index)
    return [], 0


def count_placements(cells, stride):
    """Pull the box from the goal over all (box, part of the floor with the player)."""
    goal = cells.index(b"X")
    found, parent, floor = span(cells, stride, goal)
    size = subtree_sizes(found, parent)
    piece = number_pieces(floor, stride)
    total = len(found)
    fresh = bytearray(floor)
    for box in cutting_cells(floor, piece, stride):
        fresh[box] = CUTTING
    fresh[goal] = CUTTING
    whole = []  # boxes that cut nothing off: one part, to be pulled to all sides
    sided = [4 * goal + side for side in range(4)]  # 4·box + side of the player, for cutting boxes
    steps = (1, -1, stride, -stride)
    parts = {}
    answer = 0
    while sided:
        box, side = divmod(sided.pop(), 4)
        if box not in parts:
            parts[box] = parts_without(box, piece, parent, size, stride, total)
        touched, count = take_part(parts[box], steps[side])
        if box != goal:
            answer += count
        for step in touched:
            beside = box + step
            if floor[beside + step]:
                if fresh[beside] == FRESH:
                    fresh[beside] = DONE
                    whole.append(beside)
                elif fresh[beside] == CUTTING:
                    sided.append(4 * beside + steps.index(step))
        answer += (total - 2) * pull_whole(whole, sided, fresh, floor, stride)
    return answer


def pull_whole(whole, sided, fresh, floor, stride):
    """Pull the boxes of `whole` on, until only cutting ones (to `sided`) are left to visit; how many boxes were pulled."""
    boxes = 0
    push, pop = whole.append, whole.pop
    while whole:
        box = pop()
        boxes += 1
        beside = box + 1
        if fresh[beside] and floor[box + 2]:
            if fresh[beside] == FRESH:
                fresh[beside] = DONE
                push(beside)
            else:
                sided.append(beside * 4)
        beside = box - 1
        if fresh[beside] and floor[box - 2]:
            if fresh[beside] == FRESH:
                fresh[beside] = DONE
                push(beside)
            else:
                sided.append(beside * 4 + 1)
        beside = box + stride
        if fresh[beside] and floor[beside + stride]:
            if fresh[beside] == FRESH:
                fresh[beside] = DONE
                push(beside)
            else:
                sided.append(beside * 4 + 2)
        beside = box - stride
        if fresh[beside] and floor[beside - stride]:
            if fresh[beside] == FRESH:
                fresh[beside] = DONE
                push(beside)
            else:
                sided.append(beside * 4 + 3)
    return boxes


def main():
    """Read, count, print."""
    print(count_placements(*grid_of(sys.stdin.buffer.read())))


if __name__ == "__main__":
    main()
