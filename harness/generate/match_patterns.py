"""`match`: patterns that a case's files must hold, so that a case which tells something goes on telling it.

The patterns are a stranger's, and one may take for ever: they are looked for by a program in the sandbox.
"""

from collections.abc import Mapping
from pathlib import Path

from harness.package import Program
from harness.package.files import File
from harness.package.yaml_lines import Section, Value

TIME_S = 10.0
_SOURCE = b"""import re
import sys

text = sys.stdin.buffer.read().decode("utf-8", "replace")
for number, pattern in enumerate(sys.argv[1:]):
    try:
        found = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    except (re.error, OverflowError, RecursionError):
        print(number, "is no regular expression")
    else:
        if not found:
            print(number, "is not found")
"""


def matcher() -> Program:
    """The program: patterns as arguments, the file as input; prints a line for each that is not there."""
    return Program(path="match.py", files={"match.py": File(origin=Path("match.py"), content=_SOURCE)})


def read_match(value: Value | None) -> Mapping[str, tuple[str, ...]]:
    """The patterns by the file's extension; a string or a list is about the input."""
    if value is None:
        return {}
    if not value.is_mapping:
        return {".in": _patterns(value)}
    section = Section(value=value)
    found = {f".{key}": _patterns(one) for key in ("in", "ans") if (one := section.take(key)) is not None}
    section.finish("`match`")
    return found


def _patterns(value: Value) -> tuple[str, ...]:
    plain = value.plain
    found = tuple(plain) if isinstance(plain, list) else (plain,)
    if all(isinstance(one, str) and _is_text(one) for one in found):
        return found
    value.fault("`match` is a string, a list of strings, or a mapping of `in` and `ans` to these")
    return ()


def _is_text(pattern: str) -> bool:
    """Whether it can be the argument of a program."""
    try:
        return b"\0" not in pattern.encode()
    except UnicodeEncodeError:
        return False


def told(name: str, patterns: tuple[str, ...], printed: bytes) -> list[str]:
    """What the program's lines say, in words."""
    lines = (line.partition(" ") for line in printed.decode("ascii", "replace").splitlines())
    return [
        f"{name}: `match`: {patterns[int(number)]!r} {what}"
        for number, _, what in lines
        if number.isascii() and number.isdigit() and len(number) < 6 and int(number) < len(patterns)
    ]
