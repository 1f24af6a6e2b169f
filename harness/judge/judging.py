"""Judges submissions on a package: build all, run the cases on all workers, rerun what lies near the limit alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from harness.build import Built, CompileFailure, Executable, Unavailable
from harness.check import parse_arguments, validation_limits
from harness.errors import JudgeError, UsageError
from harness.expect import hold_against
from harness.host import Host, submission_build_limits
from harness.judge.case import CaseJudge, OutputCheck
from harness.judge.memory import Memory, NoMemory
from harness.judge.plan import CasePlan, borderline
from harness.limits import MIB, Limits, wall_limit_s
from harness.package import Case, Group, Package, ProblemType, Program, Rule
from harness.results import CaseResult, SubmissionResult
from harness.sandbox import Sandbox
from harness.score import first_failure, group_results
from harness.transcript import Tap, Transcript
from harness.verdict import Verdict

MARGIN = 0.15
RERUNS = 2


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A submission to judge. rules: what the package demands of it; None: a stranger, nothing is demanded.

    known: results by case name that an earlier judging found; these cases are not run again. built: what came of
    building it, if that is known too.
    """

    program: Program
    rules: tuple[Rule, ...] | None = None
    known: Mapping[str, CaseResult] = field(default_factory=dict)
    built: Built | None = None


@dataclass(frozen=True, kw_only=True)
class Observer:
    """Told of progress as it happens, in the calling thread; nothing that it does changes a verdict."""

    built: Callable[[str, Built], None] = lambda _path, _built: None
    case: Callable[[str, CaseResult], None] = lambda _path, _result: None


@dataclass(kw_only=True)
class _State:
    """One submission under way."""

    entry: Entry
    built: Built
    plan: CasePlan
    results: dict[str, CaseResult] = field(default_factory=dict)
    failed: bool = False  # until something fails, every case is wanted

    @property
    def path(self) -> str:
        return self.entry.program.path

    def missing(self) -> list[tuple[Group, Case]]:
        return self.plan.final(self.results)[1] if isinstance(self.built, Executable) else []


