"""Answers guesses with <, > or =; at most 20."""

import sys
from pathlib import Path

with Path(sys.argv[1]).open() as file:
    n = int(file.read())
for _ in range(20):
    word = sys.stdin.readline().strip()
    if not word.isdigit() or len(word) > 9:
        sys.exit(43)
    guess = int(word)
    print("=" if guess == n else "<" if n < guess else ">", flush=True)
    if guess == n:
        sys.exit(42)
sys.exit(43)
