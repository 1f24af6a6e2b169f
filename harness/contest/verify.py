"""Verify every problem of a contest, and compare the problems with each other."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from harness.contest.contest import Contest, ContestProblem
from harness.contest.export import NO_START
from harness.contest.read import NO_PACKAGE
from harness.errors import HarnessError, PackageError
from harness.host.host import Host
from harness.package import Package
from harness.package.archive import opened
from harness.package.load import load_to_read
from harness.package.model import rules_for
from harness.package.names import misspelt
from harness.values import dataclass
from harness.verify.findings import Finding, Level, Verification, failing_levels
from harness.verify.run import PARTS, VerificationObserver, Verifier

# The size of an ICPC regional, to estimate the judging time.
TEAMS = 100
SUBMISSIONS_PER_PROBLEM = 2.0  # of each team, including the accepted submission
PEAK = 3.0  # submissions of the busiest hour divided by those of an average hour


@dataclass(frozen=True, kw_only=True)
class ProblemTimes:
    """The times of one problem from the part `time`, in seconds; None if no submission shows it.

    fastest_too_slow_over_s: in place of fastest_too_slow_s if that submission was stopped after so many seconds.
    accepted_total_s: CPU time of an average accepted submission on all cases.
    """

    limit_s: float | None = None
    slowest_accepted_s: float | None = None
    fastest_too_slow_s: float | None = None
    fastest_too_slow_over_s: float | None = None
    accepted_total_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class ProblemReport:
    """One verified problem. verification: None if it could not be opened; error says why.

    languages: codes of the solutions that must be accepted. limit_inferred: the package states no time limit.
    """

    problem: ContestProblem
    verification: Verification | None
    error: str = ""
    languages: frozenset[str] = frozenset()
    times: ProblemTimes = ProblemTimes()
    limit_inferred: bool = False

    def holds(self, *, strict: bool) -> bool:
        """Return whether the problem has no errors."""
        return self.verification is not None and self.verification.holds(strict=strict)


@dataclass(frozen=True, kw_only=True)
class ContestReport:
    """A verified contest. findings: those of the contest as a whole."""

    contest: Contest
    problems: tuple[ProblemReport, ...]
    findings: tuple[Finding, ...]

    def holds(self, *, strict: bool = False) -> bool:
        """Return whether neither the problems nor the contest have errors."""
        whole = not any(finding.level in failing_levels(strict=strict) for finding in self.findings)
        return whole and all(report.holds(strict=strict) for report in self.problems)

    @property
    def decided(self) -> bool:
        """Return whether every possible error was measured."""
        return all(report.verification is None or report.verification.decided for report in self.problems)

    def judging_cpu_s(self) -> float:
        """Return the CPU seconds to judge TEAMS teams, estimated from the times of accepted submissions here."""
        totals = [report.times.accepted_total_s or 0.0 for report in self.problems]
        return TEAMS * SUBMISSIONS_PER_PROBLEM * sum(totals)

    def judgehosts(self) -> float | None:
        """Return the number of cores needed in the busiest hour; None if the contest's length is not stated."""
        duration_s = self.contest.duration_s
        return PEAK * self.judging_cpu_s() / duration_s if duration_s else None


@dataclass(frozen=True, kw_only=True)
class ContestVerifier:
    """Verifies a contest, problem by problem. cache, fresh: as of `Verifier`. observer: makes that of a problem."""

    contest: Contest
    host: Host
    cache: Path
    fresh: bool = False
    observer: Callable[[ContestProblem], VerificationObserver] = lambda _: VerificationObserver()

    def run(self, parts: Sequence[str] = PARTS) -> ContestReport:
        """Verify all problems, also after a problem that does not load."""
        packages: dict[str, Package] = {}
        reports = tuple(self._report(problem, parts, packages) for problem in self.contest.problems)
        findings = tuple(_findings(self.contest, reports, packages, self.host.builder.language_codes))
        return ContestReport(contest=self.contest, problems=reports, findings=findings)

    def _report(
        self, problem: ContestProblem, parts: Sequence[str], packages: dict[str, Package]
    ) -> ProblemReport:
        """Verify a problem, and add its package to `packages` if it loads."""
        if problem.root is None:
            return ProblemReport(problem=problem, verification=None, error=NO_PACKAGE)
        try:
            with opened(problem.root) as root:
                observer = self.observer(problem)
                verifier = Verifier(
                    root=root, host=self.host, cache=self.cache, fresh=self.fresh, observer=observer
                )
                verification = verifier.run(parts)
                try:
                    package = packages[problem.slug] = load_to_read(root)[0]
                except PackageError:
                    return ProblemReport(problem=problem, verification=verification)
        except HarnessError as error:
            return ProblemReport(problem=problem, verification=None, error=str(error))
        return ProblemReport(
            problem=problem,
            verification=verification,
            languages=frozenset(_accepted_languages(package, self.host)),
            times=_times(verification),
            limit_inferred=package.limits.time_limit_s is None,
        )


def _times(verification: Verification) -> ProblemTimes:
    figures = next((part.figures for part in verification.parts if part.part == "time"), {})
    return ProblemTimes(**{name: figures.get(name) for name in ProblemTimes.__dataclass_fields__})


