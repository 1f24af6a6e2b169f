"""Find in the source of a program what it reads from standard input, and write that as a shape."""
