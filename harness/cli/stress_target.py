"""The target of `harness stress`: the package or what replaces it, the program, the reference, the time limit."""

from dataclasses import replace
from pathlib import Path

from rich.text import Text

from harness.cli.console import Counter, console, show_warnings
from harness.cli.environment import programs_folder
from harness.cli.packages import package_or_hint
from harness.cli.stress_options import StressOptions
from harness.errors import UsageError
from harness.generate.overlay import load_with_overlay
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import with_checks, with_limits
from harness.package import Package, Program
from harness.package.ad_hoc import samples_of
from harness.package.find import split_arguments
from harness.package.model import CaseSettings
from harness.package.named_programs import judge_program_at, own_or_strange, program_at
from harness.report import words
from harness.search import Clock, SearchTarget, target_of
from harness.search.model import BUILDING
from harness.search.policy import RUNNING
from harness.search.target import estimated_time_limit, read_shape_argument

_NO_INPUTS = "no inputs to try: give --gen or --shape, or put samples into test/ (1.in and 1.out)"
_WITHOUT = "harness stress FILE --brute SLOW, with inputs from --gen, --shape, or samples in test/"


def package_of(arguments: tuple[str, ...], options: StressOptions) -> tuple[str | None, Path, Package]:
    """Return PROBLEM as typed, the program's path, and the package, or its replacement by the options."""
    bare = len(arguments) == 1 and options.replaces_package
    problem, paths = (None, [Path(arguments[0])]) if bare else split_arguments(arguments, Path.cwd())
    if len(paths) != 1:
        raise UsageError("one program at a time: harness stress PROBLEM my.cpp")
    if bare:
        if options.promote is not None:
            raise UsageError("--promote adds to a package's data: name the PROBLEM; --save FILE goes without one")
        package = _package_without(paths[0], options)
    else:
        root = package_or_hint(problem, _WITHOUT, to_change="--promote" if options.promote else "")
        package = load_with_overlay(root, programs_folder(), built=False)
        show_warnings(package)
        package = with_limits(package, options.time_limit, options.memory)
    return problem, paths[0], package


def _package_without(path: Path, options: StressOptions) -> Package:
    cases = samples_of(path, unanswered=bool(options.brute or options.interactor))
    if not (cases or options.gen or options.shape or options.given or options.brute):
        raise UsageError(_NO_INPUTS)
    package, stated = options.judged_by.package(
        path.stem,
        cases,
        path,
        (Path(), path.parent),
        root=path.parent,
        validator=judge_program_at(options.validator),
    )
    if stated.cph is not None:
        console(stderr=True).print(Text(words.limits_line(stated), style="dim"), soft_wrap=True)
    return package


def target_in(package: Package, path: Path, options: StressOptions) -> SearchTarget:
    """Return the target; it has no time limit if the package states none."""
    brutes = [program_at(path) for path in options.brute]
    submission, _ = own_or_strange(package, path, options.language)
    target = target_of(
        package,
        submission,
        oracle=next(iter(brutes), None),
        others=brutes[1:],
        shape=read_shape_argument(options.shape),
        generator=judge_program_at(options.gen),
        usual=CaseSettings(output_validator_args=options.judged_by.arguments),
    )
    has_inputs = target.shape or options.gen or options.given or any(package.judged_cases())
    if options.replaces_package and not has_inputs:
        raise UsageError(_NO_INPUTS)
    return target


def with_time_limit(target: SearchTarget, opened: Host, options: StressOptions, clock: Clock) -> SearchTarget:
    """Return the target with a time limit; print the limit if the package states none."""
    cap_s = min(RUNNING.estimate_cap_s, RUNNING.estimate_part * options.time_s)
    package = _roughly_timed(target.package, target.submission, opened, cap_s=cap_s, clock=clock)
    return replace(target, package=with_checks(package) if options.sanitize else package)


def _roughly_timed(package: Package, submission: Program, opened: Host, *, cap_s: float, clock: Clock) -> Package:
    """Return the package with a time limit: its own, an estimate from few programs and cases, or 2 s; print it.

    cap_s: CPU limit of each run. clock: gets a phase for the build and a phase for the runs.
    """
    if package.limits.time_limit_s is not None:
        return package
    clock.enter(BUILDING)
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        observer = Observer(
            built=lambda _path, _built: clock.enter("timing the reference"),
            case=lambda path, result: counter.step(f"{path} {result.name}"),
        )
        inferred = estimated_time_limit(package, submission, opened, cap_s=cap_s, observer=observer)
    if inferred is None:
        taken = f"{RUNNING.default_limit_s:g} s are taken; --time-limit SECONDS takes another"
        line = f"no time_limit in the package: {taken}"
    else:
        line = f"{words.inferred_limit(inferred.limits, package.limits.ac_to_time_limit)}, on the largest cases"
    console(stderr=True).print(line, markup=False, soft_wrap=True)
    return inferred.package if inferred is not None else with_limits(package, RUNNING.default_limit_s, None)
