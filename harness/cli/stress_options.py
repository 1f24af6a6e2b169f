"""The options of `harness stress`, and the package, programs and time limit that they name."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from harness.cli.ad_hoc_options import AdHocOptions, case_option, warn_of_samples
from harness.cli.console import Counter, console, show_warnings
from harness.cli.environment import package_or_hint, programs_folder
from harness.cli.options import (
    FILE,
    OUTPUT,
    CiOptions,
    NumberType,
    isolation_option,
    jobs_option,
    language_option,
    memory_option,
    nested,
    option,
    sanitize_option,
    shared,
    time_limit_option,
)
from harness.errors import UsageError
from harness.generate.overlay import load_with_overlay
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import with_checks, with_limits
from harness.package import Package, Program
from harness.package.files import LEGAL_NAME
from harness.package.find import is_in_package, split_arguments
from harness.package.load import has_manifest
from harness.package.model import CaseSettings
from harness.package.named_programs import judge_program_at, own_or_strange, program_at
from harness.package.samples import has_samples, sample_folder, samples_in
from harness.report import words
from harness.search.candidates import BUILDING, TIMING, Clock
from harness.search.choose_references import estimated_time_limit, references_of
from harness.search.policy import RUNNING
from harness.search.target import SearchTarget, read_shape_argument, target_of
from harness.values import dataclass

_NO_INPUTS = "no inputs to try: give --gen or --shape, or put samples into test/ (1.in and 1.out)"
_NO_SAMPLES = "no samples found: pairs such as 1.in and 1.out in test/ show what inputs are valid (docs/stress.md)"
_NO_REFERENCE = (
    "{folder} holds samples and is no package: name a program that is right: "
    "harness stress {folder} {program} --brute SLOW"
)
_WITHOUT = "harness stress FILE --brute SLOW, with inputs from --gen, --shape, or samples in test/"

_SAME = (
    "--brute {brute} is the same program as {program}: so no output can be found wrong; name another that is right"
)


@dataclass(frozen=True, kw_only=True)
class StressOptions:
    """The options and their values. folder: DIR of the arguments, which holds samples."""

    brute: tuple[Path, ...] = option(
        "--brute",
        "--against",
        type=FILE,
        multiple=True,
        help="A program that is right. May be given again: an input on which they differ is called doubtful.",
    )
    gen: Path | None = option(
        "--gen", type=FILE, help="A program that prints an input, given a seed as its argument."
    )
    shape: str | None = option(
        "--shape", help="What inputs look like: a shape's text, or a file that holds it (docs/shapes.md)."
    )
    checker: Path | None = option(
        "--checker", type=FILE, help="Without a package: decides which outputs are right (docs/packages.md)."
    )
    interactor: Path | None = option(
        "--interactor", type=FILE, help="The same for an interactive problem: it talks to the program."
    )
    validator: Path | None = option(
        "--validator", type=FILE, help="Without a package: reads an input; exit code 42: valid, 43: not."
    )
    slowest: bool = option(
        "--slowest", is_flag=True, help="Search the slowest input instead, and show how time grows."
    )
    plot: Path | None = option(
        "--plot", type=OUTPUT, help="With --slowest: write a plot of the growth there, as SVG."
    )
    promote: str | None = option(
        "--promote", metavar="NAME", help="Add the input to the package's data as the case NAME."
    )
    given: str | None = option(
        "--input", metavar="FILE", help="Try this input, and make it smaller if it fails; -: stdin."
    )
    time_s: float = option(
        "--search-time",
        metavar="SECONDS",
        type=NumberType(float, 0, 86_400),
        default=30.0,
        show_default=True,
        help="How long to search.",
    )
    seed: int = option("--seed", default=0, show_default=True, help="Another seed tries other inputs.")
    save: Path | None = option("--save", type=OUTPUT, help="Write the input there.")
    ci: CiOptions = nested(CiOptions, "json_file", "form")
    float_tolerance: str | None = option(
        "--float-tolerance",
        metavar="NUMBER",
        help="Without a package: numbers may differ by so much, absolutely or relatively.",
    )
    case_sensitive: bool | None = shared(case_option)
    sanitize: bool = shared(sanitize_option)
    language: str | None = shared(language_option)
    time_limit: float | None = shared(time_limit_option())
    memory: int | None = shared(memory_option())
    jobs: int = shared(jobs_option)
    isolation: str = shared(isolation_option)
    folder: Path | None = None

    @property
    def is_for_programs(self) -> bool:
        """Return whether standard output is for programs: JSON, or the line of the finding."""
        return self.ci.json_lines or self.ci.short

    @property
    def replaces_package(self) -> bool:
        """Return whether the options replace a package. In a package's folder they add to it, except --checker."""
        if self.checker is not None or self.interactor is not None:
            return True
        given = any((self.brute, self.gen, self.shape))
        return given and (self.folder is not None or not is_in_package(Path.cwd()))

    @property
    def judged_by(self) -> AdHocOptions:
        """Return the options that replace a package; in a package case matters only if an option says so."""
        sensitive = self.case_sensitive if self.replaces_package else bool(self.case_sensitive)
        return AdHocOptions(
            checker=self.checker,
            interactor=self.interactor,
            time_limit=self.time_limit,
            memory=self.memory,
            float_tolerance=self.float_tolerance,
            case_sensitive=sensitive,
        )

    @property
    def given_input(self) -> bytes | None:
        """Return the bytes of --input, from a file or standard input."""
        if self.given is None:
            return None
        return sys.stdin.buffer.read() if self.given == "-" else Path(self.given).read_bytes()

    def check(self) -> None:
        """Raise UsageError for options that do not go together, before the search."""
        if self.ci.short and self.slowest:
            raise UsageError("--format short goes without --slowest, which prints a table")
        if self.slowest and (self.promote is not None or self.given is not None):
            raise UsageError("--promote and --input go without --slowest; --save FILE keeps the slowest input")
        if self.plot is not None and not self.slowest:
            raise UsageError("--plot draws what --slowest measures: say both")
        if self.promote is not None and not all(map(LEGAL_NAME.fullmatch, self.promote.split("/"))):
            raise UsageError(f"--promote: the name {self.promote!r} is not allowed: use letters, digits, _ . -")

    def check_comparing(self, package: Package) -> None:
        """Raise UsageError for options that say how outputs are compared, if the package's cases say it."""
        case = "--case-sensitive" if self.case_sensitive else "--ignore-case"
        given = {"--float-tolerance": self.float_tolerance, case: self.case_sensitive}
        names = [name for name, value in given.items() if value is not None]
        if names and any(package.judged_cases()):
            raise UsageError(f"{names[0]}: leave it out: {package.slug} says itself how outputs are compared")

    def command(self, problem: str | None, program: Path) -> list[str]:
        """Return the command line that tries another input in the same way."""
        words = [word for word in ("harness", "stress", problem, str(program)) if word]
        options = (
            *(("--brute", path) for path in self.brute),
            *(("--gen", self.gen), ("--shape", self.shape)),
            *(("--checker", self.checker), ("--interactor", self.interactor), ("--validator", self.validator)),
            *(("--float-tolerance", self.float_tolerance), ("--language", self.language)),
            *(("--time-limit", self.time_limit), ("--memory", self.memory)),
        )
        words += ["--sanitize"] if self.sanitize else []
        if self.case_sensitive is not None:
            words.append("--case-sensitive" if self.case_sensitive else "--ignore-case")
        return words + [word for name, value in options if value is not None for word in (name, str(value))]


