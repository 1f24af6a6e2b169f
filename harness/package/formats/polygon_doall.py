"""The calls of generators in doall.sh or doall.bat of a Polygon package."""

import re
from collections.abc import Mapping
from pathlib import Path

from harness.package.files import Files
from harness.package.findings import Findings
from harness.values import dataclass

EXPECTED = 'gen-input-via-stdout.sh "GENERATOR ARGUMENTS" "TEST" NUMBER'
_NAMES = ("doall.sh", "doall.bat")
_CALLS = "gen-input-via-"
_COMMENT = re.compile(r"\s*(#|::|@?rem\b|@?echo\b)", re.IGNORECASE)
# The generator's call, the paths of the tests, their numbers.
_CALL = re.compile(
    r'gen-input-via-(stdout|files?)\.(?:sh|bat)\s+"([^"\n]{1,2000})"\s+"([^"\n]{1,2000})"\s+"?([\w:]{1,2000})"?'
)


@dataclass(frozen=True, kw_only=True)
class ScriptCall:
    """A generator's call. from_file: the name of the file that it writes, "" if it prints the test."""

    command: str
    from_file: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Script:
    """A script that makes tests. calls: by the path of the test. unread: numbers of lines that hold no proper call."""

    origin: Path
    calls: Mapping[str, ScriptCall]
    unread: tuple[int, ...]

    def note_unread(self, findings: Findings) -> None:
        """Add a fault for each line that should hold a call and does not."""
        for line in self.unread:
            findings.fault(self.origin, f"this call makes no test: expected {EXPECTED}", line)


def read_script(files: Files) -> Script | None:
    """Read doall.sh, or else doall.bat; None without either."""
    file = next((files[name] for name in _NAMES if name in files), None)
    if file is None:
        return None
    calls: dict[str, ScriptCall] = {}
    unread = []
    for number, line in enumerate(file.read().decode("utf-8", "replace").splitlines(), start=1):
        if _CALLS not in line or _COMMENT.match(line):
            continue
        match = _CALL.search(line)
        paths, names = (match[group].split(":") for group in (3, 4)) if match is not None else ([], [])
        if match is None or len(paths) != len(names):
            unread.append(number)
            continue
        program, _, arguments = match[2].removeprefix("wine ").partition(" ")
        command = " ".join((program.replace("\\", "/"), arguments))
        for path, name in zip(paths, names, strict=True):
            from_file = "" if match[1] == "stdout" else name
            calls[path.replace("\\", "/")] = ScriptCall(command=command, from_file=from_file, line=number)
    return Script(origin=file.origin, calls=calls, unread=tuple(unread))
