"""O(MN) by low-links, in plain Python: flat lists, no tuples, no recursion.

A cell is a number; the newline at the end of a row serves as the wall between rows, so the input is the grid. The search
marks cells with the time of discovery, walls with NEVER, so that no test for walls is needed beside that for marks.
"""

import sys

NEVER = 1 << 30
WALL = ord("#")
DONE, FRESH, CUTTING = range(3)  # what a cell still is to a box
TO_FLOOR = bytes(int(byte in b".X") for byte in range(256))


def grid_of(text):
    """The cells with a margin of wall, and the distance between rows."""
    header, body = text.split(b"\n", 1)
    stride = int(header.split()[1]) + 1
    margin = b"#" * stride
    return margin + body.rstrip(b"\n").replace(b"\n", b"#") + b"#" + margin, stride


def depth_first(cells, stride, goal):
    """Cells in order of discovery, their parents (by cell), their times of discovery (by cell, from 1)."""
    time = [NEVER if cell == WALL else 0 for cell in cells]
    parent = [0] * len(cells)
    found = []
    stack = [goal]
    note, push, pop = found.append, stack.append, stack.pop
    now = 0
    while stack:
        cell = pop()
        while not time[cell]:
            now += 1
            time[cell] = now
            note(cell)
            # A cell may lie on the stack more than once; the last that pushed it is its parent when it is popped.
            beside = cell - stride
            if not time[beside]:
                parent[beside] = cell
                push(beside)
            beside = cell + stride
            if not time[beside]:
                parent[beside] = cell
                push(beside)
            beside = cell - 1
            if not time[beside]:
                parent[beside] = cell
                push(beside)
            beside = cell + 1
            if time[beside]:
                break
            parent[beside] = cell
            cell = beside
    return found, parent, time


def cut_children(found, parent, time, stride):
    """For each cell that cuts something off: {child whose subtree is cut off: size of that subtree}."""
    cuts = {}
    low = time[:]
    size = [1] * len(time)
    for cell in reversed(found):
        least = low[cell]
        reach = time[cell - stride]
        if reach < least:
            least = reach
        reach = time[cell + stride]
        if reach < least:
            least = reach
        reach = time[cell - 1]
        if reach < least:
            least = reach
        reach = time[cell + 1]
        if reach < least:
            least = reach
        above = parent[cell]
        size[above] += size[cell]
        if least < time[above]:
            if least < low[above]:
                low[above] = least
        elif above in cuts:
            cuts[above][cell] = size[cell]
        else:
            cuts[above] = {cell: size[cell]}
    cuts.pop(0, None)  # the parent of the goal
    return cuts


def parts_without(box, children, parent, time, stride, total):
    """The parts that a box on a cutting cell makes: ({steps to the sides that it touches}, cells other than the goal)."""
    rest = total - 2 - sum(children.values())
    members = {0: []}
    for child in children:
        members[child] = []
    for step in (1, -1, stride, -stride):
        side = box + step
        if time[side] < NEVER:
            members[branch(box, side, children, parent, time, stride)].append(step)
    return [(steps, children.get(child, rest)) for child, steps in members.items()]


def branch(box, side, children, parent, time, stride):
    """The cut child of `box` whose subtree holds `side`; 0 where that is no cut child's."""
    best = 0
    for step in (1, -1, stride, -stride):
        child = box + step
        if parent[child] == box and time[child] <= time[side] and (not best or time[child] > time[best]):
            best = child
    return best if best in children else 0


def take_part(parts, step):
    """Remove the part that touches the side at `step` and return it; nothing if it was taken before."""
    for index, (touched, _) in enumerate(parts):
        if step in touched:
            return parts.pop(index)
    return [], 0


def count_placements(cells, stride):
    """Pull the box from the goal over all (box, part of the floor with the player)."""
    goal = cells.index(b"X")
    found, parent, time = depth_first(cells, stride, goal)
    cuts = cut_children(found, parent, time, stride)
    cuts.setdefault(goal, {})  # a goal walled in
    total = len(found)
    floor = cells.translate(TO_FLOOR)
    fresh = bytearray(floor)
    for box in cuts:
        fresh[box] = CUTTING
    whole = []  # boxes that cut nothing off: one part, to be pulled to all sides
    sided = [4 * goal + side for side in range(4)]  # 4·box + side of the player, for cutting boxes
    steps = (1, -1, stride, -stride)
    parts = {}
    answer = 0
    while sided:
        box, side = divmod(sided.pop(), 4)
        if box not in parts:
            parts[box] = parts_without(box, cuts[box], parent, time, stride, total)
        touched, size = take_part(parts[box], steps[side])
        if box != goal:
            answer += size
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
