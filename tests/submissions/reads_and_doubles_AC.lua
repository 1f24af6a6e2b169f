print(2*io.read("n"))
