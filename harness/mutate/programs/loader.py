"""A standalone program that runs a Python solution as mutant number HARNESS_MUTANT (0 or unset: the original).

It reads original.txt, the source, and edits.json: for each mutant the start and end of its change, and the text.
With HARNESS_BATCH=1 it compares mutants with the original on many inputs; see batch.cpp. Mode 2: also on
inputs on which the original is slow.
Python 3.9 and its standard library.
"""

import io
import json
import os
import signal
import struct
import sys
import time

STOPS = 6  # failed runs of a program until it is run no more
CRASHED, LATE = "crashed", "late"  # outcomes of failed runs
ALL = 2  # the mode that skips no input
SLOW_S = 0.005  # inputs that take the original longer are run only while SLOW_BUDGET_S lasts
SLOW_BUDGET_S = 2.0


class OutOfTime(BaseException):
    """A run takes too long."""


def load(mutant):
    """Return the compiled code of a mutant."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "original.txt"), "rb") as file:
        source = file.read()
    if mutant:
        with open(os.path.join(here, "edits.json"), encoding="utf-8") as file:
            start, end, text = json.load(file)[str(mutant)]
        source = source[:start] + text.encode() + source[end:]
    return compile(source, "main.py", "exec", dont_inherit=True)


def run(code, data, limit_s):
    """Return the outcome of a run in this process."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape")
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
    sys.stdout = out
    status = 0
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
        exec(code, {"__name__": "__main__", "__builtins__": __builtins__, "__file__": "main.py"})
    except SystemExit as error:
        status = error.code
    except OutOfTime:
        return LATE
    except BaseException:  # also recursion and memory
        return CRASHED
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    out.flush()
    return status or 0, out.buffer.getvalue()


def compare(mutant, inputs, expected, skipped, most, limit_s, report):
    """Report the inputs on which a mutant differs."""
    code, differences, stops, done = load(mutant), 0, 0, 0
    for number, data in enumerate(inputs):
        if differences >= most or stops >= STOPS:
            break
        if number in skipped:
            continue
        outcome = run(code, data, limit_s)
        done += 1
        if outcome != expected[number]:
            report.write(f"different {mutant} {number}\n")
            differences += 1
            stops += outcome in (CRASHED, LATE)
    report.write(f"done {mutant} {done}\n")
    report.flush()


def read(file, count):
    """Read `count` 32-bit numbers."""
    return struct.unpack(f"<{count}I", file.read(4 * count))


def raise_out_of_time(*_):
    """Handle the timer's signal."""
    raise OutOfTime


def batch():
    """Compare mutants with the original."""
    given, report = sys.stdin.buffer, sys.stdout
    recursion = sys.getrecursionlimit()
    mutants, count, most, limit_ms, mode = read(given, 5)
    chosen = read(given, mutants)
    inputs = [given.read(read(given, 1)[0]) for _ in range(count)]
    sys.stderr = io.StringIO()
    signal.signal(signal.SIGVTALRM, raise_out_of_time)
    original = load(0)
    report.write("mode 0\n")
    expected, skipped, slow_s, late, started_s = [], set(), 0.0, 0, time.process_time()
    for number, data in enumerate(inputs):
        if late >= STOPS:
            break
        before = time.process_time()
        expected.append(run(original, data, limit_ms / 1000))
        late += expected[-1] == LATE
        spent_s = time.process_time() - before
        slow_s += spent_s if spent_s > SLOW_S else 0
        if spent_s > SLOW_S and slow_s > SLOW_BUDGET_S and mode != ALL:
            skipped.add(number)
            report.write(f"slow {number}\n")
    report.write(f"spent {int((time.process_time() - started_s) * 1e6)}\n")
    failed = [number for number, outcome in enumerate(expected) if outcome in (CRASHED, LATE)]
    report.writelines(f"{expected[number]} {number}\n" for number in failed)
    skipped.update(failed)  # there is no output to compare with
    chosen = () if len(expected) < len(inputs) else chosen
    for mutant in chosen:
        sys.setrecursionlimit(recursion)
        compare(mutant, inputs, expected, skipped, most, limit_ms / 1000, report)


if os.environ.get("HARNESS_BATCH"):
    batch()
else:
    exec(load(int(os.environ.get("HARNESS_MUTANT", "0"))), {"__name__": "__main__", "__builtins__": __builtins__})
