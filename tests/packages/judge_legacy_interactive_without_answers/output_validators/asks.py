import sys

n = int(open(sys.argv[1]).read())
print(n, flush=True)
line = sys.stdin.readline()
sys.exit(42 if line.strip() == str(2 * n) and open(sys.argv[2]).read() == "" else 43)
