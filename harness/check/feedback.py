"""What a validator leaves behind: its exit code and its feedback folder, read as files of a stranger."""

import re
from pathlib import Path

from harness.check.classify import Judgement
from harness.check.judge_programs import ACCEPT, REJECT
from harness.errors import JudgeError
from harness.files import untrusted
from harness.results.verdict import Reason, Verdict
from harness.sandbox import KillReason, RunResult
from harness.values import dataclass

MESSAGE_BYTES = 4096
NEXT_PASS = "nextpass.in"

_SCORE = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?")
_SCORE_BYTES = 100
# Where a validator that gives up says why; legacy has a file of its own for it.
_LAST_WORDS = ("judgeerror.txt", "judgemessage.txt")


@dataclass(frozen=True, kw_only=True)
class FeedbackRules:
    """What a feedback folder may hold. multi_pass: `nextpass.in`; score_on_reject: a score that nobody will read.

    (legacy says nothing of the latter, and packages do it.)
    """

    multi_pass: bool = False
    score_on_reject: bool = False
    most_input_bytes: int = 8 << 20


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """The feedback folder of one program. `name` is the file that a person opens to mend it."""

    name: Path
    folder: Path
    rules: FeedbackRules = FeedbackRules()

    def judgement(self, result: RunResult, stderr: Path) -> Judgement:
        """What the end of a run says. Raises JudgeError, naming the program, for whatever is not 42 or 43."""
        if result.killed_for is KillReason.REQUEST:
            return Judgement(verdict=Verdict.SKIPPED, reason=Reason.INTERRUPTED)
        if result.killed_for is not None:
            raise self._error(f"the validator was stopped for its {result.killed_for}")
        if result.exit_code not in (ACCEPT, REJECT):
            ended = f"signal {result.signal}" if result.signal else f"exit code {result.exit_code}"
            said = "\n".join(filter(None, (_text(stderr), *(_text(self.folder / name) for name in _LAST_WORDS))))
            raise self._error(f"the validator ended with {ended}, not 42 or 43\n{said}".strip())
        return self._accepted() if result.exit_code == ACCEPT else self._rejected()

    def next_pass(self, target: Path) -> bool:
        """Move `nextpass.in`, if there is one, to `target`. Raises JudgeError for one that is no honest file."""
        path = self.folder / NEXT_PASS
        if not self.rules.multi_pass or not _is_there(path):
            return False
        content = untrusted.first_bytes(path, self.rules.most_input_bytes + 1)
        if content is None:
            raise self._error(f"{NEXT_PASS} is no regular file that can be read")
        if len(content) > self.rules.most_input_bytes:
            raise self._error(f"{NEXT_PASS} is larger than {self.rules.most_input_bytes} bytes")
        path.unlink()
        target.write_bytes(content)
        return True

    def remove(self) -> None:
        """Delete the folder."""
        untrusted.remove(self.folder)

    def _accepted(self) -> Judgement:
        score, multiplier = self._number("score.txt"), self._number("score_multiplier.txt")
        if score is not None and multiplier is not None:
            raise self._error("the validator wrote score.txt and score_multiplier.txt")
        message = _text(self.folder / "judgemessage.txt")
        return Judgement(verdict=Verdict.ACCEPTED, message=message, score=score, score_multiplier=multiplier)

    def _rejected(self) -> Judgement:
        if self.rules.multi_pass and _is_there(self.folder / NEXT_PASS):
            raise self._error(f"the validator rejects, and yet wrote {NEXT_PASS}")
        for name in ("score.txt", "score_multiplier.txt"):
            if not self.rules.score_on_reject and _is_there(self.folder / name):
                raise self._error(f"the validator rejects, and yet wrote {name}")
        message = _text(self.folder / "judgemessage.txt")
        return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)

    def _number(self, name: str) -> float | None:
        path = self.folder / name
        if not _is_there(path):
            return None
        text = (untrusted.first_bytes(path, _SCORE_BYTES) or b"").strip()
        if not _SCORE.fullmatch(text):
            raise self._error(f"{name} holds {text[:40]!r}, not a number")
        number = float(text)
        if number == float("inf"):
            raise self._error(f"{name} holds {text[:40]!r}, more than any score")
        return number

    def _error(self, message: str) -> JudgeError:
        return JudgeError(f"{self.name}: {message}")


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _text(path: Path) -> str:
    return (untrusted.first_bytes(path, MESSAGE_BYTES) or b"").decode(errors="replace").strip()
