"""Add an input to a package's data: as a literal case of its recipe, or as files if there is no recipe."""

import re
from pathlib import Path

import yaml

from harness.errors import Fault, PackageError, UsageError
from harness.files import atomic
from harness.package import Package
from harness.package.files import LEGAL_NAME
from harness.package.workspace import RECIPE

_NUMBER = re.compile(r"^[0-9]+-")
MOST_BYTES = 10_000  # literals in a recipe should be readable


def promote(package: Package, name: str, data: bytes, answer: bytes | None) -> Path:
    """Add the input as the secret case `name` (`group1/name` in a group); return the file that was written.

    Raises UsageError for a name or an input that is not allowed there.
    """
    if package.foreign_family is not None:
        raise UsageError(
            f"--promote: a case of a {package.foreign_family} package is added by hand: use --save FILE"
        )
    if not all(LEGAL_NAME.fullmatch(part) for part in name.split("/")):
        raise UsageError(f"--promote: the name {name!r} is not allowed: use letters, digits, _ . -")
    if any(case.name == f"secret/{name}" for case in package.secret.all_cases()):
        raise UsageError(f"--promote: there is a case secret/{name} already")
    recipe = package.files.get(RECIPE)
    if recipe is None:
        return _as_files(package.root / "data" / "secret" / name, data, answer)
    text = recipe.read().decode("utf-8")
    atomic.write(recipe.origin, _with_case(recipe.origin, text, name, data).encode())
    return recipe.origin


def _as_files(path: Path, data: bytes, answer: bytes | None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    input_file = path.with_name(f"{path.name}.in")
    atomic.write(input_file, data)
    if answer is not None:
        atomic.write(path.with_name(f"{path.name}.ans"), answer)
    return input_file


def _with_case(origin: Path, text: str, name: str, data: bytes) -> str:
    """Add a case at the end of its group in the text of the recipe; everything else stays as it is."""
    if len(data) > MOST_BYTES or not data.endswith(b"\n") or not _is_plain(data):
        raise UsageError(
            f"--promote: only printable inputs of at most {MOST_BYTES} bytes go into a recipe: use --save"
        )
    *groups, own = name.split("/")
    cases = _cases_at(origin, text, ["secret", *groups])
    if not isinstance(cases, yaml.CollectionNode) or not cases.value or cases.flow_style:
        message = f"`{'/'.join(['secret', *groups])}` has no cases one below the other: add this one by hand"
        raise PackageError([Fault(path=origin, message=message)])
    numbered = isinstance(cases, yaml.SequenceNode)
    if numbered:  # the position in the list gives the number
        own = _without_number(own)
    elif any(key.value == own for key, _ in cases.value):
        raise UsageError(f"--promote: the recipe has a case {name} already")
    column = _column(cases)
    indent, inner = " " * column, " " * (column + 2 * numbered)
    lines = text.splitlines(keepends=True)
    end = _last_line(cases, lines)
    body = "".join(f"{inner}    {line}\n" for line in data.decode("ascii").splitlines())
    case = f"{indent}{'- ' * numbered}{own}:\n{inner}  in: |2\n{body}"
    before = "".join(lines[:end])
    return before + ("" if before.endswith("\n") else "\n") + case + "".join(lines[end:])


def _column(cases: yaml.CollectionNode) -> int:
    """Return the column of the cases' entries."""
    first = cases.value[-1][0] if isinstance(cases, yaml.MappingNode) else cases
    return int(first.start_mark.column)


def _without_number(name: str) -> str:
    return _NUMBER.sub("", name) or name


def _is_plain(data: bytes) -> bool:
    return data.isascii() and all(
        line.decode("ascii").isprintable() and line.strip() for line in data.splitlines()
    )


def _last_line(cases: yaml.CollectionNode, lines: list[str]) -> int:
    """Return the index of the line after the cases, without blank lines and comments that belong to the next part."""
    column = _column(cases)
    at_end = cases.end_mark.buffer is not None and cases.end_mark.pointer >= len(cases.end_mark.buffer) - 1
    end = len(lines) if at_end else cases.end_mark.line
    while end > 0 and _belongs_to_next_part(lines[end - 1], column):
        end -= 1
    return end


def _belongs_to_next_part(line: str, column: int) -> bool:
    """Return whether a line is blank or a comment; one that is indented deeper may be a row of a literal grid."""
    rest = line.lstrip()
    return not rest or (rest.startswith("#") and len(line) - len(rest) <= column)


def _cases_at(origin: Path, text: str, groups: list[str]) -> yaml.Node | None:
    """Return the node that holds the cases of a group."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise PackageError([Fault(path=origin, message=f"is no YAML: {error}")]) from error
    for group in groups:
        node = _child(_child(node, "data"), group)
    return _child(node, "data")


def _child(node: yaml.Node | None, key: str) -> yaml.Node | None:
    """Return the value of a key of a mapping, or of a list of mappings, whose keys may begin with a number."""
    if isinstance(node, yaml.SequenceNode):
        children = (_child(item, key) or _child(item, _without_number(key)) for item in node.value)
        return next((child for child in children if child is not None), None)
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)
