"""Does what the submission says: the exit code, then lines `file text`."""
import sys
code, *lines = sys.stdin.read().splitlines()
for line in lines:
    name, _, text = line.partition(" ")
    open(sys.argv[3] + name, "w").write(text)
sys.exit(int(code))
