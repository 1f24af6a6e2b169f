"""Judge submissions on a package: build all, run the cases on all workers, rerun cases near the limit."""

import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import Protocol

from harness.build.executable import Built, CompileFailure, Executable
from harness.check.validator_call import judge_program_limits
from harness.errors import Fault, JudgeError, PackageError
from harness.host.host import Host
from harness.judge.judge_case import CaseJudge, CaseRunner, JudgeCase, LocalRunner
from harness.judge.plan import (
    CasePlan,
    OwnLimit,
    Plan,
    Schedule,
    TreePlan,
    TrustRound,
    ValidatorTrust,
    borderline,
)
from harness.judge.run_case import submission_limits
from harness.judge.submission_result import Entry, Graders, Submission, SubmissionState, submission_result
from harness.judge.submitted_answers import Answers, answers_of
from harness.judge.visualizers import Gallery
from harness.package import Case, Group, GroupCase, Package, ProblemType, Program, Rule
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.group_tree import graders_in, root_group
from harness.rules.score import static_case_name
from harness.sandbox.facts import Limits
from harness.sandbox.transcript import Tap, Transcript
from harness.values import dataclass

MARGIN = 0.15
_SAME_LANGUAGE = {"pypy3": "python3"}  # packages name the language, not the interpreter
RERUNS = 2


class ResultMemory(Protocol):
    """Keeps results of earlier judgings by content; safe to share between workers."""

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        """Return the result under these limits if it follows from a stored result."""

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        """Keep a result of a run under these limits."""


class NoMemory:
    """Stores nothing, so every case is run."""

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        """Return None."""
        return None

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        """Do nothing."""


@dataclass(frozen=True, kw_only=True)
class Observer:
    """Called on progress, in the calling thread. built: a submission was built; case: a case was judged."""

    built: Callable[[str, Built], None] = lambda _path, _built: None
    case: Callable[[str, CaseResult], None] = lambda _path, _result: None


