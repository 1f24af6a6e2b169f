"""Interactive scenarios; for the tests of judging and of replays. The fixture `game` plays them."""

J_PRELUDE = """
import os, sys, time
def say(text): os.write(1, text.encode() + b"\\n")
def hear(): return sys.stdin.readline().strip()
def end(code, message=""):
    open(sys.argv[3] + "judgemessage.txt", "w").write(message)
    os._exit(code)
"""
S_PRELUDE = "import os, signal, sys, time\n"
DOUBLE_J = 'say("21")\nend(42 if hear() == "42" else 43, "not the double")\n'
DOUBLE_S = "print(2 * int(input()), flush=True)\n"
LOOP = "while True: pass\n"

SCENARIOS = {
    "J_accepts_S_is_right": (DOUBLE_J, DOUBLE_S, "AC"),
    "J_rejects_S_is_wrong": (DOUBLE_J, "print(int(input()), flush=True)\n", "WA"),
    "J_rejects_S_loops": ('say("21")\nhear()\nend(43)\n', "print(1, flush=True)\n" + LOOP, "WA"),
    "J_rejects_at_once_S_crashes_later": ("end(43)\n", "time.sleep(0.3)\nos.abort()\n", "WA"),
    "J_rejects_after_reading_S_crashes_having_written": (
        "hear()\ntime.sleep(0.05)\nend(43)\n",
        "print(1, flush=True)\nos.abort()\n",
        "WA",
    ),
    "J_accepts_S_crashes_after": ("end(42)\n", "time.sleep(0.1)\nos.abort()\n", "RTE"),
    "J_accepts_S_exits_with_3_after": (DOUBLE_J, DOUBLE_S + "time.sleep(0.05)\nsys.exit(3)\n", "RTE"),
    "J_accepts_S_loops_after": (DOUBLE_J, DOUBLE_S + LOOP, "TLE"),
    "J_accepts_S_reads_to_the_end_and_exits": (DOUBLE_J, DOUBLE_S + "sys.stdin.read()\n", "AC"),
    "J_accepts_S_talks_on": (DOUBLE_J, DOUBLE_S + "print('x' * 300000, flush=True)\n", "AC"),
    "J_waits_S_crashes": ("hear()\nend(43 if hear() else 42)\n", "os.abort()\n", "RTE"),
    "J_waits_S_exits_early": ('say("21")\nend(42 if hear() else 43, "nothing heard")\n', "pass\n", "WA"),
    "J_writes_S_exits_early": ('time.sleep(0.2)\nsay("21")\nend(42 if hear() else 43)\n', "pass\n", "WA"),
    "J_sleeps_S_exits_early": ("time.sleep(60)\n", "pass\n", "WA"),
    "J_sleeps_and_accepts_S_is_right": (
        'say("21")\nheard = hear()\ntime.sleep(1)\nend(42 if heard == "42" else 43)\n',
        DOUBLE_S,
        "AC",
    ),
    "J_waits_S_does_not_flush": (
        DOUBLE_J,
        "sys.stdout.write('42\\n')\nsys.stdin.readline()\nsys.stdin.readline()\n",
        "TLE",
    ),
    "J_waits_S_sleeps": (DOUBLE_J, "time.sleep(60)\n", "TLE"),
    "J_waits_S_loops": (DOUBLE_J, LOOP, "TLE"),
    "J_waits_S_closes_its_output_and_reads": (
        'say("21")\nend(42 if hear() else 43)\n',
        "os.close(1)\nsys.stdin.read()\n",
        "WA",
    ),
    "J_waits_S_closes_its_output_sleeps_and_crashes": (
        'say("21")\nend(42 if hear() else 43)\n',
        "os.close(1)\ntime.sleep(1.5)\nos.abort()\n",
        "RTE",
    ),
    "J_waits_S_closes_its_output_and_sleeps_on": (
        'say("21")\nend(42 if hear() else 43)\n',
        "os.close(1)\ntime.sleep(60)\n",
        "TLE",
    ),
    "J_sleeps_on_S_reads": ("while True: time.sleep(0.05)\n", "sys.stdin.read()\n", "TLE"),
    "J_sleeps_and_rejects_S_reads": ("time.sleep(2.5)\nend(43)\n", "sys.stdin.read()\n", "WA"),
    "J_crashes_S_waits": ("raise RuntimeError('broken')\n", "input()\n", "JE"),
    "J_exits_0_S_waits": ("os._exit(0)\n", "sys.stdin.read()\n", "JE"),
    "J_loops_S_waits": (LOOP, "input()\n", "JE"),
    "J_floods_S_does_not_read": ("while True: say('x' * 1000)\n", "time.sleep(0.2)\n", "JE"),
    "S_floods_J_rejects_the_first_line": ("hear()\nend(43)\n", "while True: print('x' * 1000)\n", "WA"),
    "S_floods_J_fails": (
        "heard = 0\nwhile heard < 9 << 20: heard += len(os.read(0, 1 << 20))\nend(1)\n",
        "while True: os.write(1, b'1' * 100000)\n",
        "OLE",
    ),
    "J_streams_without_end_S_keeps_it_beyond_both_limits": (
        "while True: say('x' * 100000)\n",
        "kept = [b'x' * (200 << 20)]\nwhile time.process_time() < 1.03: pass\n"
        "while True: kept.append(os.read(0, 1 << 16))\n",
        "TLE",
    ),
    "S_opens_its_streams_by_name": (
        DOUBLE_J,
        "print(2 * int(open('/dev/stdin').readline()), file=open('/dev/stdout', 'w'))\n",
        "AC",
    ),
    "S_says_what_is_no_text_J_reads_text": ("hear()\nend(43)\n", "os.write(1, b'\\xff\\xfe\\n')\n", "WA"),
    "S_leaves_a_child_that_holds_the_pipe": (
        DOUBLE_J,
        "if os.fork() == 0: time.sleep(30)\nelse:\n    print(2 * int(input()), flush=True)\n",
        "AC",
    ),
}

LONG = (
    "J_sleeps_S_exits_early",
    "J_sleeps_on_S_reads",
    "J_waits_S_closes_its_output_and_sleeps_on",
)  # they wait for the wall limit
