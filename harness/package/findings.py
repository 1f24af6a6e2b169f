"""What loading finds wrong: faults, which stop it, and warnings, with which the package can still be judged rightly."""

from dataclasses import field
from pathlib import PurePath

from harness.errors import Fault
from harness.values import dataclass

MOST = 1000  # of each kind: a hostile package must not fill the memory with complaints

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
        """Note what keeps the package from being judged rightly."""
        _note(self.faults, Fault(path=self._known(path), message=_short(message), line=line))

    def warn(self, path: PurePath, message: str, line: int | None = None) -> None:
        """Note what its author should mend, though judging does not depend on it."""
        _note(self.warnings, Fault(path=self._known(path), message=_short(message), line=line))

    def _known(self, path: PurePath) -> PurePath:
        if self.unpacked is None or not path.is_relative_to(self.unpacked[0]):
            return path
        return self.unpacked[1] / path.relative_to(self.unpacked[0])


def _short(message: str) -> str:
    """A message that quotes much without the middle: what is wrong stands first, the mend last."""
    return message if len(message) <= _LONGEST else f"{message[: _LONGEST // 2]} […] {message[-_LONGEST // 2 :]}"


def _note(findings: list[Fault], fault: Fault) -> None:
    if len(findings) < MOST and fault not in findings[-20:]:
        findings.append(fault)
    elif len(findings) == MOST:
        findings.append(Fault(path=fault.path, message=f"and more: only the first {MOST} are listed"))
