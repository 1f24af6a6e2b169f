"""Points in the legacy format: an output validator writes absolute points there, not a share."""

from dataclasses import replace

from harness.package import Aggregation, Group, Package, Program

_FLAG = "points="

# Python 3.9 and its standard library only: it runs on judge hosts. It contains the unchanged validator.
_WRAPPER = '''"""The output validator below for the legacy format: its share of the points becomes points."""

import os
import sys

SOURCE = {source!r}


def main():
    points = 1.0
    for argument in sys.argv[4:]:
        if argument.startswith({flag!r}):
            points = float(argument[len({flag!r}):])
            sys.argv.remove(argument)
    code = 0
    try:
        exec(compile(SOURCE, sys.argv[0], "exec"), {{"__name__": "__main__", "__file__": sys.argv[0]}})
    except SystemExit as stop:
        code = stop.code
    if code == 42:
        write_points(sys.argv[3], points)
    sys.exit(code)


def write_points(folder, points):
    share = os.path.join(folder, "score_multiplier.txt")
    total = os.path.join(folder, "score.txt")
    if os.path.exists(total):
        return
    factor = 1.0
    if os.path.exists(share):
        with open(share) as file:
            factor = float(file.read())
        os.remove(share)
    with open(total, "w") as file:
        file.write(repr(points * factor))


if __name__ == "__main__":
    main()
'''


def gives_points(package: Package) -> bool:
    """Return whether an output validator of a scoring package may give partial points for a case."""
    groups = [group for group in (package.secret.groups or (package.secret,)) if group.cases]
    by_case = any(group.aggregation is not Aggregation.PASS_FAIL for group in groups)
    sources = [file.read() for program in package.output_validators for file in program.files.values()]
    return package.scoring and by_case and any(b"score" in source for source in sources)


def wrapped(program: Program) -> Program | None:
    """Return the validator as one file that writes points; None if it is not a single Python file."""
    [*names] = program.files
    if len(names) != 1 or not names[0].endswith(".py"):
        return None
    [file] = program.files.values()
    source = file.read().decode("utf-8", errors="surrogateescape")
    text = _WRAPPER.format(source=source, flag=_FLAG)
    return replace(program, files={names[0]: replace(file, content=text.encode("utf-8", "surrogateescape"))})


def points_flag(group: Group) -> str:
    """Return the validator's flag for the points of one case of the group."""
    points = group.max_score
    if group.name == "sample" or points is None:
        return f"{_FLAG}1"
    if group.aggregation is Aggregation.SUM:
        points /= max(len(group.cases), 1)
    return f"{_FLAG}{points:.15g}"
