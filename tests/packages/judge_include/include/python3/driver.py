def answer():
    return input()
