import sys
given, said = open(sys.argv[1]).read().split()[0], sys.stdin.read().split()
if said[:1] != [given]:
    sys.exit(43)
if said[1:]:
    open(sys.argv[3] + "score_multiplier.txt", "w").write(said[1])
sys.exit(42)
