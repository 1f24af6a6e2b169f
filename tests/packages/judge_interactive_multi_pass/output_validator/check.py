"""Each game: the submission hears a number and says the next; two games a case."""
import sys
given, feedback = int(open(sys.argv[1]).read()), sys.argv[3]
print(given, flush=True)
if sys.stdin.readline().strip() != str(given + 1):
    sys.exit(43)
if given < 100:
    open(feedback + "nextpass.in", "w").write(str(given + 100))
sys.exit(42)
