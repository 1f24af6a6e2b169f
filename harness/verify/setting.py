"""What all parts of a verification share: the package, the host that runs its programs, the judged submissions."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from harness.build.executable import CompileFailure, Executable, Unavailable
from harness.check.input_validators import InputValidators, input_validators_for
from harness.host.host import Host, executable_of
from harness.judge.judging import MARGIN, Judging, NoMemory, Observer, ResultMemory, least_run, must_be_slow
from harness.judge.plan import OwnLimit
from harness.judge.prepare import with_limits
from harness.judge.run_case import submission_limits
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.model import rules_for
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.time_limit import TimeLimits, least_multiple_s, time_limits
from harness.search.target import declared_shape
from harness.shapes import Shape, ShapeError
from harness.values import dataclass
from harness.verify.findings import FindingCollector

Progress = Callable[[str], None]
UNKNOWN_LIMIT_S = 10.0  # for the submissions from which an unknown time limit is inferred
LONGEST_S = 60.0  # of any run under an inferred limit
MOST_SLOW_CASES = 5  # most cases on which a submission still runs, once it is over the problem's time limit
LEAST_INDEPENDENT = 2  # fewest solutions that confirm an answer
_FINEST_S = 0.001


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A package under verification.

    progress: called with the name of each step, in the calling thread. memory: stores the runs of submissions.
    """

    package: Package
    host: Host
    progress: Progress = lambda _: None
    memory: ResultMemory = NoMemory()


def input_validators(setting: Setting, findings: FindingCollector | None = None) -> InputValidators:
    """Build the input validators that this machine has the tools for; warn of the others in `findings`.

    Raises JudgeError if a validator does not compile.
    """

    def failed(program: Program, outcome: CompileFailure | Unavailable) -> None:
        if isinstance(outcome, CompileFailure):
            executable_of(program, outcome)
        elif findings is not None:
            findings.warning(program.path, f"not run: {outcome.message}")

    validators = input_validators_for(setting.package, setting.host, failed)
    if findings is not None:
        warn_of_mended(validators.executables, findings)
    return validators


def warn_of_mended(validators: Iterable[Executable], findings: FindingCollector) -> None:
    """Warn of validators that compiled only after a fix by the harness: on other judges they may not compile."""
    for validator in validators:
        if validator.mended:
            findings.warning(validator.program.path, validator.mended)


def shape_if_sound(package: Package) -> Shape | None:
    """Read the declared shape; None if absent or faulty (the part `bounds` reports faults)."""
    try:
        return declared_shape(package)
    except ShapeError:
        return None


