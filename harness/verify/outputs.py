"""Output validators: they accept the jury's answers and refuse junk, without ever crashing."""

from collections.abc import Iterator, Mapping, Sequence

from harness.check import Judgement
from harness.check.output_check import OutputCheck, output_check_for
from harness.errors import JudgeError
from harness.package import Case, Package, ProblemType
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.values import dataclass
from harness.verify.changed_answers import changed, probed, tell_changed
from harness.verify.context import Setting
from harness.verify.findings import Findings, Level, PartResult
from harness.verify.junk_outputs import Junk, junk

_Points = tuple[float | None, float | None]  # as score.txt and as score_multiplier.txt

OTHERS = 3
HUGE_CASES = 2


def check_outputs(setting: Setting) -> PartResult:
    """The part `outputs`."""
    package = setting.package
    if ProblemType.INTERACTIVE in package.types or ProblemType.MULTI_PASS in package.types:
        summary = "the validator talks with the submission: the wrong submissions are its tests"
        return PartResult(part="outputs", summary=summary, skipped=True)
    trial = _Trial(setting=setting, check=output_check_for(package, setting.host))
    findings, tried = Findings(), 0
    others: list[bool] = []
    refused: dict[str, str] = {}
    changes: dict[str, Mapping[str, bool]] = {}
    for case, outcome in setting.host.pool.each(trial.of_case, list(_tasks(package.judged_cases()))):
        setting.progress(case.case.name)
        tried += outcome.tried
        others += outcome.others
        for level, message in outcome.found:
            findings.add(level, case.case.name, message)
        changes[case.case.name] = outcome.changes
        if outcome.refused is not None:
            refused[case.case.name] = outcome.refused
    if package.output_validators and not refused:
        tell_changed(setting, changes, findings)
    _tell_refused(package, refused, findings)
    _tell_others(others, findings)
    shown = _fixed(setting, trial, findings)
    kind = "the package's output validator" if package.output_validators else "the default output validator"
    return PartResult(
        part="outputs",
        summary=f"{kind}: {len(package.judged_cases())} jury answers, {shown} outputs with a known verdict, "
        f"{tried} pieces of junk, {len(others)} answers of other cases",
        findings=findings.result(),
    )


@dataclass(frozen=True, kw_only=True)
class _Task:
    """A case, the answers of some other cases, and whether to try large outputs, and changes of the answer, too."""

    case: Case
    others: tuple[Case, ...]
    huge: bool
    changes: bool


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    """others: for each answer of another case, whether it was accepted for the points of the own one.

    refused: what was said of the own answer. changes: by kind, whether a change of the answer was accepted like it.
    """

    found: tuple[tuple[Level, str], ...]
    refused: str | None
    tried: int
    others: tuple[bool, ...]
    changes: Mapping[str, bool]


def _tasks(cases: Sequence[Case]) -> Iterator[_Task]:
    answered = [case for case in cases if case.answer is not None]
    changed_too = {case.name for case in probed(answered)}
    for number, case in enumerate(answered):
        others = [answered[(number + step) % len(answered)] for step in range(1, OTHERS + 1)]
        others = [other for other in others if _tokens(other) != _tokens(case)]
        yield _Task(case=case, others=tuple(others), huge=number < HUGE_CASES, changes=case.name in changed_too)


def _tokens(case: Case) -> list[bytes]:
    return case.answer.read().split() if case.answer is not None else []


def _tell_refused(package: Package, refused: Mapping[str, str], findings: Findings) -> None:
    """Of a refused answer one is wrong, it or the validator; but answers may be no outputs (2025-09, "Invocation").

    They are none where the validator refuses all that people do not see (of one alone nobody knows, unless there is no
    other); one that is shown must be an output even then.
    """
    answered = [case for case in package.judged_cases() if case.answer is not None]
    hidden = [case for case in answered if not _is_shown(case)]
    enough = len(hidden) > 1 or len(refused) == len(answered)
    no_outputs = bool(package.output_validators) and enough and all(case.name in refused for case in hidden)
    for case in answered:
        if case.name in refused and (not no_outputs or _is_shown(case)):
            findings.error(case.name, f"the jury's answer is not accepted: {refused[case.name]}")
    if no_outputs and refused:
        what = "no jury answer" if len(refused) == len(answered) else "no jury answer that people do not see"
        findings.warning("output validator", f"accepts {what}: right only where answers are no outputs")


