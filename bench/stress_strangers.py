"""Buggy programs of strangers through `harness stress`: with a shape, with samples only, with a generator only.

    python bench/stress_strangers.py [SECONDS] [WORD] [MODES]

Each search gets SECONDS (30). With WORD only programs in whose path it occurs; MODES of `shape,samples,gen`. Prints a
table in Markdown: the size of what was found and the seconds.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
STRANGERS = ROOT / "tests" / "search" / "strangers"
OURS = ("slow.py", "gen.py")


def bugs(word: str) -> list[Path]:
    """The programs, by problem."""
    found = [one for end in ("cpp", "py") for one in STRANGERS.glob(f"*/*.{end}") if one.name not in OURS]
    return sorted(one for one in found if word in str(one.relative_to(STRANGERS)))


def searched(bug: Path, mode: str, time_s: str) -> str:
    """A cell of the table."""
    problem = bug.parent
    options = problem / "options.txt"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(bug, folder / bug.name)
        words = ["--brute", str(problem / "slow.py"), "--time", time_s, "--save", str(folder / "found.in")]
        words += options.read_text("utf-8").split() if options.exists() else []
        if mode == "shape":
            if not (problem / "shape.txt").exists():
                return "-"
            words += ["--shape", str(problem / "shape.txt")]
        if mode == "gen":
            words += ["--gen", str(problem / "gen.py")]
        if mode == "samples":
            for sample in problem.glob("*.in"):
                shutil.copy(sample, folder / sample.name)
        began_s = time.monotonic()
        command = [str(Path(sys.executable).parent / "harness"), "stress", str(folder / bug.name), *words]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        took = f"{time.monotonic() - began_s:.0f} s"
        if ran.returncode == 0:
            return f"not found, {took}"
        if ran.returncode != 1:
            return f"error: {ran.stderr.strip()[-200:]}"
        size = (folder / "found.in").stat().st_size
        story = re.search(r"found after (\d+) inputs", ran.stdout)
        return f"{size}{' proven' if 'proven' in ran.stdout else ''}, {story[1] if story else '?'} tried, {took}"


def main() -> None:
    """Run and print."""
    time_s = sys.argv[1] if len(sys.argv) > 1 else "30"
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    modes = sys.argv[3].split(",") if len(sys.argv) > 3 else ["shape", "samples", "gen"]
    print(f"| program | {' | '.join(modes)} |\n|{' --- |' * (len(modes) + 1)}")
    for bug in bugs(word):
        cells = [searched(bug, mode, time_s) for mode in modes]
        print(f"| {bug.relative_to(STRANGERS)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
