"""The findings of a verification: values that convert to JSON and back, so that they can be stored."""

import dataclasses
import enum
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from harness.errors import HarnessError, JudgeError, MachineError, first_few
from harness.values import dataclass

VERIFY_SCHEMA_VERSION = 1
_LONGEST_LINE = 200  # letters of a program's message
MOST_SUBJECTS = 6  # a finding names this many and counts the rest

# A file may be called error.h: try the compilers' own wording first, then the word anywhere.
_ERROR = re.compile(r"error(\[\w{1,20}\])?:", re.IGNORECASE)
_NEAR_ERROR = re.compile(r"error", re.IGNORECASE)


# The figure with which a limit was passed is another one in each run (`RunResult.ending`).
_MEASURED = re.compile(r"(stopped at its limit[a-z ]*), (?:after|with) [0-9.]+")


class Level(enum.StrEnum):
    """error: the package is wrong. warning: it may be. note: worth knowing.

    unmeasured: it may be wrong, but this machine could not decide it: other work kept it too busy, or it lacks a tool.
    """

    ERROR = "error"
    UNMEASURED = "unmeasured"
    WARNING = "warning"
    NOTE = "note"


def failing_levels(*, strict: bool) -> tuple[Level, ...]:
    """Return the levels of findings with which a package does not hold; strict: warnings are among them."""
    return (Level.ERROR, Level.WARNING) if strict else (Level.ERROR,)


def level_of(error: HarnessError) -> Level:
    """Return how bad it is that a part could not be checked: this machine may be the cause, or the package."""
    return Level.UNMEASURED if isinstance(error, MachineError) else Level.ERROR


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A fault or a note. subject: its file, case or submission. message: what is wrong, and the fix."""

    level: Level
    subject: str
    message: str


@dataclass(frozen=True, kw_only=True)
class PartResult:
    """The result of one part. part: its name, which `Verifier` fills in. summary: one line on what was checked.

    columns, rows: the part's own table, if any.

    skipped: there was nothing to check. cached: the result is of an earlier call on the same content.
    disturbed: a later call should measure again, because other work kept the machine busy or a judge program failed.
    figures: measured numbers for programs that read the result; the unit ends the name (`slowest_accepted_s`).
    """

    part: str = ""
    summary: str
    findings: tuple[Finding, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    skipped: bool = False
    cached: bool = False
    disturbed: bool = False
    wall_s: float = 0.0
    figures: Mapping[str, float] = field(default_factory=dict)

    def count(self, level: Level) -> int:
        """Return the number of findings of this level."""
        return sum(finding.level is level for finding in self.findings)

    @property
    def holds(self) -> bool:
        """Return whether there is no error."""
        return self.count(Level.ERROR) == 0


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The results of all parts. tier: how well programs were contained."""

    problem: str
    title: str
    tier: str
    parts: tuple[PartResult, ...]

    def holds(self, *, strict: bool = False) -> bool:
        """Return whether the package has no errors; strict: no warnings either."""
        return not any(part.count(level) for part in self.parts for level in failing_levels(strict=strict))

    @property
    def decided(self) -> bool:
        """Return whether every possible error was measured."""
        return not any(part.count(Level.UNMEASURED) for part in self.parts)


def verification_as_json(verification: Verification, *, strict: bool = False) -> dict[str, object]:
    """Return the verification as JSON values."""
    return {
        "schema_version": VERIFY_SCHEMA_VERSION,
        "problem": verification.problem,
        "title": verification.title,
        "tier": verification.tier,
        "holds": verification.holds(strict=strict),
        "decided": verification.decided,
        "parts": [{**dataclasses.asdict(part), "holds": part.holds} for part in verification.parts],
    }


@dataclass(kw_only=True)
class FindingCollector:
    """Collects findings; the same message about many subjects becomes one finding that names the first few.

    Messages that differ only in a measured figure are the same.

    judge_failed: a judge program failed, but not by a crash, so perhaps only because the machine was busy.
    """

    judge_failed: bool = False
    _subjects: dict[tuple[Level, str], list[str]] = field(default_factory=dict)
    _messages: dict[str, str] = field(default_factory=dict)

    def add(self, level: Level, subject: str, message: str | JudgeError) -> None:
        """Add a finding."""
        self.judge_failed = self.judge_failed or (isinstance(message, JudgeError) and not message.crashed)
        kind = _MEASURED.sub(r"\1", str(message))
        self._messages.setdefault(kind, str(message))
        self._subjects.setdefault((level, kind), []).append(subject)

    def error(self, subject: str, message: str | JudgeError) -> None:
        """Add something that is wrong."""
        self.add(Level.ERROR, subject, message)

    def warning(self, subject: str, message: str) -> None:
        """Add something that may be wrong."""
        self.add(Level.WARNING, subject, message)

    def unmeasured(self, subject: str, message: str) -> None:
        """Add something that seems wrong while the machine is too busy to decide it."""
        self.add(Level.UNMEASURED, subject, f"could not be measured now, the machine is too busy: {message}")

    def note(self, subject: str, message: str) -> None:
        """Add something that is worth knowing."""
        self.add(Level.NOTE, subject, message)

    def result(self) -> tuple[Finding, ...]:
        """Return the findings: the worst level first, then in the order in which they were added."""
        order = sorted(self._subjects.items(), key=lambda item: list(Level).index(item[0][0]))
        return tuple(
            Finding(
                level=level,
                subject=first_few(sorted(set(subjects)), MOST_SUBJECTS),
                message=self._messages[kind],
            )
            for (level, kind), subjects in order
        )

    def part(self, summary: str, *, disturbed: bool = False, **facts: Any) -> PartResult:
        """Return the result of a part with these findings. facts: other fields of PartResult."""
        disturbed = disturbed or self.judge_failed
        return PartResult(summary=summary, findings=self.result(), disturbed=disturbed, **facts)


def first_line(text: str) -> str:
    """Return the first line of a program's message, cut."""
    return text.strip().partition("\n")[0][:_LONGEST_LINE]


def crash_line(text: str) -> str:
    """Return the first line of a message, and the last one, if it is that of a traceback."""
    first, last = first_line(text), first_line(text.strip().rpartition("\n")[2])
    return f"{first}: {last}" if "Traceback (most recent call last)" in text else first


def error_line(text: str) -> str:
    """Return the first line of a compiler's output that names an error, skipping include lines."""
    lines = text.strip().splitlines()
    for wanted in (_ERROR, _NEAR_ERROR):
        for line in lines:
            if wanted.search(line):
                return line.strip()[:_LONGEST_LINE]
    return first_line(text)
