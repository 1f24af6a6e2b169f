"""Proof that our exports are read by others: each problem's zip, unpacked, judged by its reader.

    python bench/export_proof.py [PROBLEM…]

legacy: `verifyproblem -p config data validators submissions` (problemtools), with a languages.yaml that names CPython.
2025-09: `bt validate` and `bt run` (BAPCtools; it rejects scoring). All three: our own judge finds in each what it
finds in the source: points in scoring problems (which DOMjudge's format does not hold), else verdicts.

The peers come from PyPI into virtual environments of
their own under $XDG_CACHE_HOME/harness/bench. Exit code 1 if one of them reports an error. Run it on a quiet machine:
verifyproblem computes its own time limit from what it measures.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from peers import LANGUAGES, peer, write_languages

ROOT = Path(__file__).parent.parent
PROBLEMS = ("apples", "bridgit", "deadlock", "eightqueens", "sokoban", "therock")
# bt exits with 1 for a warning too, and wants of every problem what the format does not know.
NO_ANSWER_VALIDATOR = "WARNING: No dedicated answer validators found."


def unpacked(problem: str, target: str, folder: Path) -> Path:
    """The package that the export holds."""
    zipped = folder / f"{target}-{problem}.zip"
    command = [sys.executable, "-m", "harness", "export", problem, "--format", target, "--output", zipped]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(zipped) as archive:
        archive.extractall(folder / target)
    return folder / target / problem


def run(command: list[str | Path], folder: Path, config: Path) -> tuple[int, str]:
    """Exit code and all that was said."""
    path = f"/usr/bin:/bin:{os.environ['PATH']}"
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}  # PYTHONUNBUFFERED
    environment = {**ours, "PATH": path, "XDG_CONFIG_HOME": str(config)}
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=environment)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def legacy(problem: str, folder: Path, config: Path) -> bool:
    """Whether verifyproblem finds no error."""
    package = unpacked(problem, "legacy", folder)
    parts = ["-p", "config", "data", "validators", "submissions"]
    _, said = run([peer("problemtools"), package, *parts], folder, config)
    found = re.search(r"(\d+) errors?, (\d+) warnings?", said)
    errors = [line for line in said.splitlines() if line.startswith("ERROR")]
    print(f"{problem:12} legacy   verifyproblem: {found[0] if found else said[-500:]}", flush=True)
    print("".join(f"    {line[:300]}\n" for line in errors), end="", flush=True)
    return found is not None and found[1] == "0"


def current(problem: str, folder: Path, config: Path) -> bool:
    """Whether bt validates the data and agrees with every submission; True for scoring, which it rejects."""
    package = unpacked(problem, "2025-09", folder)
    if "type: scoring" in (package / "problem.yaml").read_text():
        print(f"{problem:12} 2025-09  bt: rejects scoring", flush=True)
        return True
    (folder / "2025-09" / "languages.yaml").write_text(LANGUAGES)
    well = True
    for command in (["validate"], ["run"]):
        code, said = run([peer("bapctools"), *command, "--no-bar"], package, config)
        errors = [
            line for line in said.splitlines() if re.search(r"(?<!run_time_)error|fatal", line, re.IGNORECASE)
        ]
        warnings = [line for line in said.splitlines() if line.startswith("WARNING")]
        print(f"{problem:12} 2025-09  bt {command[0]}: exit code {code}", flush=True)
        print("".join(f"    {line[:300]}\n" for line in (*errors[:10], *warnings[:10])), end="", flush=True)
        well = well and (code == 0 or (not errors and warnings == [NO_ANSWER_VALIDATOR]))
    return well


def own(problem: str, folder: Path, config: Path) -> bool:
    """Whether our own judge finds in each export what it finds in the source; submissions left behind do not count."""
    source = judged(problem, folder)
    well = bool(source)
    for target in ("2025-09", "legacy", "domjudge"):
        unpacked(problem, target, folder)
        found = judged(str(folder / f"{target}-{problem}.zip"), folder)
        lossy = target == "domjudge" and any(isinstance(value, float) for value in source.values())
        other = [name for name, value in found.items() if source.get(name) != value and not lossy]
        print(
            f"{problem:12} {target:8} own judge: {len(found)} of {len(source)}, otherwise: {other or 'none'}",
            flush=True,
        )
        well = well and bool(found) and not other
    return well


def judged(package: str, folder: Path) -> dict[str, object]:
    """Points of each submission, by its file's name; the verdict where there are no points."""
    result = folder / "result.json"
    command = [sys.executable, "-m", "harness", "judge", package, "--quiet", "--json", result]
    subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    submissions = json.loads(result.read_bytes())["submissions"] if result.exists() else []
    result.unlink(missing_ok=True)
    # Only names: an export may move a submission to another folder.
    return {
        Path(one["path"]).name: one["verdict"] if one["score"] is None else one["score"] for one in submissions
    }


def main() -> None:
    problems = sys.argv[1:] or PROBLEMS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        config = folder / "config"
        write_languages(config)
        outcomes = [proof(problem, folder, config) for problem in problems for proof in (own, legacy, current)]
    sys.exit(0 if all(outcomes) else 1)


if __name__ == "__main__":
    main()
