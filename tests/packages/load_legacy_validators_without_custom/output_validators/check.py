import sys
from pathlib import Path

want = Path(sys.argv[2]).read_text().split()
sys.exit(42 if sys.stdin.read().split() == want else 43)
