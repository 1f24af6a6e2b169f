"""Counts the lines of the entry point; at most as many as the first argument are good."""
import sys
language, entry, feedback, *rest = sys.argv[1:]
if language != "python3" or not feedback.endswith("/"):
    sys.exit(1)
lines = len(open(entry).readlines())
if len(rest) > 1:
    open(feedback + rest[1], "w").write(str(1 / lines if "multiplier" in rest[1] else lines))
open(feedback + "judgemessage.txt", "w").write("%d lines" % lines)
sys.exit(42 if lines <= int(rest[0]) else 43)
