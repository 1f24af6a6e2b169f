"""Judges submissions on a package: build all, run the cases on all workers, rerun what lies near the limit alone."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property, partial

from harness.build import Built, CompileFailure, Executable
from harness.check import judge_program_limits
from harness.errors import Fault, JudgeError, PackageError
from harness.host.host import Host
from harness.judge.case_runner import CaseRunner, JudgeCase, LocalRunner
from harness.judge.case_setting import submission_limits
from harness.judge.graders import Graders
from harness.judge.judge_case import CaseJudge
from harness.judge.memory import Memory, NoMemory
from harness.judge.plan import CasePlan, Plan, Task, TreePlan, borderline
from harness.judge.submission_result import Entry, Submission, SubmissionState, submission_result
from harness.judge.submitted_answers import Answers, answers_of
from harness.judge.validator_trust import Hearing, Trust
from harness.judge.visualizers import Gallery
from harness.package import Case, Group, Package, ProblemType, Program, Rule
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.group_tree import graders_in, root_group
from harness.rules.score import static_case_name
from harness.sandbox.limits import Limits
from harness.sandbox.transcript import Tap, Transcript
from harness.values import dataclass

MARGIN = 0.15
_SAME_LANGUAGE = {"pypy3": "python3"}  # packages mean the language, not what runs it
RERUNS = 2


@dataclass(frozen=True, kw_only=True)
class Observer:
    """Told of progress as it happens, in the calling thread; nothing that it does changes a verdict."""

    built: Callable[[str, Built], None] = lambda _path, _built: None
    case: Callable[[str, CaseResult], None] = lambda _path, _result: None


@dataclass(frozen=True, kw_only=True)
class Judging:
    """Judges entries on one package.

    complete: run every case, whatever is decided already. memory: of earlier runs. runner: where submissions are built
    and run; None: on this machine. What judges their groups and games always runs on this machine.
    """

    package: Package
    host: Host
    complete: bool = False
    observer: Observer = field(default_factory=Observer)
    memory: Memory = field(default_factory=NoMemory)
    runner: CaseRunner | None = None

    def run(self, entries: Sequence[Entry]) -> list[SubmissionResult]:
        """The results, in the order of the entries. Raises JudgeError if a validator does not build."""
        return list(self.in_order(entries))

    def in_order(self, entries: Sequence[Entry]) -> Iterator[SubmissionResult]:
        """The same, each result as soon as it and all before it are final. Raises PackageError for no test case."""
        _check_cases(self.package)
        states = [self._state(entry, built) for entry, built in zip(entries, self.build(entries), strict=True)]
        for state in states:
            if not isinstance(state.built, Answers):
                self.observer.built(state.path, state.built)
            if state.entry.known and state.entry.built is None:
                self._rerun_borderline(state)  # the earlier judging may have ended before it did
        trust, waiting = Trust(given=self.complete), deque(states)
        while tasks := [(state, group, case) for state in waiting for group, case in state.missing()]:
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
        """What judges each case on this machine; the validators are built at first use."""
        return self._local.case_judge

    @cached_property
    def _limits(self) -> Limits:
        return submission_limits(self.package)

    @cached_property
    def _graders(self) -> Graders | None:
        """What runs the package's own graders; None in a package without graders."""
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
        """What came of building each; only what is not known yet is built."""
        if ProblemType.SUBMIT_ANSWER in self.package.types:
            return [entry.built or _answers(entry.program) for entry in entries]
        return [self._allowed(outcome) for outcome in self._runner.build(entries)]

    def _allowed(self, outcome: Built) -> Built:
        allowed = self.package.languages
        if not isinstance(outcome, Executable) or allowed is None:
            return outcome
        if _SAME_LANGUAGE.get(outcome.language.code, outcome.language.code) in allowed:
            return outcome
        names = ", ".join(sorted(allowed))
        return CompileFailure(diagnostics=f"{outcome.language.name} is not allowed here, only: {names}")

    def recorded(
        self, program: Program, group: Group, case: Case, gallery: Gallery | None = None
    ) -> tuple[CaseResult, Transcript]:
        """Run a case once more, alone, with a tap on a game's pipes. `program` was built before.

        gallery: takes the images that the package's output visualizer draws of it.
        """
        [built] = self._local.build([Entry(program=program)])
        if not isinstance(built, Executable):
            raise JudgeError(f"{program.path}: it was built before, and now it is not")
        tap = Tap()
        case_judge = replace(self.case_judge, tap=tap, gallery=gallery)
        result = self.host.pool.alone(
            lambda sandbox, one: case_judge.judge(sandbox, built, one[0], one[1]), (group, case)
        )
        return result, tap.transcript()

    def _state(self, entry: Entry, built: Submission) -> SubmissionState:
        plan: Plan = CasePlan(package=self.package, rules=entry.rules or (), complete=self.complete)
        if self._graders is not None:
            plan = TreePlan(package=self.package, grader=self._graders, complete=self.complete)
        failed = any(result.verdict is not Verdict.ACCEPTED for result in entry.known.values())
        return SubmissionState(entry=entry, built=built, plan=plan, results=dict(entry.known), failed=failed)

    def _round(
        self,
        tasks: Sequence[tuple[SubmissionState, Group, Case]],
        waiting: deque[SubmissionState],
        trust: Trust,
    ) -> Iterator[SubmissionResult]:
        """Run the tasks. Yields, and takes out of `waiting`, what nothing can change any more."""
        under_way = Counter(id(state) for state, _, _ in tasks)
        hearing = Hearing(trust=trust, submissions=len(under_way))

        def work(judge: JudgeCase, item: tuple[int, tuple[SubmissionState, Group, Case]]) -> CaseResult | None:
            _, (state, group, case) = item
            if trust.lost or not isinstance(state.built, Executable | Answers):
                return None
            if state.failed and not state.plan.wanted(group, case, dict(state.results)):
                return None
            if isinstance(state.built, Answers) or case.name == static_case_name(group):
                return judge(state.built, group, case)
            known = self.memory.recall(state.built, group, case, self._limits)
            if known is not None:
                return known
            result = judge(state.built, group, case)
            self.memory.keep(state.built, group, case, self._limits, result)
            return result

        for (place, (state, group, case)), result in self._runner.run(work, list(enumerate(tasks))):
            if result is not None:
                state.results[case.name] = result
                state.failed = state.failed or result.verdict is not Verdict.ACCEPTED
                self.observer.case(state.path, result)
            hearing.hear(place, result, partial(state.plan.wanted, group, case, state.results), state.path)
            under_way[id(state)] -= 1
            while trust.given and waiting and not under_way[id(waiting[0])] and self._is_final(waiting[0]):
                yield submission_result(self.package, waiting.popleft(), self._graders)
        if trust.lost:  # what other workers had under way meanwhile does not count, however fast they were
            for other, _, one in tasks[hearing.counted :]:
                other.results.pop(one.name, None)
            return
        for state in waiting:
            self._rerun_borderline(state)

    def _is_final(self, state: SubmissionState) -> bool:
        """Whether every case that counts is there and none lies near the time limit."""
        if not isinstance(state.built, Executable):
            return not state.missing()
        kept, missing = state.plan.final(state.results)
        limit_s = self._limits.cpu_s
        return not missing and not any(self._doubtful(state, one, limit_s) for one in kept)

    @staticmethod
    def _doubtful(state: SubmissionState, result: CaseResult, limit_s: float) -> bool:
        """Whether a second run is worth its time; not of a starved program that may be too slow, and far over."""
        calm = replace(result, starved_s=None) if _may_be_slow(state.entry.rules) else result
        return borderline(calm, limit_s, MARGIN)

    def _rerun_borderline(self, state: SubmissionState) -> None:
        """Near the limit a loaded machine must not decide: run alone, at most twice more; the least time counts."""
        if not isinstance(state.built, Executable):
            return
        kept, _ = state.plan.final(state.results)
        counted = {result.name for result in kept if result.judged}
        near = [
            task
            for task in state.plan.ordered()
            if task[1].name in counted and not state.results[task[1].name].cpu_runs_s
        ]

        def rerun(judge: JudgeCase, task: Task, executable: Executable = state.built) -> list[CaseResult]:
            runs = [state.results[task[1].name]]
            while len(runs) <= RERUNS and self._doubtful(state, _least(runs), self._limits.cpu_s):
                runs.append(judge(executable, *task))
            return runs

        for task, runs in self._runner.run(rerun, near, alone=True):
            if len(runs) > 1:
                result = state.results[task[1].name] = _merged(runs)
                self.memory.keep(state.built, *task, self._limits, result)
                self.observer.case(state.path, result)


def _check_cases(package: Package) -> None:
    """Raise PackageError for a package without a test case: whatever were judged on it would be accepted."""
    if not package.judged_cases():
        mend = "no test case, so nothing can be judged: it needs a NAME.in and a NAME.ans"
        raise PackageError([Fault(path=package.root / "data" / "secret", message=mend)])


def _answers(program: Program) -> Submission:
    read = answers_of(program)
    return CompileFailure(diagnostics=read) if isinstance(read, str) else read


def _may_be_slow(rules: Sequence[Rule] | None) -> bool:
    """Whether the package expects that the time limit is exceeded somewhere."""
    return any(rule.required is not None and "TLE" in rule.required for rule in rules or ())


def _least(runs: Sequence[CaseResult]) -> CaseResult:
    return min(runs, key=lambda run: (run.verdict is not Verdict.ACCEPTED, run.cpu_s or 0.0))


def _merged(runs: Sequence[CaseResult]) -> CaseResult:
    return replace(_least(runs), cpu_runs_s=tuple(run.cpu_s or 0.0 for run in runs))
