import sys
import equal
sys.exit(42 if equal.equal(sys.argv[2]) else 43)
