"""Packages of strangers: which load, which statements render, which verdicts are as declared, how strong the data is.

    python bench/world/packages.py FOLDER --store FILE.jsonl [--sample 40] [--seed 0] [--shard 1/2] [--html FILE]
    python bench/world/packages.py FOLDER --store FILE.jsonl --stages strength [--sample 20] [--call-s 1800]

FOLDER holds checked-out repositories; nothing is fetched. --stages: load, statement (rendered as HTML), judge (every
submission), strength (`harness mutate --strength`); load and statement are for every package, judge and strength for
--sample packages (default: all) drawn by --seed, with at most --max-cases cases and --max-mib MiB of data. Each result
is one line of the store as soon as it is there: the same command goes on where it was stopped. --shard K/N takes every
Nth package. Reasons that somebody has found for a row stand in classified.yaml beside this file, and replace its kind.
"""

import argparse
import contextlib
import html
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import yaml

from harness.errors import HarnessError
from harness.package.load import load

HARNESS = str(Path(sys.executable).parent / "harness")
CLASSIFIED = Path(__file__).with_name("classified.yaml")
MESSAGE_LENGTH = 300
TO_END_S = 30.0  # after SIGTERM
STYLE = (
    "body{font:15px sans-serif;max-width:70em;margin:2em auto}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.2em .6em;text-align:left}td:nth-child(n+3):nth-child(-n+4){text-align:right}"
    "pre{background:#f4f4f4;padding:.6em;white-space:pre-wrap}"
)
_ABSENT = (
    "the link points to nothing",
    "no answer beside it",
    "git-lfs",
    "not found",
    "no such file",
    "does not exist",
    "no test case",
)
_COMPILER = ("needs ", "no language for ")


@dataclass(frozen=True, kw_only=True)
class Row:
    """The result of one stage (load, statement, judge, strength) of one package.

    kind: "held", or the class of what did not. counts: submissions by kind. details: a line each.
    """

    package: str
    stage: str
    kind: str
    counts: dict[str, int] = field(default_factory=dict)
    details: list[str] = field(default_factory=list)
    seconds: float = 0.0
    load: float = 0.0
    figures: dict[str, Any] = field(default_factory=dict)


def packages_in(folder: Path) -> list[Path]:
    """Return the folders with a problem.yaml, none within another; of copies with the same files the first."""
    found: dict[Path, list[tuple[str, int]]] = {}
    for path in sorted(folder.rglob("problem.yaml")):
        package = path.parent
        if path.is_file() and not any(other in path.parents for other in found):
            files = sorted(
                (str(file.relative_to(package)), file.stat().st_size)
                for file in package.rglob("*")
                if file.is_file()
            )
            if files not in found.values():
                found[package] = files
    return list(found)


def is_small(package: Path, max_cases: int, max_mib: float) -> bool:
    """Whether a package has at most so many cases and MiB of data."""
    sizes = [(path.suffix, path.stat().st_size) for path in package.glob("data/**/*") if path.is_file()]
    return (
        sum(suffix == ".in" for suffix, _ in sizes) <= max_cases
        and sum(size for _, size in sizes) <= max_mib * 2**20
    )


def call(words: Sequence[str | Path], seconds: float) -> tuple[int, str]:
    """Run harness; its exit code (124: not ended in time) and the end of its messages."""
    command, silent = [HARNESS, *map(str, words)], subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=subprocess.PIPE, text=True, errors="replace") as run:
        try:
            _, errors = run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            run.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                return 124, run.communicate(timeout=TO_END_S)[1]
            run.kill()
            return 124, run.communicate()[1]
    return run.returncode, errors


def classify_refusal(message: str) -> str:
    """Name why a package is refused."""
    return "incomplete copy" if any(word in message.lower() for word in _ABSENT) else "refused"


def loaded(package: Path, name: str, _: float) -> Row:
    """Load a package."""
    try:
        load(package, built=False)
    except HarnessError as error:
        return Row(
            package=name, stage="load", kind=classify_refusal(str(error)), details=[str(error)[:MESSAGE_LENGTH]]
        )
    except Exception as error:
        return Row(package=name, stage="load", kind="OURS: traceback", details=[repr(error)[:MESSAGE_LENGTH]])
    return Row(package=name, stage="load", kind="held")


