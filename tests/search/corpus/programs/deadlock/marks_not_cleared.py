"""Dead squares and a matching of boxes to goals; what one box has tried is forbidden to all later ones."""

def main():
    for _ in range(int(input())):
        R, C = map(int, input().split())
        g = [input() for _ in range(R)]
        floor = {(r, c) for r in range(R) for c in range(C) if g[r][c] != "#"}
        goals = [(r, c) for r, c in floor if g[r][c] in ".*+"]
        boxes = [(r, c) for r, c in floor if g[r][c] in "$*"]
        boxes.sort(); goals.sort()

        def pulled(goal):
            seen, todo = {goal}, [goal]
            for r, c in todo:
                for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    p, k = (r + a, c + b), (r + 2 * a, c + 2 * b)
                    if p in floor and k in floor and p not in seen:
                        seen.add(p)
                        todo.append(p)
            return seen

        good = [pulled(x) for x in goals]
        owner = {}
        used = set()

        def give(b):
            for i, cells in enumerate(good):
                if boxes[b] in cells and i not in used:
                    used.add(i)
                    if i not in owner or give(owner[i]):
                        owner[i] = b
                        return True
            return False

        print("unknown" if all(give(b) for b in range(len(boxes))) else "dead")
main()