def _is_shown(case: Case) -> bool:
    """Whether people see the answer itself, with nothing in its place."""
    instead = case.output is not None or case.shown.keys() & {".ans.statement", ".interaction"}
    return case.name.startswith("sample/") and not instead


def _tell_others(others: Sequence[bool], findings: Findings) -> None:
    if others and all(others):
        findings.error("output validator", "accepts the answer of any other case: does it look at all?")
    elif any(others):
        accepted = f"{sum(others)} of {len(others)} answers of other cases accepted"
        findings.note("output validator", f"{accepted}: right where one output answers several cases")


def _fixed(setting: Setting, trial: "_Trial", findings: Findings) -> int:
    """Outputs whose verdict the package knows: valid_output and what is shown must pass, invalid_output must fail."""
    wanted = [(case, True) for case in setting.package.judged_cases() if case.output is not None]
    wanted += [(case, True) for case in setting.package.valid_outputs]
    wanted += [(case, False) for case in setting.package.invalid_outputs]
    for (case, _), fault in setting.host.pool.each(trial.fixed, wanted):
        setting.progress(case.name)
        if fault is not None:
            findings.error(case.name, fault)
    return len(wanted)


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """Feeds one package's validators. All of them must accept; none: the default one."""

    setting: Setting
    check: OutputCheck

    def of_case(self, sandbox: Sandbox, task: _Task) -> _Outcome:
        """The jury's answer, junk, and answers of other cases."""
        answer = task.case.answer.read() if task.case.answer is not None else b""
        found: list[tuple[Level, str]] = []
        verdict, message, points = self._verdict(sandbox, task.case, answer)
        if verdict is None:
            found.append((Level.ERROR, f"the jury's answer is not accepted: {message}"))
        pieces = tuple(junk(answer, huge=task.huge))
        for piece in pieces:
            found += self._try(sandbox, task.case, piece)
        theirs = [other.answer.read() for other in task.others if other.answer is not None]
        judged = [self._verdict(sandbox, task.case, other) for other in theirs]
        return _Outcome(
            found=tuple(found),
            refused=message if verdict is False else None,
            tried=len(pieces),
            others=tuple(accepted is True and given == points for accepted, _, given in judged),
            changes=self._changes(sandbox, task, answer, points),
        )

    def _changes(self, sandbox: Sandbox, task: _Task, answer: bytes, points: _Points) -> dict[str, bool]:
        """By kind, whether the package's own validators accept a change of the answer for as many points."""
        found: dict[str, bool] = {}
        for one in changed(answer) if task.changes and self.check.validators else ():
            if not found.get(one.kind):
                accepted, _, given = self._verdict(sandbox, task.case, one.content)
                found[one.kind] = accepted is True and given == points
        return found

    def fixed(self, sandbox: Sandbox, task: tuple[Case, bool]) -> str | None:
        """What is wrong with the verdict on an output that the package itself gives."""
        case, good = task
        try:
            judgement = self._judge(sandbox, case, case.output.read() if case.output is not None else b"")
        except JudgeError as error:
            return str(error)
        accepted = judgement.verdict is Verdict.ACCEPTED  # also for no points: the format asks for no more
        if good:
            return None if accepted else f"its `.out` must be accepted, was refused: {judgement.message}"
        return "its `.out` must be refused, was accepted" if accepted else None

    def _try(self, sandbox: Sandbox, case: Case, piece: Junk) -> Iterator[tuple[Level, str]]:
        verdict, message, _ = self._verdict(sandbox, case, piece.content)
        if verdict is None:
            yield Level.ERROR, f"crashes on {piece.kind}: {message}"
        elif verdict:
            yield (Level.ERROR if piece.wrong else Level.WARNING), f"accepts {piece.kind}"

    def _verdict(self, sandbox: Sandbox, case: Case, output: bytes) -> tuple[bool | None, str, _Points]:
        """Whether the output is accepted for more than no points, None for a crash; what was said; the points."""
        try:
            judgement = self._judge(sandbox, case, output)
        except JudgeError as error:
            return None, str(error), (None, None)
        points = (judgement.score, judgement.score_multiplier)
        # Where less is better, no points are the most that there is.
        worthless = 0 in points and not self.setting.package.minimize
        return judgement.verdict is Verdict.ACCEPTED and not worthless, judgement.message, points

    def _judge(self, sandbox: Sandbox, case: Case, output: bytes) -> Judgement:
        with self.setting.host.work_folder(sandbox) as work, self.check.open(sandbox, case, work) as check:
            return check.judge_bytes(output)
