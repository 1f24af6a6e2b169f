"""Faults, which prevent correct judging of a package, and warnings, which do not."""

from dataclasses import field
from pathlib import Path, PurePath

from harness.errors import Fault
from harness.values import dataclass

MOST = 1000  # of each kind: a hostile package must not fill the memory with complaints

UNPACKED = ".unpacked"  # a note beside what was unpacked: where that lies in the archive
_LONGEST = 1000  # letters of a message


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Faults and warnings. last_key_counts: a doubled key is only a warning, because old tools take the last value.

    unpacked: the temporary folder that holds the package, and the path by which its owner knows that folder.
    """

    last_key_counts: bool = False
    unpacked: tuple[PurePath, PurePath] | None = None
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    def fault(self, path: PurePath, message: str, line: int | None = None) -> None:
        """Add a fault: with it the package cannot be judged rightly."""
        _note(self.faults, Fault(path=self.shown(path), message=_short(message), line=line))

    def warn(self, path: PurePath, message: str, line: int | None = None) -> None:
        """Add a warning: its author should fix it, judging does not depend on it."""
        _note(self.warnings, Fault(path=self.shown(path), message=_short(message), line=line))

    def shown(self, path: PurePath) -> PurePath:
        """Return the path of a file in messages: where it is in the archive, if it was unpacked from one."""
        if self.unpacked is None or not path.is_relative_to(self.unpacked[0]):
            return path
        return self.unpacked[1] / path.relative_to(self.unpacked[0])


def _short(message: str) -> str:
    """Cut the middle out of a long message: the fault comes first, the fix last."""
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST // 2]} […] {message[-_LONGEST // 2 :]}"


def _note(findings: list[Fault], fault: Fault) -> None:
    if len(findings) < MOST and fault not in findings[-20:]:
        findings.append(fault)
    elif len(findings) == MOST:
        findings.append(Fault(path=fault.path, message=f"and more: only the first {MOST} are listed"))


def shown_path(root: Path) -> tuple[PurePath, PurePath] | None:
    """Return `root` and its path in messages (archive.zip/folder) if an archive was unpacked there."""
    note = root.parent / UNPACKED
    try:
        return (root, PurePath(note.read_text("utf-8", "surrogateescape"))) if note.is_file() else None
    except (OSError, ValueError):
        return None
