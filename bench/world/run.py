"""Programs of strangers through `harness stress`: fault exposure, soundness, validity, seconds, bytes, and the misses.

    python bench/world/run.py codeflaws FOLDER [--sample 100] [--seed 0] [--time 20] [-j 2] [--json FILE]
    python bench/world/run.py condefects FOLDER …    no samples at all
    python bench/world/run.py packages FOLDER …      secret data and generators hidden; TLE with --slowest
    python bench/world/run.py packages FOLDER --bare …        samples and an accepted program only
    python bench/world/run.py packages FOLDER --mutants …     mutants of accepted programs in place of the wrong ones
    python bench/world/run.py codeflaws FOLDER --sound …      accepted programs in place of the wrong ones
    python bench/world/run.py codeflaws FOLDER --again 2 …    each find is sought with two more seeds: is one smaller?

FOLDER holds the set as its authors publish it (docs/search.md says where). Nothing is fetched. One pair a problem is
drawn, so that no problem counts twice. Each pair is one call of `harness stress -j 1`; `-j` calls run side by side.
"""

import argparse
import base64
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from find_checks import fit_of, outside
from mutants import mutant_of
from sets import SETS, Pair, Test

from harness.errors import HarnessError
from harness.package.load import load

HARNESS = str(Path(sys.executable).parent / "harness")
BEYOND_S = 240  # seconds beyond --time after which a call is stopped
JUDGED_S = 30.0  # for what other programs say of a find; they are built first
OTHERS = 2  # other accepted programs that are asked about a find
NOT_JUDGED = "not judged in time"
NO_MUTANT = "no mutant"
LEFT_OUT = ("broken reference", "right here", "does not compile", NO_MUTANT)
FOUND, NOTHING, UNDECIDED = 1, 0, 2  # exit codes of `harness stress`


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of one pair.

    result: "found", "doubtful" (only an input that may be invalid, as the report says), "missed", "broken reference"
    (it fails a test here), "right here" (the wrong program passes the test on which it was rejected), "does not
    compile" (with the compilers here) or "no mutant" (none of those tried passes the samples and fails on secret
    data); the last four do not count. reason: of a miss or a doubt. data: the start of the find, size: its bytes.
    judge_bytes: of the judge's own test. unlike: the rule of the samples that it breaks, as the report says. outside:
    in what it goes beyond all other tests of the problem. disputed: other accepted programs answer it otherwise.
    source: what made the input that failed first. least: the fewest bytes of the finds of all seeds, of those without
    a doubt that are as much like the samples.
    """

    name: str
    result: str
    reason: str = ""
    data: str = ""
    size: int = 0
    verdict: str = ""
    tried: int = 0
    seconds: float = 0.0
    judge_bytes: int | None = None
    unlike: str = ""
    outside: str = ""
    disputed: bool = False
    source: str = ""
    is_slow: bool = False
    least: int = 0


def write_tests(folder: Path, tests: Iterable[Test]) -> Path:
    """A folder of samples as `harness test` reads it."""
    folder.mkdir(parents=True)
    for number, (data, answer) in enumerate(tests, start=1):
        (folder / f"{number}.in").write_bytes(data)
        (folder / f"{number}.out").write_bytes(answer)
    return folder


def comparison(pair: Pair) -> list[str]:
    """Options that compare answers as the package does; without one those with decimal places as numbers."""
    if pair.package is not None:
        return comparison_of(pair.package)
    decimals = any(b"." in answer for _, answer in (*pair.samples, *pair.tests))
    return ["--float-tolerance", "1e-6"] if decimals else []


def comparison_of(package: Path) -> list[str]:
    """The largest tolerance of the package's cases, and whether capitals count, as a statement tells them."""
    try:
        arguments = {case.settings.output_validator_args for case in load(package, built=False).judged_cases()}
    except HarnessError:
        return []
    tolerances = [
        words[place + 1]
        for words in arguments
        for place, word in enumerate(words[:-1])
        if word.endswith("_tolerance")
    ]
    tolerance = max(tolerances, key=float, default=None)
    ignores_case = not any("case_sensitive" in words for words in arguments)
    return [
        *(["--float-tolerance", tolerance] if tolerance is not None else []),
        *(["--ignore-case"] if ignores_case else []),
    ]


