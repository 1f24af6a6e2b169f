"""The part `outputs`: output validators accept the jury's answers and refuse junk, without ever crashing."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from harness.build.executable import Executable
from harness.check.output_check import CaseCheck, OutputCheck, output_check_for
from harness.errors import JudgeError, counted
from harness.judge.run_case import submission_limits
from harness.package import Case, Package, ProblemType
from harness.package.model import is_sample_name
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.values import dataclass
from harness.verify.broken_texts import ONE_OFF, BrokenText, changed_answers, cheap_cases, junk_outputs
from harness.verify.findings import FindingCollector, Level, PartResult
from harness.verify.players import check_games
from harness.verify.setting import Setting, warn_of_mended

_Points = tuple[float | None, float | None]  # of score.txt, of score_multiplier.txt

OTHER_CASES = 3  # other cases whose answers are judged on a case
HUGE_CASES = 2  # cases on which large junk is tried
MOST_CHANGED_CASES = 20  # cases on which changes of the answer are tried
LEAST_CHANGED_CASES = 2  # fewer cases prove nothing
LARGEST_CHANGED_ANSWER = 20_000  # bytes
MOST_CASES_RUN = 3  # cases on which accepted solutions are run
_UNLIMITED_S = 10.0


def check_outputs(setting: Setting) -> PartResult:
    """Judge jury answers, outputs with a known verdict, junk, and answers of other cases."""
    package, pool, findings = setting.package, setting.host.pool, FindingCollector()
    if ProblemType.INTERACTIVE in package.types or ProblemType.MULTI_PASS in package.types:
        return check_games(setting)
    judge = _OutputJudge(setting=setting, check=output_check_for(package, setting.host))
    warn_of_mended(judge.check.validators, findings)
    results: dict[str, _CaseResult] = {}
    jobs = list(_jobs(package.judged_cases()))
    for job, result in zip(jobs, pool.in_order(judge.judge_case, jobs), strict=True):
        setting.progress(job.case.name)
        results[job.case.name] = result
        for level, message in result.findings:
            findings.add(level, job.case.name, message)
    if judge.hung.is_set():
        findings.note("output validator", "was stopped at a limit on junk, so more junk was left out")
    _report_crashes([crash for result in results.values() for crash in result.crashes], findings)
    refused = {name: result.refusal for name, result in results.items() if result.refusal is not None}
    if package.output_validators and not refused:
        _report_changes(setting, {name: result.changes for name, result in results.items()}, findings)
    _report_refused_answers(package, refused, findings)
    others = [accepted for result in results.values() for accepted in result.others]
    _report_other_answers(others, findings)
    known_outputs = _check_known_outputs(setting, judge, findings)
    kind = "the package's output validator" if package.output_validators else "the default output validator"
    if not package.judged_cases() and not known_outputs:
        return PartResult(summary="no test case: no output is checked", skipped=True)
    return findings.part(
        f"{kind}: {counted(len(package.judged_cases()), 'jury answer')}, "
        f"{counted(known_outputs, 'output')} with a known verdict, "
        f"{counted(sum(result.junk for result in results.values()), 'piece')} of junk, "
        f"{counted(len(others), 'answer')} of other cases"
    )


@dataclass(frozen=True, kw_only=True)
class _Job:
    """A case to judge outputs on. others: cases whose answers are tried. junk: try junk; huge: also large junk.

    changes: try changes of the answer, too.
    """

    case: Case
    others: tuple[Case, ...]
    junk: bool
    huge: bool
    changes: bool


@dataclass(frozen=True, kw_only=True)
class _Crash:
    """A failure of a validator. kind: of the output on which it failed."""

    case: str
    kind: str
    error: JudgeError


@dataclass(frozen=True, kw_only=True)
class _CaseResult:
    """The validators' results for outputs on a case.

    refusal: why the jury's answer is refused; None if accepted. junk: number of pieces judged. others: for each
    answer of another case, whether it gets as many points as the case's own. changes: by kind, whether a change of the
    answer gets as many points as the answer.
    """

    findings: tuple[tuple[Level, str], ...]
    crashes: tuple[_Crash, ...]
    refusal: str | None
    junk: int
    others: tuple[bool, ...]
    changes: Mapping[str, bool]


def _jobs(cases: Sequence[Case]) -> Iterator[_Job]:
    answered = [case for case in cases if case.answer is not None]
    small = [case.name for case in answered if case.answer and case.answer.size() <= LARGEST_CHANGED_ANSWER]
    changed = set(small[:: max(1, -(-len(small) // MOST_CHANGED_CASES))])
    sizes = {case.name: case.answer.size() + case.input.size() for case in answered if case.answer is not None}
    cheap = cheap_cases(sizes)
    for index, case in enumerate(answered):
        others = [answered[(index + step) % len(answered)] for step in range(1, OTHER_CASES + 1)]
        yield _Job(
            case=case,
            others=tuple(others) if case.name in cheap else (),
            junk=case.name in cheap,
            huge=index < HUGE_CASES,
            changes=case.name in changed,
        )


@dataclass(frozen=True, kw_only=True)
class _Judged:
    """One validator result. accepted: with more than zero points. error: how the validator failed, else None.

    worthless: accepted with zero points.
    """

    accepted: bool
    worthless: bool = False
    message: str = ""
    error: JudgeError | None = None
    points: _Points = (None, None)

    def equals(self, other: "_Judged") -> bool:
        """Return whether this output is accepted with as many points as `other`."""
        return self.accepted and self.points == other.points


@dataclass(frozen=True, kw_only=True)
class _OutputJudge:
    """Judges outputs that were made from files, not printed by a program.

    hung: set once the validator was stopped on junk after a long time: it would take as long on more.
    """

    setting: Setting
    check: OutputCheck
    hung: threading.Event = field(default_factory=threading.Event)

    def judge_case(self, sandbox: Sandbox, job: _Job) -> _CaseResult:
        """Judge the jury's answer, junk, answers of other cases and changes of the answer."""
        answer = job.case.read_answer()
        with self.setting.host.work_folder(sandbox) as work, self.check.open(sandbox, job.case, work) as check:
            own = self._judged(check, answer)
            pieces = tuple(junk_outputs(answer, huge=job.huge)) if job.junk else ()
            junk = [
                (piece, self._judged(check, piece.content, junk=True))
                for piece in pieces
                if not self.hung.is_set()
            ]
            tried = [("the jury's answer", own), *((piece.kind, judged) for piece, judged in junk)]
            others = [other for case in job.others if (other := case.read_answer()).split() != answer.split()]
            return _CaseResult(
                findings=tuple(_accepted_junk(junk)),
                crashes=tuple(
                    _Crash(case=job.case.name, kind=kind, error=judged.error)
                    for kind, judged in tried
                    if judged.error is not None
                ),
                refusal=_refusal(job.case, own),
                junk=len(junk),
                others=tuple(self._judged(check, other).equals(own) for other in others if not self.hung.is_set()),
                changes=self._changes(check, answer, own) if job.changes and self.check.validators else {},
            )

    def _changes(self, check: CaseCheck, answer: bytes, own: _Judged) -> dict[str, bool]:
        """Return by kind whether the package's own validators accept a changed answer for as many points."""
        accepted: dict[str, bool] = {}
        for change in changed_answers(answer):
            if not accepted.get(change.kind) and not self.hung.is_set():
                accepted[change.kind] = self._judged(check, change.content).equals(own)
        return accepted

    def _judged(self, check: CaseCheck, output: bytes, *, junk: bool = False) -> _Judged:
        began_s = time.monotonic()
        try:
            judgement = check.judge_bytes(output)
        except JudgeError as error:
            took_s = time.monotonic() - began_s
            if junk and not error.crashed and took_s > self.setting.package.limits.validation_time_s / 2:
                self.hung.set()
            return _Judged(accepted=False, error=error)
        points = (judgement.score, judgement.score_multiplier)
        # If less is better, zero is the best score.
        worthless = 0 in points and not self.setting.package.minimize
        right = judgement.verdict is Verdict.ACCEPTED
        return _Judged(
            accepted=right and not worthless,
            worthless=right and worthless,
            message=judgement.message,
            points=points,
        )

    def fault_of_known(self, sandbox: Sandbox, item: tuple[Case, bool]) -> str | JudgeError | None:
        """Judge an output whose verdict the package states; return what is wrong, or None."""
        case, must_accept = item
        output = case.output.read() if case.output is not None else b""
        with self.setting.host.work_folder(sandbox) as work, self.check.open(sandbox, case, work) as check:
            try:
                judgement = check.judge_bytes(output)
            except JudgeError as error:
                return error
        accepted = judgement.verdict is Verdict.ACCEPTED  # zero points suffice: the format asks for no more
        if must_accept:
            return None if accepted else f"its `.out` must be accepted, was refused: {judgement.message}"
        return "its `.out` must be refused, was accepted" if accepted else None


