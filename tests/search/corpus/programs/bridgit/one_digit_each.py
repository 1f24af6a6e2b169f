"""Two colours by diagonals; of each number of the king the first or the last digit is read."""

class Board:
    def __init__(self, h, w):
        self.h, self.w = h, w
        self.state = {}
        for i in range(1, h + 1):
            for j in range(1, w + 2):
                self.state["|", i, j] = "?"
        for i in range(1, h):
            for j in range(1, w + 1):
                self.state["-", i, j] = "?"

    def ends(self, door):
        t, i, j = door
        name = lambda i, j: "in" if j == 0 else "out" if j == self.w + 1 else (i, j)
        return (name(i, j - 1), name(i, j)) if t == "|" else (name(i, j), name(i + 1, j))

    def groups(self, colour):
        group = {}
        def find(x):
            while group.setdefault(x, x) != x:
                x = group[x]
            return x
        for door, s in self.state.items():
            if s == "F" or s == "?" and sum(door[1:]) % 2 == colour:
                a, b = map(find, self.ends(door))
                group[a] = b
        return find

    def move(self):
        for colour in 0, 1:
            find = self.groups(colour)
            for door, s in self.state.items():
                a, b = self.ends(door)
                if s == "?" and find(a) != find(b):
                    return door
        return [d for d, s in self.state.items() if s == "?"][0]

def main():
    h, w, who = input().split()
    h, w = int(h), int(w)
    if h < w + 1 or h == w + 1 and who == "Second":
        print("No", flush=True)
        return
    print("Yes", flush=True)
    board = Board(h, w)
    mine = who == "First"
    while True:
        if mine:
            door = board.move()
            board.state[door] = "F"
            print(*door, flush=True)
        else:
            line = input()
            t, i, j = line[0], line[2], line[-1]
            if t in "aw":
                return
            board.state[t, int(i), int(j)] = "C"
        mine = not mine
main()
