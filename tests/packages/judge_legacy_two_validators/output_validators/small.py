import sys
sys.exit(42 if int(sys.stdin.read()) < 10 else 43)
