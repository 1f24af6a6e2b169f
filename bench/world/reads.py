"""Shapes read from sources: which share of right programs reads what most right programs of the same task read.

    python bench/world/reads.py FOLDER [--least 3] [-v]

FOLDER is ConDefects as published; tasks `abc*` only. Compared is the first guess of each program, without names, limits
and letters. A program that differs is not always misread: the input of a task may be read in several ways, and most of
its programs may be misread. With -v the programs that differ from at least --least others: what they read, and what
the others read.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from sets import condefects

from harness.package import Program
from harness.package.files import File
from harness.search.reads_of_programs import shapes_of_programs


def structure(text: str) -> str:
    """The shape's text without limits and letters; names are numbered, and only kept where they count something."""
    text = re.sub(r"string\(([^,]*),[^)]*\)", r"word(\1)", text).replace("word(1..10)", "word")
    names = list(dict.fromkeys(re.findall(r"([A-Za-z_]\w*):", text)))
    numbers = {name: f"x{number}" for number, name in enumerate(names)}
    text = re.sub(r"[A-Za-z_]\w*", lambda match: numbers.get(match[0], match[0]), text)
    counts = Counter(re.findall(r"x\d+", text))
    text = re.sub(
        r"(x\d+): [\w-]+\.\.\w+", lambda match: f"{match[1]}:" if counts[match[1]] > 1 else "number", text
    )
    text = re.sub(r"\(1\.\.10\)", "number", text)
    text = re.sub(r"\b([23]) \* number", lambda match: " ".join(["number"] * int(match[1])), text)
    return re.sub(r"\s+", " ", text)


def guess_of(path: Path) -> str:
    """The text of the first guess; "" if there is none."""
    program = Program(path=path.name, files={path.name: File(origin=path)})
    return next((shape.text for shape in shapes_of_programs([program])), "")


def printed(guesses: dict[str, list[tuple[Path, str]]], least: int | None) -> None:
    """The shares by language, then the programs that differ from at least `least` others; None: not these."""
    alike, total, differing = Counter[str](), Counter[str](), list[str]()
    for of_task in guesses.values():
        structures = Counter(structure(text) for _, text in of_task if text)
        most, times = structures.most_common(1)[0] if structures else ("", 0)
        for path, text in of_task:
            total[path.suffix] += 1
            alike[path.suffix] += bool(text) and structure(text) == most
            if least is not None and times >= least and structure(text) != most:
                differing.append(f"{path}\n    {' ; '.join(text.split(chr(10)))}\n    {most} ({times} programs)")
    for suffix in sorted(total):
        print(f"{suffix}: {alike[suffix]} of {total[suffix]} ({100 * alike[suffix] / total[suffix]:.1f} %)")
    print("\n".join(differing))


def main(words: Sequence[str] | None = None) -> None:
    """Read all right programs and compare those of each task."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--least", type=int, default=3)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args(words)
    guesses: dict[str, list[tuple[Path, str]]] = defaultdict(list)
    for pair in condefects(options.folder):
        guesses[pair.problem.partition("-")[0]].append((pair.right, guess_of(pair.right)))
    printed(guesses, options.least if options.verbose else None)


if __name__ == "__main__":
    main()
