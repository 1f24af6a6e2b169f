"""Each pass the submission must add one, until ten; feedback files of earlier passes must still be there."""
import os, sys
given, feedback, said = int(open(sys.argv[1]).read()), sys.argv[3], sys.stdin.read().split()
open(feedback + "judgemessage.txt", "a").write("%d;" % given)
if os.path.exists(feedback + "nextpass.in"):
    sys.exit(1)
if said == ["rebel"]:
    open(feedback + "nextpass.in", "w").write("1")
    sys.exit(43)
if said != [str(given + 1)]:
    sys.exit(43)
if given + 1 < 10:
    open(feedback + "nextpass.in", "w").write("%d\n" % (given + 1))
sys.exit(42)
