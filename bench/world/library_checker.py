"""How many problems of Library Checker load, make the data of their hash.json, and judge as they expect.

    git clone https://github.com/yosupo06/library-checker-problems FOLDER
    python bench/world/library_checker.py FOLDER --sample 60 --seed 1 --seconds 900 --results results.jsonl

Every problem is loaded. Those of the sample are generated and judged by `harness judge`, cheap ones first, each within
--seconds of wall time; what does not end in time is counted as such. A line of JSON a problem goes to --results, and
problems that it holds already are not run again.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from harness.errors import PackageError
from harness.package.load import load

HARNESS = (sys.executable, "-m", "harness")
MESSAGE_LENGTH = 300


def main() -> None:
    """Load all, run the sample, print the counts and each failure."""
    options = _options()
    problems = sorted(path.parent for path in options.folder.rglob("info.toml"))
    _load_all(problems)
    chosen = random.Random(options.seed).sample(problems, min(options.sample, len(problems)))
    chosen = sorted(chosen, key=_cost_s)[: options.cheapest]
    results: dict[str, dict[str, Any]] = {}
    if options.results.exists():
        results = {
            line["problem"]: line for line in map(json.loads, options.results.read_text("utf-8").splitlines())
        }
    for problem in chosen:
        name = str(problem.relative_to(options.folder))
        if name not in results:
            results[name] = {"problem": name, **_run(problem, options.seconds)}
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[name]) + "\n")
            print(name, results[name]["outcome"], f"{results[name]['wall_s']} s", flush=True)
    _summarize([results[str(problem.relative_to(options.folder))] for problem in chosen])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cheapest", type=int, help="only so many of the sample, the cheapest")
    parser.add_argument("--seconds", type=float, default=900, help="wall time a problem")
    parser.add_argument("--results", type=Path, default=Path("library_checker.jsonl"))
    return parser.parse_args()


def _cost_s(problem: Path) -> float:
    """Return what the problem costs at most: its time limit for each solution on each test."""
    info = tomllib.loads((problem / "info.toml").read_text("utf-8"))
    tests = sum(test.get("number", 1) for test in info.get("tests", ()))
    return float(tests * (1 + len(info.get("solutions", ()))) * info.get("timelimit", 1))


def _load_all(problems: list[Path]) -> None:
    times, loaded = [], 0
    for problem in problems:
        start = time.perf_counter()
        try:
            load(problem, built=False)
            loaded += 1
        except PackageError as error:
            print(f"not loaded: {str(error)[:MESSAGE_LENGTH]}")
        times.append(time.perf_counter() - start)
    times.sort()
    print(f"loaded {loaded} of {len(problems)}; median {times[len(times) // 2]:.3f} s, slowest {times[-1]:.3f} s")


def _run(problem: Path, seconds: float) -> dict[str, Any]:
    """Judge the solutions of a problem, which makes its data and compares it with hash.json first."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "result.json"
        command = [*HARNESS, "judge", str(problem), "--json", str(report)]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            _, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGINT)
            process.communicate()
            return {"outcome": f"not done in {seconds:g} s", "wall_s": round(seconds)}
        content = report.read_text("utf-8").strip() if report.exists() else ""
    wall_s = round(time.perf_counter() - start)
    differing = [line.rpartition(" ")[2] for line in stderr.splitlines() if "against the lock" in line]
    if differing:
        return {"outcome": "data differs from hash.json", "wall_s": wall_s, "files": differing}
    if not content:
        return {"outcome": "not judged", "wall_s": wall_s, "says": stderr.strip()[:MESSAGE_LENGTH]}
    submissions = json.loads(content)["submissions"]
    wrong = [
        f"{one['path']}: {one['verdict']}" for one in submissions if not (one["expected"] or {}).get("met", True)
    ]
    counts = {"solutions": len(submissions), "unexpected": wrong}
    outcome = (
        "as expected" if process.returncode == 0 else "a solution is not as expected" if wrong else "exit code"
    )
    return {"outcome": outcome, "wall_s": wall_s, **counts, "exit_code": process.returncode}


def _summarize(results: list[dict[str, Any]]) -> None:
    print()
    for outcome, count in Counter(result["outcome"] for result in results).most_common():
        print(f"{count:4} {outcome}")
    judged = [result for result in results if "solutions" in result]
    unexpected = [text for result in judged for text in result["unexpected"]]
    print(f"{sum(result['solutions'] for result in judged)} solutions judged, {len(unexpected)} not as expected")
    for result in results:
        if result["outcome"] != "as expected":
            print(json.dumps(result))


if __name__ == "__main__":
    main()
