import sys
l=sys.stdin.read()
assert l.strip().lstrip("-").isdigit()
sys.exit(42)