def package_of(arguments: tuple[str, ...], options: StressOptions) -> tuple[str | None, Path, Package]:
    """Return PROBLEM as typed, the program's path, and the package, or its replacement by the options."""
    folder = options.folder
    bare = folder is not None or (len(arguments) == 1 and options.replaces_package)
    if bare:
        problem, paths = (str(folder) if folder is not None else None), [Path(arguments[-1])]
    else:
        problem, paths = split_arguments(arguments, Path.cwd())
    if len(paths) != 1:
        raise UsageError(_one_program(problem, paths))
    if bare:
        if options.promote is not None:
            raise UsageError("--promote adds to a package's data: name the PROBLEM; --save FILE goes without one")
        package = _package_without(paths[0], options)
    else:
        root = package_or_hint(problem, _WITHOUT, to_change="--promote" if options.promote else "")
        package = load_with_overlay(root, programs_folder(), built=False)
        show_warnings(package.warnings)
        options.check_comparing(package)
        package = with_limits(package, options.time_limit, options.memory)
    return problem, paths[0], package


def _one_program(problem: str | None, paths: Sequence[Path]) -> str:
    """Return the message for no program or several; of two the second is often meant as the reference."""
    if not paths:
        return f"name the program to break, too: harness stress {problem or 'PROBLEM'} my.cpp"
    if len(paths) == 2:
        mine, right = paths
        words = " ".join(
            ("harness stress", *([problem] if problem is not None else []), f"{mine} --brute {right}")
        )
        return f"one program at a time; if {right} is right: {words}"
    return "one program at a time: harness stress PROBLEM my.cpp"