def rendered(package: Path, name: str, seconds: float) -> Row:
    """Render the statements of a package as HTML."""
    with tempfile.TemporaryDirectory() as folder:
        code, errors = call(["statement", package, "--output", Path(folder) / "statement.html"], seconds)
    error = next((line for line in errors.splitlines() if line.startswith("error")), errors[-MESSAGE_LENGTH:])
    internal = "internal:" in error or "Traceback" in errors
    kind = "held" if code == 0 else "OURS: internal error" if internal else "no statement"
    return Row(package=name, stage="statement", kind=kind, details=[error[:MESSAGE_LENGTH]] if code else [])


def judged(package: Path, name: str, seconds: float) -> Row:
    """Judge every submission of a package."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        code, errors = call(["judge", package, "--json", file, "-q"], seconds)
        result = json.loads(file.read_bytes()) if file.exists() else None
    if result is None:
        lines = [line for line in errors.splitlines() if line.startswith("error")]
        message = "\n".join(lines)[:MESSAGE_LENGTH] or errors[-MESSAGE_LENGTH:]
        if "internal:" in message:
            kind = "OURS: internal error"
        else:
            kind = "not ended in time" if code == 124 else classify_refusal(message)
        return Row(package=name, stage="judge", kind=kind, details=[message])
    kinds = [(submission["path"], *classify_verdict(submission)) for submission in result["submissions"]]
    return Row(
        package=name,
        stage="judge",
        kind="held",
        counts=dict(Counter(kind for _, kind, _ in kinds)),
        details=[
            f"{path}: {kind}: {why}" for path, kind, why in kinds if kind not in ("as declared", "no compiler")
        ],
    )


def classify_verdict(submission: dict[str, Any]) -> tuple[str, str]:
    """Name how a verdict relates to what the package declares, and why."""
    verdict, expected = submission["verdict"], submission["expected"]
    if submission["unavailable"]:
        return "no compiler", submission["message"][:MESSAGE_LENGTH]
    if expected is None or expected["nothing"]:
        return "nothing declared", verdict
    if expected["met"]:
        return "as declared", verdict
    why = f"{verdict}, declared {'/'.join(expected['permitted'] + expected['required'])}"
    if verdict == "TLE" or (verdict == "AC" and "TLE" in expected["permitted"] + expected["required"]):
        return "time-sensitive", why
    if verdict == "CE":
        return "does not compile", f"{why}: {submission['message'][:MESSAGE_LENGTH]}"
    unmet = "; ".join(f"{item['demand']} {item['found']} for {item['wanted']}" for item in expected["unmet"])
    case = next((case for case in submission["cases"] if case["verdict"] not in ("AC", "SK")), {})
    return (
        "other",
        f"{why} ({unmet}): {case.get('name', '')} {case.get('message', submission['message'])[:MESSAGE_LENGTH]}",
    )


def strength(package: Path, name: str, seconds: float) -> Row:
    """Measure the strength of a package's data."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        code, errors = call(["mutate", package, "--strength", "--json", file], seconds)
        result = json.loads(file.read_bytes()) if file.exists() else None
    if result is None:
        lines = [line for line in errors.splitlines() if line.startswith("error")]
        kind = "not ended in time" if code == 124 else "no result"
        return Row(package=name, stage="strength", kind=kind, details=["\n".join(lines)[:MESSAGE_LENGTH]])
    figures = {**result["strength"], "unsearched": result["unsearched"]}
    missed = [f"{item['verdict']} {', '.join(item['programs'])}" for item in figures["missed"]]
    return Row(package=name, stage="strength", kind="held", details=missed, figures=figures)


WHOLE = ("load", "statement")  # stages for every package
STAGES = {"load": loaded, "statement": rendered, "judge": judged, "strength": strength}


