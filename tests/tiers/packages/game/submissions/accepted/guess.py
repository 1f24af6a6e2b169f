low, high, said = 0, 1000, ""
while said != "=":
    middle = (low + high) // 2
    print(middle, flush=True)
    said = input()
    if said == "<":
        high = middle - 1
    if said == ">":
        low = middle + 1