def copied(program: Path, folder: Path, stem: str) -> Path:
    """The program beside nothing else, so that no file near it is read; Java's main class is Main, or as the file."""
    folder.mkdir(parents=True, exist_ok=True)
    is_renamed = program.suffix == ".java" and stem != program.stem
    target = folder / f"{'Main' if is_renamed else stem}{program.suffix}"
    return Path(shutil.copy(program, target))


def called(words: Sequence[str | Path], folder: Path, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run harness there; exit code 124 where it did not end in time."""
    command = [HARNESS, *map(str, words)]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            out, err = process.communicate()
            return subprocess.CompletedProcess(command, 124, out, err)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def hidden(package: Path, folder: Path) -> Path:
    """A copy of the package without its secret cases and generators."""
    target = folder / package.name
    left_out = shutil.ignore_patterns("generators", ".git")
    shutil.copytree(package, target, ignore=left_out, ignore_dangling_symlinks=True)
    for path in sorted((target / "data" / "secret").rglob("*"), reverse=True):
        if path.is_file() and path.suffix != ".yaml":
            path.unlink()
    return target


def stress(words: Sequence[str | Path], folder: Path, time_s: float) -> tuple[dict[str, Any], str, float]:
    """The JSON of `harness stress`, the error where there is none, and the seconds of the call."""
    file, began_s = folder / "result.json", time.monotonic()
    file.unlink(missing_ok=True)
    ran = called(["stress", *words, "--time", str(time_s), "--json", file, "-j", "1"], folder, time_s + BEYOND_S)
    took_s = time.monotonic() - began_s
    if not file.exists():
        lines = [line for line in ran.stderr.splitlines() if line.strip()]
        error = next((line for line in lines if line.startswith("error")), "".join(lines[-1:]))
        return {}, f"exit {ran.returncode}: {error[:200]}", took_s
    return json.loads(file.read_bytes()), "", took_s


def tried_pair(pair: Pair, options: argparse.Namespace) -> Row:
    """Search for an input that breaks the pair's wrong program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.mutants and pair.package is not None:
            made = mutant_of(pair, options.seed, hidden(pair.package, folder / "mutants"), called)
            if made is None:
                return Row(name=pair.name, result=NO_MUTANT)
            pair = replace(pair, wrong=made, is_slow=False)
        stems = ("wrong", "right") if pair.package is None else (pair.wrong.stem, pair.right.stem)
        wrong, right = (
            copied(pair.wrong, folder / "wrong", stems[0]),
            copied(pair.right, folder / "right", stems[1]),
        )
        row = Row(name=pair.name, result="missed", is_slow=pair.is_slow)
        compared = comparison(pair) if pair.package is None or options.bare else []
        if pair.tests:
            checks = write_tests(folder / "checks", pair.tests)
            if called(["test", checks, right, "-q", *compared], folder, BEYOND_S).returncode:
                return replace(row, result="broken reference")
        if pair.has_failing and not options.sound:
            checks = write_tests(folder / "failing", pair.tests[:1])
            if called(["test", checks, wrong, "-q", *compared], folder, BEYOND_S).returncode == 0:
                return replace(row, result="right here")
            row = replace(row, judge_bytes=len(pair.tests[0][0]))
        if pair.samples:
            write_tests(folder / "test", pair.samples)
        package = hidden(pair.package, folder / "package") if pair.package is not None else None
        words: list[str | Path] = [wrong, "--brute", right, *compared]
        if package is not None and not options.bare:
            words = [package, wrong]
            if pair.is_slow:
                return slowest(row, words, folder, options.time)
        told, error, seconds = stress(words, folder, options.time)
        row = replace(row, seconds=seconds, tried=int(told.get("executions", 0)))
        if "does not compile" in error:
            return replace(row, result="does not compile")
        find = told.get("found")
        if not isinstance(find, dict) or not find["confirmed"]:
            reason = error or ("not confirmed" if find else f"nothing in {row.tried} inputs")
            return replace(row, reason=f"{reason}; {fit_of(pair)}" if pair.has_failing else reason)
        row = with_find(row, find)
        data = base64.b64decode(find["input_base64"])
        more = [
            stress([*words, "--seed", str(seed)], folder, options.time)[0] for seed in range(2, options.again + 2)
        ]
        row = replace(row, least=min([row.size, *sizes_of_as_good(row, more)]))
        if package is not None:
            where = judged(package, wrong, data, folder) if options.bare else ""
            row = replace(row, reason=where if where == NOT_JUDGED else row.reason)
            where = "" if where == NOT_JUDGED else where
        else:
            where = outside(data, [given for given, _ in (*pair.samples, *pair.tests)]) if pair.tests else ""
        return replace(row, outside=where, disputed=disputed(pair, data, right, folder))


def with_find(row: Row, find: dict[str, Any]) -> Row:
    """The row with what was found."""
    data = base64.b64decode(find["input_base64"])
    unlike = find["outside"]["rule"] if find["outside"] and not find["outside"]["smaller"] else ""
    row = replace(row, result="doubtful" if find["doubt"] else "found", reason=find["doubt"] or "", unlike=unlike)
    row = replace(row, data=repr(data[:300])[2:-1], size=len(data), verdict=find["verdict"])
    return replace(row, source=find["first"]["source"])


def sizes_of_as_good(row: Row, others: Iterable[dict[str, Any]]) -> Iterable[int]:
    """The bytes of other finds that are no more in doubt, and no less like the samples."""
    for told in others:
        if (find := told.get("found")) is not None and find["confirmed"]:
            other = with_find(row, find)
            if other.result == "found" and bool(other.unlike) <= bool(row.unlike):
                yield other.size


def slowest(row: Row, words: Sequence[str | Path], folder: Path, time_s: float) -> Row:
    """Whether --slowest makes the program exceed its limit."""
    began_s = time.monotonic()
    ran = called(["stress", *words, "--slowest", "--time", str(time_s), "-j", "1"], folder, time_s + BEYOND_S)
    lines = [line for line in (ran.stdout + ran.stderr).splitlines() if not line.startswith("warning")] or [""]
    result = "found" if ran.returncode == FOUND else "missed"
    return replace(row, result=result, reason=lines[0][:200], verdict="TLE", seconds=time.monotonic() - began_s)


def judged(package: Path, wrong: Path, data: bytes, folder: Path) -> str:
    """Why the package's own judge does not count a bare find: "" where it does."""
    (folder / "find.in").write_bytes(data)
    told, error, _ = stress([package, wrong, "--input", folder / "find.in"], folder, JUDGED_S)
    if told.get("found") is not None:
        return ""
    if told.get("not_valid"):
        return "the input validator refuses it"
    return error or ("the program is right on it" if told["executions"] else NOT_JUDGED)


def disputed(pair: Pair, data: bytes, right: Path, folder: Path) -> bool:
    """Whether another accepted program answers the find otherwise than the reference."""
    (folder / "find.in").write_bytes(data)
    for number, other in enumerate(pair.others[:OTHERS] if pair.package is None else ()):
        program = copied(other, folder / f"other{number}", "other")
        words: list[str | Path] = [program, "--brute", right, "--input", folder / "find.in", *comparison(pair)]
        told, _, _ = stress(words, folder, JUDGED_S)
        if told.get("found") is not None:
            return True
    return False


def drawn(pairs: Iterable[Pair], options: argparse.Namespace) -> list[Pair]:
    """A seeded sample, one pair a problem; with --sound, the wrong program is another accepted one."""
    source = Random(options.seed)
    problems: dict[str, list[Pair]] = {}
    for pair in pairs:
        if options.only not in pair.name or (options.slow and not pair.is_slow):
            continue
        if pair.package is None or not options.bare or not (pair.is_slow or has_checker(pair.package)):
            problems.setdefault(pair.problem, []).append(pair)
    names = sorted(problems)
    source.shuffle(names)
    chosen = [source.choice(problems[name]) for name in names]
    if options.all:
        chosen = [pair for name in names for pair in problems[name]]
    if options.sound:
        chosen = [replace(pair, wrong=source.choice(pair.others), is_slow=False) for pair in chosen if pair.others]
    return chosen[: options.sample]


def has_checker(package: Path) -> bool:
    """Whether outputs are not compared with the answer, so that samples and an accepted program do not decide."""
    return any((package / name).is_dir() for name in ("output_validators", "output_validator"))


def share(part: int, whole: int) -> str:
    """As people read it."""
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def printed(rows: Sequence[Row], options: argparse.Namespace) -> None:
    """The figures, then every row that is no plain success."""
    counted = [row for row in rows if row.result in ("found", "doubtful", "missed")]
    found = [row for row in counted if row.result == "found"]
    for word in LEFT_OUT:
        print(f"left out, {word}: {sum(row.result == word for row in rows)}")
    print(
        f"{'accepted programs broken' if options.sound else 'fault exposure'}: {share(len(found), len(counted))}"
    )
    for is_slow, word in ((True, "of them TLE, --slowest"), (False, "of them others")):
        part = [row for row in counted if row.is_slow is is_slow]
        if 0 < len(part) < len(counted):
            print(f"  {word}: {share(sum(row.result == 'found' for row in part), len(part))}")
    print(f"only doubtful: {sum(row.result == 'doubtful' for row in counted)}")
    sized = [row for row in found if row.judge_bytes is not None]
    if sized:
        least = sum(row.size <= (row.judge_bytes or 0) for row in sized)
        theirs = statistics.median(row.judge_bytes or 0 for row in sized)
        print(f"no larger than the judge's own test: {share(least, len(sized))}, median {theirs:g} bytes")
    if found:
        print(f"bytes: median {statistics.median(row.size for row in found):g}")
        if options.again:
            sought = [row for row in found if row.least]
            print(
                f"no smaller with other seeds: {share(sum(row.least == row.size for row in sought), len(sought))}"
            )
        sources = Counter(row.source for row in found if row.source).most_common()
        print(f"first found by: {', '.join(f'{source} {count}' for source, count in sources)}")
        print(f"inside what the other tests show: {share(sum(not row.outside for row in found), len(found))}")
        print(f"said to be unlike the samples: {sum(bool(row.unlike) for row in found)}")
        print(f"other accepted programs agree: {share(sum(not row.disputed for row in found), len(found))}")
    seconds = sorted(row.seconds for row in counted) or [0.0]
    late = max(seconds) - options.time
    print(f"seconds: median {statistics.median(seconds):.1f}, longest {seconds[-1]:.1f} ({late:+.1f} of --time)")
    for row in rows:
        if row.result in LEFT_OUT:
            print(f"  {row.name}: left out, {row.result}")
            continue
        if row.outside or row.disputed or row.result != ("missed" if options.sound else "found"):
            differ = "accepted programs differ" if row.disputed else ""
            notes = [row.reason, row.outside, differ, f"unlike the samples: {row.unlike}" if row.unlike else ""]
            print(f"  {row.name}: {row.result} {row.data[:80]} {'; '.join(filter(None, notes))}")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=SETS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--only", default="", help="Pairs in whose name this occurs.")
    parser.add_argument("--slow", action="store_true", help="Packages: only programs that are too slow.")
    parser.add_argument("--all", action="store_true", help="All pairs of a problem, not one.")
    parser.add_argument("--bare", action="store_true", help="Packages: samples and an accepted program only.")
    parser.add_argument("--sound", action="store_true", help="Accepted programs in place of wrong ones.")
    parser.add_argument("--mutants", action="store_true", help="Packages: mutants in place of wrong programs.")
    parser.add_argument("--again", type=int, default=0, help="More seeds with which each find is sought.")
    parser.add_argument("--json", type=Path, help="Write the rows there, to compare two runs.")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    pairs = drawn(SETS[options.set](options.folder), options)
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda pair: tried_pair(pair, options), pairs):
            rows.append(row)
            print(f"{len(rows)}/{len(pairs)} {row.name}: {row.result}", end="\r", file=sys.stderr, flush=True)
    print(f"\n{options.set}: {len(pairs)} pairs, {' '.join(sys.argv[3:])}, load {os.getloadavg()[1]:.1f}")
    printed(rows, options)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


if __name__ == "__main__":
    main()