def _refusal(case: Case, judged: _Judged) -> str | None:
    """Return why the jury's answer is refused; None if it is accepted. A sample may be worth nothing."""
    if judged.error is not None or judged.accepted or (judged.worthless and case.name.startswith("sample/")):
        return None
    return judged.message or ("it gets no points" if judged.worthless else "")


def _accepted_junk(junk: Sequence[tuple[BrokenText, _Judged]]) -> Iterator[tuple[Level, str]]:
    for piece, judged in junk:
        if judged.accepted:
            yield (Level.WARNING if piece.form_only else Level.ERROR), f"accepts {piece.kind}"


def _report_crashes(crashes: Sequence[_Crash], findings: FindingCollector) -> None:
    """Report crashes: one error for each case and last line of the message, with the outputs that caused it.

    The first error with a last line shows the whole message, and so do those that list the same outputs (they become
    one finding); the others show only the last line.
    """
    alike: dict[tuple[str, str], list[_Crash]] = {}
    for crash in crashes:
        alike.setdefault((str(crash.error).rstrip().rpartition("\n")[2], crash.case), []).append(crash)
    first: dict[str, tuple[str, str]] = {}
    for (last_line, case), group in alike.items():
        kinds = ", ".join(dict.fromkeys(crash.kind for crash in group))
        first_kinds, message = first.setdefault(last_line, (kinds, str(group[0].error)))
        error = next((crash.error for crash in group if not crash.error.crashed), group[0].error)
        verb = "crashes" if error.crashed else "fails"
        findings.error(
            case, error.reworded(f"{verb} on {kinds}: {message if kinds == first_kinds else last_line}")
        )