def folder_of_samples(arguments: Sequence[str]) -> Path | None:
    """Return DIR of `DIR PROGRAM`, as for `harness test`: a folder that holds samples and is no package."""
    folder = Path(arguments[0])
    is_pair = len(arguments) == 2 and folder.is_dir() and not has_manifest(folder)
    if not is_pair or not has_samples(folder, program := Path(arguments[1]), unanswered=True):
        return None
    if not program.is_file():
        raise UsageError(f"{program}: no such file")
    return folder


def _package_without(path: Path, options: StressOptions) -> Package:
    if not options.replaces_package:
        raise UsageError(_NO_REFERENCE.format(folder=options.folder, program=path))
    unanswered = bool(options.brute or options.interactor)
    folder = options.folder or sample_folder(path, unanswered=unanswered)
    cases = samples_in(folder, path, unanswered=unanswered) if folder is not None else []
    warn_of_samples(cases)
    if not (cases or options.gen or options.shape or options.given or options.brute):
        raise UsageError(_NO_INPUTS)
    package, stated = options.judged_by.package(
        path.stem,
        cases,
        path,
        (options.folder or Path(), path.parent),
        root=path.parent,
        validator=judge_program_at(options.validator),
    )
    if not cases and not options.gen and not options.shape and options.given is None:
        console(stderr=True).print(Text(_NO_SAMPLES, style="yellow"))
    for line in ([words.limits_line(stated)] if stated.cph is not None else []) + options.judged_by.notes(cases):
        console(stderr=True).print(Text(line, style="dim"))
    return package


def target_in(package: Package, path: Path, options: StressOptions) -> SearchTarget:
    """Return the target; it has no time limit if the package states none."""
    brutes = [program_at(path) for path in options.brute]
    submission, _ = own_or_strange(package, path, options.language)
    pairs = zip(options.brute, brutes, strict=True)
    same = [path for path, brute in pairs if _sources(brute) == _sources(submission)]
    show_warnings([_SAME.format(brute=brute, program=submission.path) for brute in same])
    samples = package.sample.all_cases() if options.replaces_package else ()
    target = target_of(
        package,
        submission,
        reference=next(iter(brutes), None),
        extra_peers=brutes[1:],
        shape=read_shape_argument(options.shape),
        generator=judge_program_at(options.gen),
        default_settings=CaseSettings(output_validator_args=options.judged_by.arguments(samples)),
    )
    may_be_learnt = target.shape or target.has_unknown_format
    has_inputs = may_be_learnt or options.gen or options.given or any(package.judged_cases())
    if options.replaces_package and not has_inputs:
        raise UsageError(_NO_INPUTS)
    return target


def _sources(program: Program) -> list[bytes]:
    return sorted(file.read() for file in program.files.values())


def with_time_limit(target: SearchTarget, host: Host, options: StressOptions, clock: Clock) -> SearchTarget:
    """Return the target with a time limit; print the limit if the package states none."""
    cap_s = min(RUNNING.estimate_cap_s, RUNNING.estimate_part * options.time_s)
    package = _roughly_timed(
        target, host, cap_s=cap_s, clock=clock, may_infer=options.slowest and not options.sanitize
    )
    return replace(target, package=with_checks(package) if options.sanitize else package)


def _roughly_timed(target: SearchTarget, host: Host, *, cap_s: float, clock: Clock, may_infer: bool) -> Package:
    """Return the package with a time limit: its own, an estimate from few programs and cases, or 2 s; print it.

    cap_s: CPU limit of each run. clock: gets a phase for the build and one for the runs. may_infer: in place of 2 s,
    leave the limit open if there are accepted programs, from whose times on slow inputs it is inferred.
    """
    package = target.package
    if package.limits.time_limit_s is not None:
        return package
    clock.enter(BUILDING)
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        observer = Observer(
            built=lambda _path, _built: clock.enter(TIMING),
            case=lambda path, result: counter.step(f"{path} {result.name}"),
        )
        inferred = estimated_time_limit(package, target.submission, host, cap_s=cap_s, observer=observer)
    shown = console(stderr=True)
    if inferred is not None:
        factor = package.limits.ac_to_time_limit
        shown.print(f"{words.inferred_limit(inferred.limits, factor)}, on the largest cases", markup=False)
        return inferred.package
    stays_open = may_infer and references_of(package, target.submission) != []
    taken = f"{RUNNING.default_limit_s:g} s are taken"
    taken = "it is inferred from accepted programs on slow inputs" if stays_open else taken
    shown.print(f"no time_limit in the package: {taken}; --time-limit SECONDS takes another", markup=False)
    return package if stays_open else with_limits(package, RUNNING.default_limit_s, None)