@dataclass(frozen=True, kw_only=True)
class Judging:
    """Judges entries on one package.

    complete: run every case, even after the verdict is decided. memory: results of earlier runs. margin: cases nearer
    to the time limit than this part of it run again, alone. own_limit: the problem's time limit, if this judging uses a
    wider one. runner: builds and runs submissions; None: on this machine. Graders and recorded runs always use this
    machine.
    """

    package: Package
    host: Host
    complete: bool = False
    observer: Observer = field(default_factory=Observer)
    memory: ResultMemory = field(default_factory=NoMemory)
    margin: float = MARGIN
    own_limit: OwnLimit | None = None
    runner: CaseRunner | None = None

    def run(self, entries: Sequence[Entry]) -> list[SubmissionResult]:
        """Return the results, in the order of the entries. Raises JudgeError if a validator does not build."""
        return list(self.in_order(entries))

    def in_order(self, entries: Sequence[Entry]) -> Iterator[SubmissionResult]:
        """Yield each result as soon as it and all before it are final. Raises PackageError if there is no test case."""
        _check_cases(self.package)
        states = [self._state(entry, built) for entry, built in zip(entries, self.build(entries), strict=True)]
        for state in states:
            if not isinstance(state.built, Answers):
                self.observer.built(state.path, state.built)
            if state.entry.known and state.entry.built is None:
                self._rerun_borderline(state)  # an earlier, interrupted judging may not have done so
        trust, waiting = ValidatorTrust(established=self.complete), deque(states)
        while tasks := [(state, *task) for state in waiting for task in state.missing()]:
            yield from self._round(tasks, waiting, trust)
            if trust.lost:
                break
        yield from (submission_result(self.package, state, self._graders) for state in waiting)

    @cached_property
    def _local(self) -> LocalRunner:
        return LocalRunner(package=self.package, host=self.host)

    @property
    def _runner(self) -> CaseRunner:
        return self.runner or self._local

    @property
    def case_judge(self) -> CaseJudge:
        """The judge of each case on this machine; the validators are built on the first use."""
        return self._local.case_judge

    @cached_property
    def _limits(self) -> Limits:
        return submission_limits(self.package)

    @cached_property
    def _graders(self) -> Graders | None:
        """The package's own graders; None if it has none. They are built at first use."""
        if self.package.secret.grading is None:
            return None
        programs = {program.path: program for program in graders_in(root_group(self.package))}
        built = self.host.build_judge_programs(list(programs.values()), self.package.limits)
        return Graders(
            host=self.host,
            limits=judge_program_limits(self.package.limits),
            executables=dict(zip(programs, built, strict=True)),
        )

    def build(self, entries: Sequence[Entry]) -> list[Submission]:
        """Build the submissions that no earlier call has built; return one result for each entry."""
        if ProblemType.SUBMIT_ANSWER in self.package.types:
            return [entry.built or _answers(entry.program) for entry in entries]
        return [self._refuse_language(built) for built in self._runner.build(entries)]

    def _refuse_language(self, built: Built) -> Built:
        """Return the build, or a failure if the package does not allow its language."""
        allowed = self.package.languages
        if not isinstance(built, Executable) or allowed is None:
            return built
        if _SAME_LANGUAGE.get(built.language.code, built.language.code) in allowed:
            return built
        names = ", ".join(sorted(allowed))
        return CompileFailure(diagnostics=f"{built.language.name} is not allowed here, only: {names}")

    def recorded(
        self, program: Program, group: Group, case: Case, gallery: Gallery | None = None
    ) -> tuple[CaseResult, Transcript]:
        """Run a case again, alone, and record an interaction. `program` was built before.

        gallery: takes the images that the package's output visualizer draws of it.
        """
        [built] = self._local.build([Entry(program=program)])
        if not isinstance(built, Executable):
            raise JudgeError(f"{program.path}: it was built before, and cannot be built now")
        tap = Tap()
        case_judge = replace(self.case_judge, tap=tap, gallery=gallery)
        result = self.host.pool.alone(lambda sandbox, task: case_judge.judge(sandbox, built, *task), (group, case))
        return result, tap.transcript()

    def _state(self, entry: Entry, built: Submission) -> SubmissionState:
        own_limit = self.own_limit if must_be_slow(entry.rules) else None
        plan: Plan = CasePlan(
            package=self.package, rules=entry.rules or (), complete=self.complete, own_limit=own_limit
        )
        if self._graders is not None:
            plan = TreePlan(package=self.package, grader=self._graders, complete=self.complete)
        may_end = own_limit is not None or any(map(_has_failed, entry.known.values()))
        return SubmissionState(entry=entry, built=built, plan=plan, results=dict(entry.known), may_end=may_end)

    def _round(
        self,
        tasks: Sequence[tuple[SubmissionState, Group, Case]],
        waiting: deque[SubmissionState],
        trust: ValidatorTrust,
    ) -> Iterator[SubmissionResult]:
        """Run the tasks. Yield the results that are final, and remove their submissions from `waiting`."""
        under_way = Counter(id(state) for state, _, _ in tasks)
        trust_round = TrustRound(trust=trust, submissions=len(under_way))

        schedule = Schedule([(id(state), _may_be_slow(state.entry.rules)) for state, _, _ in tasks])

        def work(judge: JudgeCase, _: object) -> tuple[int, CaseResult | None]:
            index = schedule.take()
            state, _group, case = tasks[index]
            result = judged(judge, *tasks[index])
            if result is not None:
                state.results[case.name] = result
                state.may_end = state.may_end or _has_failed(result)
            schedule.finish(index)
            return index, result

        def judged(judge: JudgeCase, state: SubmissionState, group: Group, case: Case) -> CaseResult | None:
            if trust.lost or not isinstance(state.built, Executable | Answers):
                return None
            if state.may_end and not state.plan.wanted(group, case, dict(state.results)):
                return None
            if isinstance(state.built, Answers) or case.name == static_case_name(group):
                return judge(state.built, group, case)
            stored = self.memory.recall(state.built, group, case, self._limits)
            if stored is not None:
                return stored
            result = judge(state.built, group, case)
            self.memory.keep(state.built, group, case, self._limits, result)
            return result

        for _, (index, result) in self._runner.run(work, tasks):
            state, group, case = tasks[index]
            if result is not None:
                self.observer.case(state.path, result)
            trust_round.add(index, result, partial(state.plan.wanted, group, case, state.results), state.path)
            under_way[id(state)] -= 1
            while trust.established and waiting and not under_way[id(waiting[0])] and self._is_final(waiting[0]):
                yield submission_result(self.package, waiting.popleft(), self._graders)
        if trust.lost:  # results of later tasks, finished by other workers, do not count
            for other, _, later in tasks[trust_round.counted :]:
                other.results.pop(later.name, None)
            return
        for state in waiting:
            self._rerun_borderline(state)

    def _is_final(self, state: SubmissionState) -> bool:
        """Return whether every counting case has a result and none is near the time limit."""
        if not isinstance(state.built, Executable):
            return not state.missing()
        kept, missing = state.plan.final(state.results)
        limit_s = self._limits.cpu_s
        return not missing and not any(self._is_borderline(state, result, limit_s) for result in kept)

    def _is_borderline(self, state: SubmissionState, result: CaseResult, limit_s: float) -> bool:
        """Return whether a rerun could change the verdict.

        A program that is expected to be slow is rerun only near the limit, not because the machine was busy.
        """
        measured = replace(result, starved_s=None) if _may_be_slow(state.entry.rules) else result
        return borderline(measured, limit_s, self.margin)

    def _rerun_borderline(self, state: SubmissionState) -> None:
        """Run cases near the limit again, one at a time and at most twice; the run with the least CPU time counts."""
        if not isinstance(state.built, Executable):
            return
        kept, _ = state.plan.final(state.results)
        counted = {result.name for result in kept if result.judged}
        near = [
            task
            for task in state.plan.ordered()
            if task[1].name in counted and not state.results[task[1].name].cpu_runs_s
        ]

        def rerun(judge: JudgeCase, task: GroupCase, executable: Executable = state.built) -> list[CaseResult]:
            runs = [state.results[task[1].name]]
            while len(runs) <= RERUNS and self._is_borderline(state, _least(runs), self._limits.cpu_s):
                runs.append(judge(executable, *task))
            return runs

        for task, runs in self._runner.run(rerun, near, alone=True):
            if len(runs) > 1:
                result = state.results[task[1].name] = least_run(runs)
                self.memory.keep(state.built, *task, self._limits, result)
                self.observer.case(state.path, result)