def _check_known_outputs(setting: Setting, judge: _OutputJudge, findings: FindingCollector) -> int:
    """Judge the outputs whose verdict the package states, and return their number.

    valid_output and shown outputs must be accepted, invalid_output must be refused.
    """
    package = setting.package
    outputs = [(case, True) for case in package.judged_cases() if case.output is not None]
    outputs += [(case, True) for case in package.valid_outputs]
    outputs += [(case, False) for case in package.invalid_outputs]
    for (case, _), fault in setting.host.pool.each(judge.fault_of_known, outputs):
        setting.progress(case.name)
        if fault is not None:
            findings.error(case.name, fault)
    return len(outputs)


def _report_refused_answers(package: Package, refused: Mapping[str, str], findings: FindingCollector) -> None:
    """Report refused answers: the answer or the validator is wrong, unless answers are no outputs ("Invocation").

    They are no outputs if the validator refuses all hidden answers (a single hidden answer proves nothing, unless all
    answers are refused). An answer that contestants see must be an output even then.
    """
    answered = [case for case in package.judged_cases() if case.answer is not None]
    hidden = [case for case in answered if not _is_shown(case)]
    enough = len(hidden) > 1 or len(refused) == len(answered)
    no_outputs = (
        bool(package.output_validators and hidden) and enough and all(case.name in refused for case in hidden)
    )
    for case in answered:
        if case.name in refused and (not no_outputs or _is_shown(case)):
            reason = refused[case.name] or "the output validator says no reason"
            findings.error(case.name, f"the jury's answer is not accepted: {reason}")
    if no_outputs and refused:
        what = "no jury answer" if len(refused) == len(answered) else "no hidden jury answer"
        findings.warning("output validator", f"accepts {what}: right only where answers are no outputs")


