"""Runs a package's own grader: lines of `VERDICT score` in, one such line out, exit code 0 (legacy, "Graders")."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from harness.build import Executable
from harness.errors import JudgeError
from harness.host.host import Host
from harness.package import Program
from harness.package.model import GroupGrading
from harness.results.verdict import PACKAGE_FORMAT_CODE, Verdict
from harness.rules.group_tree import Part
from harness.sandbox import Sandbox
from harness.sandbox.limits import Limits
from harness.values import dataclass

_LINE = re.compile(rb"\s*(AC|WA|TLE|RTE|MLE|OLE|JE)\s+([+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?)\s*")
_SHOWN_BYTES = 2000


@dataclass(frozen=True, kw_only=True)
class Graders:
    """The built graders, by path in the package. Called as a Grader from the thread that owns the pool."""

    host: Host
    limits: Limits
    executables: Mapping[str, Executable]
    _known: dict[tuple[object, ...], Part] = field(default_factory=dict, init=False)

    def __call__(self, grading: GroupGrading, parts: Sequence[Part]) -> Part:
        """What the grader says. Raises JudgeError, naming it, when it fails or says nothing sensible."""
        program = grading.grader
        if program is None:
            raise JudgeError("`grading: custom`, but graders/ holds no program")

        def run(sandbox: Sandbox, given: Program) -> Part:
            return self._run(sandbox, self.executables[given.path], grading.grader_flags, parts)

        key = (program.path, grading.grader_flags, tuple(parts))
        if key not in self._known:
            self._known[key] = self.host.pool.alone(run, program)
        return self._known[key]

    def _run(self, sandbox: Sandbox, grader: Executable, flags: Sequence[str], parts: Sequence[Part]) -> Part:
        with self.host.work_folder(sandbox) as work:
            given, stdout, stderr = work / "grader.in", work / "stdout", work / "stderr"
            given.write_text("".join(f"{_code(part)} {part.score!r}\n" for part in parts))
            command = grader.command(self.limits.memory_bytes, *flags)
            result = sandbox.run(command, grader.fit(self.limits), stdin=given, stdout=stdout, stderr=stderr)
            if result.exit_code != 0 or result.killed_for is not None:
                ended = result.killed_for or f"exit code {result.exit_code}, signal {result.signal}"
                raise JudgeError(f"{grader.program.origin}: the grader failed: {ended}\n{_said(stderr)}".strip())
            return _part(grader, _said(stdout).encode())


def _code(part: Part) -> str:
    return PACKAGE_FORMAT_CODE.get(part.verdict, "JE")


def _part(grader: Executable, said: bytes) -> Part:
    found = _LINE.fullmatch(said)
    if found is None:
        raise JudgeError(f"{grader.program.origin}: the grader must say `VERDICT score`, it said {said[:60]!r}")
    score = float(found[2]) if len(found[2]) < 100 else float("inf")
    if abs(score) == float("inf"):
        raise JudgeError(f"{grader.program.origin}: the grader gives more points than any number holds")
    return Part(verdict=Verdict(found[1].decode()), score=score)


def _said(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_SHOWN_BYTES).decode(errors="replace")