@dataclass(kw_only=True)
class JudgedSubmissions:
    """Judges the submissions when a part first needs them, and keeps the results by time limit.

    A case whose result follows from stored runs is not run again.
    """

    setting: Setting
    _results: dict[float, tuple[SubmissionResult, ...]] = field(default_factory=dict)

    @property
    def margin(self) -> float:
        """The factor by which a time may vary from machine to machine."""
        return self.setting.package.limits.time_limit_to_tle

    @cached_property
    def widest_s(self) -> float:
        """The longest time limit to run with; the results under all lower limits follow from that run."""
        limit_s = self.setting.package.limits.time_limit_s
        if limit_s is not None:
            return limit_s * self.margin
        limit_s = self._inferred_s()
        return UNKNOWN_LIMIT_S if limit_s is None else min(limit_s * self.margin, LONGEST_S)

    def at(self, limit_s: float) -> tuple[SubmissionResult, ...]:
        """Return every submission's result under this time limit."""
        if limit_s not in self._results:
            decides = limit_s == self.setting.package.limits.time_limit_s or limit_s < self.widest_s
            if limit_s == self.widest_s:
                self._results[limit_s] = self._at_widest(decides=decides)
            else:
                self._results[limit_s] = self._judge(limit_s, self.setting.package.submissions, decides=decides)
        return self._results[limit_s]

    def _at_widest(self, *, decides: bool) -> tuple[SubmissionResult, ...]:
        """Judge all submissions under the widest limit.

        Submissions that must be too slow come last: once one has exceeded the problem's own limit, it runs only on the
        cases that take the others longest.
        """
        package = self.setting.package
        submissions = package.submissions
        is_slow = {program.path: must_be_slow(rules_for(program.path, package.rules)) for program in submissions}
        others = [program for program in submissions if not is_slow[program.path]]
        slow = [program for program in submissions if is_slow[program.path]]
        results = list(self._judge(self.widest_s, others, decides=decides))
        own_limit = OwnLimit(seconds=self.widest_s / self.margin, extra_cases=_slowest_cases(results))
        results += self._judge(self.widest_s, slow, decides=decides, own_limit=own_limit)
        by_path = {result.path: result for result in results}
        return tuple(by_path[program.path] for program in package.submissions)

    def accepted_on_all(self) -> tuple[SubmissionResult, ...]:
        """Return the results of the solutions that must be accepted, also on cases after a failed one.

        After a failure, cases on which enough other solutions are accepted are skipped: a solution that is too slow
        would cost as much as all others together. With points all cases are run, because the most points count.
        """
        results, package = self.at(self.widest_s), self.setting.package
        accepted = tuple(
            result
            for result in results
            if result.expected is not None
            and result.expected.permitted == ("AC",)
            and not any(rule.below_maximum for rule in rules_for(result.path, package.rules))
        )
        cases = [case for result in accepted for case in result.cases]
        if all(case.judged for case in cases):
            return accepted
        confirmed = Counter(case.name for case in cases if case.verdict is Verdict.ACCEPTED)
        enough = {name for name, count in confirmed.items() if count >= LEAST_INDEPENDENT and not package.scoring}
        known = {
            result.path: {case.name: case for case in result.cases if case.judged or case.name in enough}
            for result in accepted
        }
        programs = [program for program in package.submissions if program.path in known]
        return self._judge(self.widest_s, programs, known=known)

    def allowed_limits(self, stated_s: float | None = None) -> TimeLimits:
        """Return the time limits that the submissions allow. stated_s: the package's limit, checked with them."""
        rules = self.setting.package.rules
        results = [(result, rules_for(result.path, rules)) for result in self.at(self.widest_s)]
        limits = self.setting.package.limits
        if stated_s is not None and not limits.time_limit_is_multiple:
            limits = replace(limits, time_resolution_s=_FINEST_S)
        return time_limits(results, limits, stated_s=stated_s, cap_s=self.widest_s)

    @property
    def judge_failed(self) -> bool:
        """Return whether a judge program failed on some result so far."""
        results = [result for results in self._results.values() for result in results]
        return any(result.verdict is Verdict.JUDGE_ERROR for result in results)

    def working_limit_s(self) -> float:
        """Return the package's time limit; if it states none, the one that its submissions suggest.

        If no limit fits all submissions, those that must be within it decide, as in `judge`.
        """
        limits = self.setting.package.limits
        if limits.time_limit_s is not None:
            return limits.time_limit_s
        allowed = self.allowed_limits()
        if allowed.default_s is None and allowed.lowest is not None:
            return min(least_multiple_s(allowed.lowest.limit_s, limits), self.widest_s)
        return min(allowed.default_s or self.widest_s, self.widest_s)

    def _inferred_s(self) -> float | None:
        """Infer the time limit from the submissions that must keep it; None if that is impossible.

        These run first, so that those that must be too slow are stopped as early as possible.
        """
        package = self.setting.package
        with_rules = [(program, rules_for(program.path, package.rules)) for program in package.submissions]
        bounding = [item for item in with_rules if any(rule.bounds_from_below for rule in item[1])]
        results = self._judge(UNKNOWN_LIMIT_S, [program for program, _ in bounding])
        judged = [(result, rules) for result, (_, rules) in zip(results, bounding, strict=True)]
        lowest = time_limits(judged, package.limits, cap_s=UNKNOWN_LIMIT_S).lowest
        if lowest is None or lowest.open_end:
            return None
        return least_multiple_s(lowest.limit_s, package.limits)

    def run_again(self, path: str, case: str, limit_s: float) -> SubmissionResult:
        """Judge one submission on one case only, ignoring stored runs."""
        setting = self.setting
        setting.progress(f"{path} {case} again")
        package = with_one_case(with_limits(setting.package, limit_s, None), case)
        program = _submission(package, path)
        [result] = Judging(package=package, host=setting.host, margin=0.0).run([Entry(program=program)])
        return result

    def measure_again(self, runs: Sequence[tuple[str, str]]) -> None:
        """Judge submissions again, each on one case and one at a time; the run with the least CPU time counts.

        runs: (path of a submission, name of a case).
        """
        results = {result.path: result for result in self.at(self.widest_s)}
        for path, case in runs:
            earlier = next(run for run in results[path].cases if run.name == case)
            self._keep(path, case, least_run([earlier, *self.run_again(path, case, self.widest_s).cases]))
        self._results.clear()  # verdicts may have changed, and with them which cases are run

    def _keep(self, path: str, case: str, run: CaseResult) -> None:
        setting, package = self.setting, with_limits(self.setting.package, self.widest_s, None)
        program = _submission(package, path)
        [executable] = setting.host.build_submissions(package, [program])
        task = next(task for task in package.cases_with_groups() if task[1].name == case)
        if isinstance(executable, Executable):
            setting.memory.keep(executable, *task, submission_limits(package), run)

    def _judge(
        self,
        limit_s: float,
        programs: Sequence[Program],
        known: Mapping[str, Mapping[str, CaseResult]] | None = None,
        *,
        decides: bool = False,
        own_limit: OwnLimit | None = None,
    ) -> tuple[SubmissionResult, ...]:
        """Judge the programs.

        known: results by path and case; if given, all other cases are run, also after a failure. decides: verdicts
        under this limit count, so cases near it are run again. own_limit: see Judging.
        """
        setting = self.setting

        def show(path: str, result: CaseResult) -> None:
            setting.progress(f"{path} {result.name} {result.verdict}")

        judging = Judging(
            package=with_limits(setting.package, limit_s, None),
            host=setting.host,
            memory=setting.memory,
            complete=known is not None,
            margin=MARGIN if decides else 0.0,
            own_limit=own_limit,
            observer=Observer(case=show),
        )
        rules = setting.package.rules
        entries = [
            Entry(program=program, rules=rules_for(program.path, rules), known=(known or {}).get(program.path, {}))
            for program in programs
        ]
        return tuple(judging.run(entries))


def _submission(package: Package, path: str) -> Program:
    return next(program for program in package.submissions if program.path == path)


def with_one_case(package: Package, name: str) -> Package:
    case = next(case for case in package.judged_cases() if case.name == name)
    return replace(
        package,
        sample=replace(package.sample, cases=(case,), groups=()),
        secret=replace(package.secret, cases=(), groups=()),
    )


def _slowest_cases(results: Sequence[SubmissionResult]) -> frozenset[str]:
    """Return the names of the cases that take longest, by the total CPU time of accepted submissions."""
    seconds: dict[str, float] = defaultdict(float)
    for result in results:
        if result.verdict is Verdict.ACCEPTED:
            for case in result.cases:
                seconds[case.name] += case.cpu_s or 0.0
    return frozenset(sorted(seconds, key=lambda name: -seconds[name])[:MOST_SLOW_CASES])