def _is_shown(case: Case) -> bool:
    """Return whether contestants see the answer file itself, not a replacement."""
    instead = case.output is not None or case.shown.keys() & {".ans.statement", ".interaction"}
    return is_sample_name(case.name) and not instead


def _report_other_answers(others: Sequence[bool], findings: FindingCollector) -> None:
    if others and all(others):
        findings.error(
            "output validator", "accepts the answers of all other cases: does it check the output at all?"
        )
    elif any(others):
        accepted = f"{sum(others)} of {len(others)} answers of other cases accepted"
        findings.note("output validator", f"{accepted}: right where one output answers several cases")


def _report_changes(
    setting: Setting, changes: Mapping[str, Mapping[str, bool]], findings: FindingCollector
) -> None:
    """Warn of a validator that accepts changes of every kind on every case, though solutions agree on the answers.

    changes: by case and kind, whether some change of the kind was accepted for as many points as the answer.
    """
    changes = {name: kinds for name, kinds in changes.items() if kinds}
    validators = ", ".join(program.path for program in setting.package.output_validators)
    if len(changes) < LEAST_CHANGED_CASES:
        return
    if not all(all(kinds.values()) for kinds in changes.values()):
        if all(kinds.get(ONE_OFF) for kinds in changes.values()):
            findings.note(
                validators,
                f"accepts {ONE_OFF} on all of {len(changes)} cases: right only if such a number is correct, too",
            )
        return
    names = ", ".join(sorted({kind for kinds in changes.values() for kind in kinds}))
    message = f"accepts changed answers of every kind on all of {len(changes)} cases ({names})"
    if _solutions_agree(setting, sorted(changes)):
        findings.warning(validators, f"{message}, which no accepted solution prints: what does it compare?")
    else:
        advice = "right if several answers are correct; accepted solutions print different ones"
        findings.note(validators, f"{message}: {advice}")


def _solutions_agree(setting: Setting, names: Sequence[str]) -> bool:
    """Return whether all accepted solutions that run here print the jury's answers, token by token."""
    package, host = setting.package, setting.host
    built = host.build_submissions(package, package.accepted)
    solutions = [executable for executable in built if isinstance(executable, Executable)]
    cases = [case for case in package.judged_cases() if case.name in names and not case.extra_files]
    smallest = sorted(cases, key=lambda case: case.input.size())[:MOST_CASES_RUN]

    def agrees(sandbox: Sandbox, item: tuple[Executable, Case]) -> bool:
        return _prints_the_answer(setting, sandbox, *item)

    return all(host.pool.in_order(agrees, [(solution, case) for solution in solutions for case in smallest]))


def _prints_the_answer(setting: Setting, sandbox: Sandbox, solution: Executable, case: Case) -> bool:
    """Return whether the solution prints the answer; also True if the run fails, which proves nothing."""
    limits = submission_limits(setting.package, setting.package.limits.time_limit_s or _UNLIMITED_S)
    with setting.host.work_folder(sandbox) as work:
        input_file, stdout, stderr = work / "case.in", work / "stdout", work / "stderr"
        input_file.write_bytes(case.input.read())
        command = solution.command(limits.memory_bytes, *case.settings.args)
        result = sandbox.run(command, solution.fit(limits), stdin=input_file, stdout=stdout, stderr=stderr)
        if not result.succeeded:
            return True
        return stdout.read_bytes().split() == case.read_answer().split()