@dataclass(frozen=True, kw_only=True)
class Judging:
    """Judges entries on one package. complete: run every case, whatever is decided already. memory: of earlier runs."""

    package: Package
    host: Host
    complete: bool = False
    observer: Observer = field(default_factory=Observer)
    memory: Memory = field(default_factory=NoMemory)

    def run(self, entries: Sequence[Entry]) -> list[SubmissionResult]:
        """The results, in the order of the entries. Raises JudgeError if a validator does not build."""
        states = [self._state(entry, built) for entry, built in zip(entries, self._build(entries), strict=True)]
        for state in states:
            self.observer.built(state.path, state.built)
            if state.entry.known and state.entry.built is None:
                self._rerun_borderline(self.case_judge, state)  # the earlier judging may have ended before it did
        while tasks := [(state, group, case) for state in states for group, case in state.missing()]:
            self._round(self.case_judge, tasks, states)
        return [self._result(state) for state in states]

    @cached_property
    def case_judge(self) -> CaseJudge:
        """What judges each case; the output validator is built for the first."""
        return CaseJudge(host=self.host, limits=self._limits(), check=self._output_check())

    def _build(self, entries: Sequence[Entry]) -> list[Built]:
        """What came of building each; only what is not known yet is built."""
        unknown = [entry.program for entry in entries if entry.built is None]
        found = iter(self.host.build_all(unknown, submission_build_limits(self.package.limits)))
        return [entry.built if entry.built is not None else next(found) for entry in entries]

    def recorded(self, program: Program, group: Group, case: Case) -> tuple[CaseResult, Transcript]:
        """Play the game of a case once more, alone and with a tap. `program` was built before."""
        [built] = self.host.build_all([program], submission_build_limits(self.package.limits))
        if not isinstance(built, Executable):
            raise JudgeError(f"{program.path}: it was built before, and now it is not")
        tap = Tap()
        case_judge = replace(self.case_judge, tap=tap)
        result = self.host.pool.alone(
            lambda sandbox, one: case_judge.judge(sandbox, built, one[0], one[1]), (group, case)
        )
        return result, tap.transcript()

    def _state(self, entry: Entry, built: Built) -> _State:
        plan = CasePlan(package=self.package, rules=entry.rules or (), complete=self.complete)
        failed = any(result.verdict is not Verdict.ACCEPTED for result in entry.known.values())
        return _State(entry=entry, built=built, plan=plan, results=dict(entry.known), failed=failed)

    def _round(
        self, case_judge: CaseJudge, tasks: Sequence[tuple[_State, Group, Case]], states: Sequence[_State]
    ) -> None:
        def work(sandbox: Sandbox, task: tuple[_State, Group, Case]) -> CaseResult | None:
            state, group, case = task
            if not isinstance(state.built, Executable):
                return None
            if state.failed and not state.plan.wanted(group, case, dict(state.results)):
                return None
            known = self.memory.recall(state.built, group, case, case_judge.limits)
            if known is not None:
                return known
            result = case_judge.judge(sandbox, state.built, group, case)
            self.memory.keep(state.built, group, case, case_judge.limits, result)
            return result

        for (state, _, case), result in self.host.pool.each(work, tasks):
            if result is not None:
                state.results[case.name] = result
                state.failed = state.failed or result.verdict is not Verdict.ACCEPTED
                self.observer.case(state.path, result)
        for state in states:
            self._rerun_borderline(case_judge, state)

    def _rerun_borderline(self, case_judge: CaseJudge, state: _State) -> None:
        """Near the limit a loaded machine must not decide: run alone, at most twice more; the least time counts."""
        if not isinstance(state.built, Executable):
            return
        executable, limit_s = state.built, case_judge.limits.cpu_s
        kept, _ = state.plan.final(state.results)
        counted = {result.name for result in kept if result.judged}
        for group in state.plan.groups():
            for case in group.all_cases():
                if case.name not in counted or state.results[case.name].cpu_runs_s:
                    continue
                runs = [state.results[case.name]]
                while len(runs) <= RERUNS and borderline(_least(runs), limit_s, MARGIN):
                    runs.append(
                        self.host.pool.alone(
                            lambda sandbox, one: case_judge.judge(sandbox, executable, one[0], one[1]),
                            (group, case),
                        )
                    )
                if len(runs) > 1:
                    state.results[case.name] = _merged(runs)
                    self.memory.keep(executable, group, case, case_judge.limits, state.results[case.name])
                    self.observer.case(state.path, state.results[case.name])

    def _result(self, state: _State) -> SubmissionResult:
        match state.built:
            case Executable() as executable:
                return self._judged(state, executable)
            case CompileFailure(diagnostics=diagnostics):
                return self._unjudged(state, Verdict.COMPILE_ERROR, diagnostics)
            case Unavailable(message=message):
                return replace(self._unjudged(state, Verdict.SKIPPED, message), unavailable=True, expected=None)

    def _unjudged(self, state: _State, verdict: Verdict, message: str) -> SubmissionResult:
        rules = state.entry.rules
        return SubmissionResult(
            path=state.path,
            language=None,
            verdict=verdict,
            message=message,
            score=0.0 if self.package.scoring else None,
            expected=None if rules is None else hold_against(rules, (), (), None, verdict),
        )

    def _judged(self, state: _State, executable: Executable) -> SubmissionResult:
        cases, _ = state.plan.final(state.results)
        by_name = {case.name: case for case in cases}
        groups = (
            *group_results(self.package.sample, by_name),
            *group_results(self.package.secret, by_name),
        )
        score = next((group.score for group in groups if group.name == "secret"), None)
        rules, verdict = state.entry.rules, first_failure(cases)
        return SubmissionResult(
            path=state.path,
            language=executable.language.code,
            verdict=verdict,
            score=score,
            message=executable.warnings,
            cases=tuple(cases),
            groups=groups,
            expected=None if rules is None else hold_against(rules, cases, groups, score, verdict),
        )

    def _limits(self) -> Limits:
        limits = self.package.limits
        if limits.time_limit_s is None:
            raise UsageError(
                f"{self.package.slug} has no time_limit in its problem.yaml: give --time-limit SECONDS"
            )
        return Limits(
            cpu_s=limits.time_limit_s,
            wall_s=wall_limit_s(limits.time_limit_s),
            memory_bytes=limits.memory_mib * MIB,
            output_bytes=limits.output_mib * MIB,
        )

    def _output_check(self) -> OutputCheck:
        validator = self.package.output_validator
        built = self.host.build_judge_programs([validator], self.package.limits)[0] if validator else None
        arguments = {case.settings.output_validator_args for case in self.package.judged_cases()}
        return OutputCheck(
            validator=built,
            limits=validation_limits(self.package.limits),
            interactive=ProblemType.INTERACTIVE in self.package.types,
            comparisons={} if validator else {given: parse_arguments(given) for given in arguments},
        )


def _least(runs: Sequence[CaseResult]) -> CaseResult:
    return min(runs, key=lambda run: (run.verdict is not Verdict.ACCEPTED, run.cpu_s or 0.0))


def _merged(runs: Sequence[CaseResult]) -> CaseResult:
    return replace(_least(runs), cpu_runs_s=tuple(run.cpu_s or 0.0 for run in runs))
