"""What loading finds wrong: faults, which stop it, and warnings, with which the package can still be judged rightly."""

from dataclasses import dataclass, field
from pathlib import PurePath

from harness.errors import Fault

MOST = 1000  # of each kind: a hostile package must not fill the memory with complaints

_LONGEST = 1000  # letters of a message


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Everything found so far. last_key_counts: a key that stands twice is a warning, for old tools take the last.

    unpacked: the folder in which the package lies for now, and how its owner knows that place.
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


def _note(found: list[Fault], fault: Fault) -> None:
    if len(found) < MOST and fault not in found[-20:]:
        found.append(fault)
    elif len(found) == MOST:
        found.append(Fault(path=fault.path, message=f"and more: only the first {MOST} are listed"))