def read_rows(store: Path) -> list[Row]:
    """Read the rows that are whole; one that was being written when the bench was killed is made again."""
    rows = []
    for line in store.read_text().splitlines() if store.exists() else ():
        try:
            rows.append(Row(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return rows


def classified(rows: Iterable[Row]) -> list[Row]:
    """Replace what the rows say by what classified.yaml says.

    It maps packages to submissions, or stages, to [class, reason]. Only rows that did not hold are touched.
    """
    reasons = yaml.safe_load(CLASSIFIED.read_text()) or {}
    return [_classified(row, reasons.get(row.package, {})) for row in rows]


def _classified(row: Row, reasons: dict[str, list[str]]) -> Row:
    if row.kind != "held":
        kind, reason = reasons.get(row.stage, (row.kind, ""))
        return replace(row, kind=kind, details=[*row.details, *([reason] if reason else [])])
    counts, details = Counter(row.counts), []
    for line in row.details if row.stage == "judge" else ():
        path, was, why = line.split(": ", 2)
        kind, reason = reasons.get(path, (was, ""))
        counts.subtract([was])
        counts.update([kind])
        details.append(f"{path}: {kind}: {why}{' – ' * bool(reason)}{reason}")
    return replace(row, counts=dict(+counts), details=details or row.details)


def table(rows: Iterable[Row]) -> str:
    """Count by set (the first folder) and stage."""
    by_set: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        for name in (row.package.split("/")[0], "all"):
            by_set.setdefault((name, row.stage), []).append(row)
    lines = ["| set | stage | packages | held | others | submissions |", "| --- | --- | --- | --- | --- | --- |"]
    for (name, stage), some in sorted(by_set.items()):
        kinds = Counter(row.kind for row in some)
        held = kinds.pop("held", 0)
        counts = sum((Counter(row.counts) for row in some), Counter[str]())
        others, judged_ = (
            ", ".join(f"{count} {kind}" for kind, count in counter.most_common()) for counter in (kinds, counts)
        )
        lines.append(f"| {name} | {stage} | {len(some)} | {held} | {others or '-'} | {judged_ or '-'} |")
    return "\n".join(lines)


def page(rows: Sequence[Row]) -> str:
    """Write the table and every detail as a page."""
    head, _, *body = [line.strip("| ").split(" | ") for line in table(rows).splitlines()]
    lines = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>" for cells in body)
    listed = "".join(
        f"<h3>{html.escape(row.package)}: {row.stage}: {html.escape(row.kind)}</h3>"
        f"<pre>{html.escape(chr(10).join(row.details))}</pre>"
        for row in sorted(rows, key=lambda row: (row.kind == "held", row.stage, row.package))
        if row.details
    )
    return (
        f"<!DOCTYPE html><meta charset=utf-8><title>Packages</title><style>{STYLE}</style><h1>Packages</h1>"
        f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>{lines}</table>{listed}"
    )


def main() -> None:
    """Run what is missing in the store, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--max-cases", type=int, default=10**6)
    parser.add_argument("--max-mib", type=float, default=10.0**6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--stages", default="load,statement,judge")
    parser.add_argument("--call-s", type=float, default=900.0, help="of one call of harness")
    parser.add_argument("--stop-after-s", type=float, default=float("inf"), help="begin nothing new after that")
    parser.add_argument("--html", type=Path)
    options = parser.parse_args()
    every = packages_in(options.folder)
    names = {package: str(package.relative_to(options.folder)) for package in every}
    small = [package for package in every if is_small(package, options.max_cases, options.max_mib)]
    wanted = len(small) if options.sample is None else min(options.sample, len(small))
    drawn = Random(options.seed).sample(small, wanted)
    shard, shards = map(int, options.shard.split("/"))
    mine = set(every[shard - 1 :: shards])
    chosen = [stage for stage in options.stages.split(",") if stage]
    stages = [(stage, package) for stage in chosen for package in (every if stage in WHOLE else drawn)]
    done = {(row.package, row.stage): row for row in read_rows(options.store)}
    began = time.monotonic()
    for stage, package in stages:
        name = names[package]
        refused = done.get((name, "load"), Row(package=name, stage="load", kind="held")).kind != "held"
        if package not in mine or (name, stage) in done or (refused and stage != "load"):
            continue
        if time.monotonic() - began > options.stop_after_s:
            break
        started = time.monotonic()
        row = STAGES[stage](package, name, options.call_s)
        row = Row(**{**asdict(row), "seconds": time.monotonic() - started, "load": os.getloadavg()[0]})
        done[name, stage] = row
        with options.store.open("a") as file:
            file.write(json.dumps(asdict(row)) + "\n")
        print(f"{name} {stage} {row.kind} {row.counts or ''} {row.seconds:.1f} s", file=sys.stderr)
    rows = classified(done.values())
    print(table(rows))
    if options.html is not None:
        options.html.write_text(page(rows))


if __name__ == "__main__":
    main()