def _accepted_languages(package: Package, host: Host) -> Iterator[str]:
    for program in package.submissions:
        rules = rules_for(program.path, package.rules)
        if any(rule.permitted == frozenset({"AC"}) and rule.cases is None for rule in rules):
            language = host.builder.language(program)
            if language is not None:
                yield language.code


def _findings(
    contest: Contest,
    reports: Sequence[ProblemReport],
    packages: dict[str, Package],
    codes: Collection[str],
) -> Iterator[Finding]:
    for fault in contest.faults:
        yield _finding(Level.ERROR, fault.where, fault.message)
    for fault in contest.warnings:
        yield _finding(Level.WARNING, fault.where, fault.message)
    if contest.start_time is None:
        yield _finding(Level.WARNING, "contest.yaml", NO_START)
    yield from _same_names(contest, packages)
    for slug, package in packages.items():
        yield from (_finding(Level.WARNING, slug, message) for message in _unstated(package))
    yield from _other_limits(contest, packages)
    for code in contest.languages:
        if code not in codes:
            near = misspelt(code, codes)
            fix = f"did you mean `{near}`?" if near else "correct it, or add it to harness.toml"
            yield _finding(Level.WARNING, contest.languages_at, f"unknown language `{code}`: {fix}")
    known = [report for report in reports if report.problem.slug in packages]
    yield from _missing_languages(contest, known, codes)


def _same_names(contest: Contest, packages: dict[str, Package]) -> Iterator[Finding]:
    by_name = defaultdict(list)
    for problem in contest.problems:
        package = packages.get(problem.slug)
        titles = package.names.values() if package is not None else [problem.name] if problem.name else []
        for title in {title.casefold() for title in titles}:
            by_name[title].append(problem.slug)
    for title, slugs in by_name.items():
        if len(slugs) > 1:
            yield _finding(Level.WARNING, ", ".join(slugs), f"these problems have one name, `{title}`")
    for slugs in _same_uuids(packages):
        message = (
            "these problems have one `uuid`: remove it from the copies, and `harness verify` shows fresh ones"
        )
        yield _finding(Level.WARNING, ", ".join(slugs), message)
    for problem in contest.problems:
        package = packages.get(problem.slug)
        if package is not None and problem.name and problem.name not in package.names.values():
            stated = f"the contest calls it `{problem.name}`, its package `{package.title}`"
            yield _finding(Level.WARNING, problem.slug, stated)


def _same_uuids(packages: dict[str, Package]) -> Iterator[list[str]]:
    """Yield the short names of the problems that share a UUID."""
    by_uuid = defaultdict(list)
    for slug, package in packages.items():
        if package.uuid is not None:
            by_uuid[package.uuid].append(slug)
    yield from (slugs for slugs in by_uuid.values() if len(slugs) > 1)


def _unstated(package: Package) -> Iterator[str]:
    """Yield what a package does not say of its author and license, and where to say it."""
    family = package.foreign_family
    elsewhere = f"{family} has no place for it; `harness export` writes a problem.yaml that has" if family else ""
    if not package.authors:
        yield f"no author is credited: {elsewhere or '`credits: authors:` in problem.yaml'}"
    if package.license == "unknown":
        here = "replace `license: unknown` in problem.yaml, or add `license:`"
        yield f"no license is stated: {elsewhere or here}"


def _other_limits(contest: Contest, packages: dict[str, Package]) -> Iterator[Finding]:
    """Yield the packages without a time limit, and with another one than the contest states: the package's counts.

    DOMjudge has no problems without limits, whose submissions are answers.
    """
    for problem in contest.problems:
        package = packages.get(problem.slug)
        if package is not None and not package.runs_submissions:
            message = "submissions are answers, which DOMjudge cannot judge: `contest export` and `upload` stop"
            yield _finding(Level.WARNING, problem.slug, message)
            continue
        if package is not None and package.limits.time_limit_s is None:
            message = "no time limit is stated, and DOMjudge needs one: `limits: time_limit:` in problem.yaml"
            yield _finding(Level.WARNING, problem.slug, message)
        if package is None or problem.time_limit_s in (None, package.limits.time_limit_s):
            continue
        limit_s = package.limits.time_limit_s
        counts = f"its package {limit_s:g} s, which counts" if limit_s is not None else "its package none"
        message = f"`{problem.slug}` has `time_limit: {problem.time_limit_s:g}` here, {counts}: state the same"
        yield _finding(Level.WARNING, problem.origin, message)


def _missing_languages(
    contest: Contest, reports: Sequence[ProblemReport], codes: Collection[str]
) -> Iterator[Finding]:
    """Yield for each contest language the problems without an accepted solution in it."""
    stated = contest.languages or sorted({code for report in reports for code in report.languages})
    for code in stated:
        missing = [report.problem.label for report in reports if code in codes and code not in report.languages]
        if missing:
            level = Level.WARNING if contest.languages else Level.NOTE
            yield _finding(level, code, f"no solution that must be accepted for {', '.join(missing)}")


def _finding(level: Level, subject: str, message: str) -> Finding:
    return Finding(level=level, subject=subject, message=message)
