"""The options of `harness stress`."""

import sys
from pathlib import Path

import click

from harness.cli.ad_hoc_options import AdHocOptions
from harness.cli.ci_options import CiOptions, format_option, json_option
from harness.cli.options import FILE, Number, language_option, limit_options, sanitize_option, with_options
from harness.cli.output_files import OUTPUT, JsonTarget
from harness.errors import UsageError
from harness.package.files import LEGAL_NAME
from harness.package.find import is_in_package
from harness.values import dataclass

with_stress_options = with_options(
    click.option(
        "--brute",
        "--against",
        "brute",
        type=FILE,
        multiple=True,
        help="A program that is right; given twice, both are asked about a failing input.",
    ),
    click.option("--gen", type=FILE, help="A program that prints an input, given a seed as its argument."),
    click.option(
        "--shape", help="What inputs look like: a shape's text, or a file that holds it (docs/shapes.md)."
    ),
    click.option(
        "--checker", type=FILE, help="Without a package: decides which outputs are right (docs/packages.md)."
    ),
    click.option("--interactor", type=FILE, help="The same for an interactive problem: it talks to the program."),
    click.option(
        "--validator", type=FILE, help="Without a package: reads an input; exit code 42: valid, 43: not."
    ),
    click.option("--slowest", is_flag=True, help="Search the slowest input instead, and show how time grows."),
    click.option("--plot", type=OUTPUT, help="With --slowest: write the growth there as SVG."),
    click.option("--promote", metavar="NAME", help="Add the input to the package's data as the case NAME."),
    click.option(
        "--input", "given", metavar="FILE", help="Try this input, make it smaller if it fails; -: stdin."
    ),
    click.option(
        "--search-time",
        "time_s",
        metavar="SECONDS",
        type=Number(float, 0, 86_400),
        default=30.0,
        show_default=True,
        help="How long to search.",
    ),
    click.option("--seed", default=0, show_default=True, help="Another seed tries other inputs."),
    click.option("--save", type=OUTPUT, help="Write the input there."),
    json_option,
    format_option,
    click.option(
        "--float-tolerance",
        metavar="NUMBER",
        help="Without a package: numbers may differ by so much, absolutely or relatively.",
    ),
    sanitize_option,
    language_option,
    limit_options(),
)


@dataclass(frozen=True, kw_only=True)
class StressOptions:
    """The values of the options, by their names."""

    brute: tuple[Path, ...]
    gen: Path | None
    shape: str | None
    checker: Path | None
    interactor: Path | None
    validator: Path | None
    slowest: bool
    plot: Path | None
    promote: str | None
    given: str | None
    time_s: float
    seed: int
    save: Path | None
    json_file: JsonTarget
    form: str
    float_tolerance: str | None
    sanitize: bool
    language: str | None
    time_limit: float | None
    memory: int | None
    jobs: int
    isolation: str

    @property
    def short(self) -> bool:
        """Return whether standard output is only for the line of the finding."""
        return self.form == "short"

    @property
    def is_for_programs(self) -> bool:
        """Return whether standard output is for programs: JSON, or the line of the finding."""
        return self.says_json or self.short

    @property
    def says_json(self) -> bool:
        """Return whether standard output is only for JSON."""
        return self.json_file == "-"

    @property
    def replaces_package(self) -> bool:
        """Return whether the options replace a package. In a package's folder they add to it, except --checker."""
        if self.checker is not None or self.interactor is not None:
            return True
        return any((self.brute, self.gen, self.shape)) and not is_in_package(Path.cwd())

    @property
    def judged_by(self) -> AdHocOptions:
        """Return the options that replace a package; without a package, upper and lower case differ."""
        sensitive = self.replaces_package and self.checker is None and self.interactor is None
        return AdHocOptions(
            checker=self.checker,
            interactor=self.interactor,
            time_limit=self.time_limit,
            memory=self.memory,
            comparing={"float_tolerance": self.float_tolerance, "case_sensitive": sensitive},
        )

    @property
    def given_input(self) -> bytes | None:
        """Return the bytes of --input, from a file or standard input."""
        if self.given is None:
            return None
        return sys.stdin.buffer.read() if self.given == "-" else Path(self.given).read_bytes()

    def check(self) -> None:
        """Raise UsageError for options that do not go together, before the search."""
        CiOptions(form=self.form, json_file=self.json_file)
        if self.short and self.slowest:
            raise UsageError("--format short goes without --slowest, which prints a table")
        if self.json_file is not None and self.slowest:
            raise UsageError("--json goes without --slowest, which prints a table")
        if self.slowest and (self.promote is not None or self.given is not None):
            raise UsageError("--promote and --input go without --slowest; --save FILE keeps the slowest input")
        if self.plot is not None and not self.slowest:
            raise UsageError("--plot draws what --slowest measures: say both")
        if self.promote is not None and not all(map(LEGAL_NAME.fullmatch, self.promote.split("/"))):
            raise UsageError(f"--promote: the name {self.promote!r} is not allowed: use letters, digits, _ . -")

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
        return words + [word for name, value in options if value is not None for word in (name, str(value))]