def _check_cases(package: Package) -> None:
    """Raise PackageError for a package without a test case: every submission would be accepted."""
    if not package.judged_cases():
        fix = "no test case, so nothing can be judged: it needs a NAME.in and a NAME.ans"
        raise PackageError([Fault(path=package.root / "data" / "secret", message=fix)])


def _answers(program: Program) -> Submission:
    answers = answers_of(program)
    return CompileFailure(diagnostics=answers) if isinstance(answers, str) else answers


def _may_be_slow(rules: Sequence[Rule] | None) -> bool:
    """Return whether the package expects a time-out on some case."""
    return any(rule.required is not None and "TLE" in rule.required for rule in rules or ())


def must_be_slow(rules: Sequence[Rule] | None) -> bool:
    """Return whether the submission bounds the time limit from above and not from below."""
    return any(rule.bounds_from_above for rule in rules or ()) and not any(
        rule.bounds_from_below for rule in rules or ()
    )


def _has_failed(result: CaseResult) -> bool:
    return result.verdict is not Verdict.ACCEPTED


def _least(runs: Sequence[CaseResult]) -> CaseResult:
    """Return an accepted run if there is one; of these, the one with the least CPU time."""
    return min(runs, key=lambda run: (run.verdict is not Verdict.ACCEPTED, run.cpu_s or 0.0))


def least_run(runs: Sequence[CaseResult]) -> CaseResult:
    """Return the best run of a case, accepted first, then by CPU time; it lists the CPU times of all runs."""
    times = [run.cpu_runs_s or (run.cpu_s or 0.0,) for run in runs]
    return replace(_least(runs), cpu_runs_s=tuple(itertools.chain.from_iterable(times)))
