"""The corpus of buggy programs through the search: executions to find and to make small, and what is left.

    python bench/stress_corpus.py [SECONDS] [WORD]

Each search gets SECONDS (30). With WORD only bugs in whose line it occurs. Prints a table in Markdown for
docs/proofs.md. Not part of the tests: on a busy machine the seconds mean nothing, the executions do.
"""

import os
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from search.corpus import Bug, corpus

from harness.build.languages import load_table
from harness.host.host import open_host
from harness.sandbox.opening import IsolationMode, open_sandboxes


def row(bug: Bug, host: object, time_s: float) -> tuple[str, int | None]:
    """One line of the table, and the size of what was found."""
    began_s = time.monotonic()
    try:
        found = bug.hunted(host, time_s=time_s)  # type: ignore[arg-type]
    except Exception as error:
        return f"| {bug.file} | {bug.kind} | error: {type(error).__name__}: {error} | | | | |", None
    took_s = time.monotonic() - began_s
    if found is None or found.trial.failure is None:
        return f"| {bug.file} | {bug.kind} | not found | | | | {took_s:.0f} |", None
    kind = found.trial.failure.verdict.value + ("" if found.is_real else "?")
    size = f"{len(found.trial.data)}" + (" (proven)" if found.proven else "")
    counts = f"{found.to_find} | {found.to_shrink}"
    source = found.first.candidate.source.value
    return f"| {bug.file} | {bug.kind} | {kind}, {source} | {counts} | {size} | {took_s:.0f} |", len(
        found.trial.data
    )


def main() -> None:
    """Run and print."""
    time_s = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "harness" / "programs"
    bugs = [bug for bug in corpus() if word in f"{bug.file} {bug.kind}"]
    print("| program | bug | found by | inputs to find | runs to shrink | bytes | s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    sizes = []
    with open_host(
        open_sandboxes(IsolationMode.AUTO, 2),
        table=load_table(()),
        search_path=os.environ["PATH"],
        cache=cache,
        as_other_user=os.geteuid() == 0,
    ) as host:
        for bug in bugs:
            line, size = row(bug, host, time_s)
            print(line, flush=True)
            sizes += [size] if size is not None else []
    print(f"\n{len(sizes)} of {len(bugs)} found; median {statistics.median(sizes) if sizes else 0:g} bytes")


if __name__ == "__main__":
    main()
