guess = 0
while True:
    print(guess, flush=True)
    if input() == "=":
        break
    guess += 1
