"""Fixes the middle door of a way from the entrance to the exit that needs the fewest doors."""

from collections import deque


def cheapest_way(links, state):
    """The undecided doors of a way from room 0 to room 1 with as few of them as possible."""
    cost, came = {0: 0}, {0: None}
    queue = deque([(0, 0)])
    while queue:
        known, room = queue.popleft()
        if known > cost[room]:
            continue
        for name, other in links[room]:
            if state[name] == "closed":
                continue
            total = known + (state[name] == "undecided")
            if total < cost.get(other, 10**9):
                cost[other], came[other] = total, (name, room)
                (queue.append if total > known else queue.appendleft)((total, other))
    way, room = [], 1
    while came[room]:
        name, room = came[room]
        if state[name] == "undecided":
            way.append(name)
    return way


def main():
    height, width, mover = input().split()
    height, width, first = int(height), int(width), mover == "First"
    if height < width + (1 if first else 2):
        print("No", flush=True)
        return
    print("Yes", flush=True)

    def room(i, j):
        return 2 + (i - 1) * width + j - 1 if 1 <= j <= width else int(j > 0)

    doors = {("|", i, j): (room(i, j - 1), room(i, j)) for i in range(1, height + 1) for j in range(1, width + 2)}
    doors |= {("-", i, j): (room(i, j), room(i + 1, j)) for i in range(1, height) for j in range(1, width + 1)}
    links = [[] for _ in range(height * width + 2)]
    for name, (one, two) in doors.items():
        links[one].append((name, two))
        links[two].append((name, one))
    state = dict.fromkeys(doors, "undecided")
    my_move = first
    while True:
        if my_move:
            way = cheapest_way(links, state)
            name = way[len(way) // 2]
            state[name] = "fixed"
            print(*name, flush=True)
        kind, i, j = input().split()
        if kind in "aw":
            return
        state[kind, int(i), int(j)] = "closed"
        my_move = True


main()
