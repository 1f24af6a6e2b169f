"""A submission that is being judged, and the result that follows from its cases; the package's own graders."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from harness.build.executable import Built, CompileFailure, Executable, Unavailable
from harness.check.validator_call import MOST_POINTS
from harness.errors import JudgeError
from harness.files import untrusted
from harness.host.host import Host
from harness.judge.plan import NOT_JUDGED, Plan
from harness.judge.submitted_answers import Answers
from harness.package import GroupCase, Package, Program, Rule
from harness.package.model import GroupGrading
from harness.results.model import CaseResult, GroupResult, SubmissionResult
from harness.results.verdict import PACKAGE_FORMAT_CODE, Verdict
from harness.rules.expectations import check_rules
from harness.rules.group_tree import GradedPart, tree_total
from harness.rules.score import first_failure, group_results
from harness.sandbox.facts import Limits, Sandbox
from harness.values import dataclass

_LINE = re.compile(rb"\s*(AC|WA|TLE|RTE|MLE|OLE|JE)\s+([+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?)\s*")
_MESSAGE_BYTES = 2000

Submission = Built | Answers


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A submission to judge. rules: the package's expectations; None if it is not one of the package's own.

    known: results of an earlier judging by case name; these cases are not run again. built: the outcome of an earlier
    build; None: build it.
    """

    program: Program
    rules: tuple[Rule, ...] | None = None
    known: Mapping[str, CaseResult] = field(default_factory=dict)
    built: Built | None = None


@dataclass(kw_only=True)
class SubmissionState:
    """A submission that is being judged."""

    entry: Entry
    built: Submission
    plan: Plan
    results: dict[str, CaseResult] = field(default_factory=dict)
    may_end: bool = False  # False: every case is still needed, since none has failed and there is no own limit

    @property
    def path(self) -> str:
        """The path of the submission."""
        return self.entry.program.path

    def missing(self) -> list[GroupCase]:
        """Return the cases that must still be judged."""
        return self.plan.final(self.results)[1] if isinstance(self.built, Executable | Answers) else []


@dataclass(frozen=True, kw_only=True)
class Graders:
    """Runs the package's own graders: lines of `VERDICT score` in, one such line out, exit code 0.

    executables: by path in the package. Called as a Grader from the thread that owns the pool.
    """

    host: Host
    limits: Limits
    executables: Mapping[str, Executable]
    _parts: dict[tuple[object, ...], GradedPart] = field(default_factory=dict, init=False)

    def __call__(self, grading: GroupGrading, parts: Sequence[GradedPart]) -> GradedPart:
        """Grade the parts of a group. Raises JudgeError, naming the grader, if it fails or prints no grade."""
        program = grading.grader
        if program is None:
            raise JudgeError("`grading: custom`, but graders/ holds no program")

        def run(sandbox: Sandbox, grader: Program) -> GradedPart:
            return self._run(sandbox, self.executables[grader.path], grading.grader_flags, parts)

        key = (program.path, grading.grader_flags, tuple(parts))
        if key not in self._parts:
            self._parts[key] = self.host.pool.alone(run, program)
        return self._parts[key]

    def _run(
        self, sandbox: Sandbox, grader: Executable, flags: Sequence[str], parts: Sequence[GradedPart]
    ) -> GradedPart:
        with self.host.work_folder(sandbox) as work:
            input_file, stdout, stderr = work / "grader.in", work / "stdout", work / "stderr"
            codes = (PACKAGE_FORMAT_CODE.get(part.verdict, "JE") for part in parts)
            lines = (f"{code} {part.score!r}\n" for code, part in zip(codes, parts, strict=True))
            input_file.write_text("".join(lines))
            command = grader.command(self.limits.memory_bytes, *flags)
            result = sandbox.run(command, grader.fit(self.limits), stdin=input_file, stdout=stdout, stderr=stderr)
            if not result.succeeded:
                error = f"the grader failed: {result.ending}\n{untrusted.first_text(stderr, _MESSAGE_BYTES)}"
                raise JudgeError(f"{grader.program.shown}: {error}".strip())
            return _part(grader, (untrusted.first_bytes(stdout, _MESSAGE_BYTES) or b""))


def _part(grader: Executable, output: bytes) -> GradedPart:
    match = _LINE.fullmatch(output)
    if match is None:
        raise JudgeError(f"{grader.program.shown}: the grader must say `VERDICT score`, it said {output[:60]!r}")
    score = float(match[2]) if len(match[2]) < 100 else float("inf")
    if abs(score) > MOST_POINTS:
        raise JudgeError(f"{grader.program.shown}: the grader gives more points than any number holds")
    return GradedPart(verdict=Verdict(match[1].decode()), score=score)


def submission_result(package: Package, state: SubmissionState, graders: Graders | None) -> SubmissionResult:
    """Return the result of a submission that was judged, or that could not be built."""
    match state.built:
        case Executable() | Answers():
            return _judged(package, state, graders)
        case CompileFailure(diagnostics=diagnostics):
            return _unjudged(package, state, graders, Verdict.COMPILE_ERROR, diagnostics)
        case Unavailable(message=message):
            return replace(
                _unjudged(package, state, graders, Verdict.SKIPPED, message), unavailable=True, expected=None
            )


def _unjudged(
    package: Package, state: SubmissionState, graders: Graders | None, verdict: Verdict, message: str
) -> SubmissionResult:
    rules, graded = state.entry.rules, graders is not None
    expectation = None if rules is None else check_rules(rules, (), (), None, verdict, graded=graded)
    return SubmissionResult(
        path=state.path,
        language=None,
        verdict=verdict,
        message=message,
        score=0.0 if package.scoring else None,
        expected=expectation,
    )


def _judged(package: Package, state: SubmissionState, graders: Graders | None) -> SubmissionResult:
    """Return the result of a submission from the results of its cases."""
    cases, missing = state.plan.final(state.results)
    executable = state.built if isinstance(state.built, Executable) else None
    result = SubmissionResult(
        path=state.path,
        language=executable.language.code if executable is not None else None,
        verdict=Verdict.SKIPPED,
        message=executable.warnings if executable is not None else "",
        cases=tuple(cases),
    )
    if missing:
        return replace(result, message=NOT_JUDGED)
    try:
        verdict, score, groups = _total(package, cases, graders)
    except JudgeError as error:
        return replace(result, verdict=Verdict.JUDGE_ERROR, message=str(error))
    rules, graded = state.entry.rules, graders is not None
    expectation = None if rules is None else check_rules(rules, cases, groups, score, verdict, graded=graded)
    return replace(result, verdict=verdict, score=score, groups=groups, expected=expectation)


def _total(
    package: Package, cases: Sequence[CaseResult], graders: Graders | None
) -> tuple[Verdict, float | None, tuple[GroupResult, ...]]:
    """Return verdict, score and groups. Raises JudgeError for points that break the package's own rules."""
    by_name = {case.name: case for case in cases}
    if graders is not None:
        judged = {name: case for name, case in by_name.items() if case.judged}
        return tree_total(package, judged, graders)
    groups = (*group_results(package.sample, by_name), *group_results(package.secret, by_name))
    score = next((group.score for group in groups if group.name == "secret"), None)
    return first_failure(cases), score, groups
