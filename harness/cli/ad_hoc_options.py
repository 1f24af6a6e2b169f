"""The options that stand for a package: which program judges the outputs, how they are compared, the limits."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from harness.cli.console import show_warnings
from harness.cli.options import FILE, memory_option, option, shared, time_limit_option
from harness.errors import UsageError
from harness.package import Case, Package, Program
from harness.package.ad_hoc import (
    StatedLimits,
    answers_have_decimals,
    comparison_arguments,
    limits_for,
    package_of_cases,
)
from harness.package.named_programs import judge_program_at
from harness.package.samples import ended_by_cr_lf, marked_in
from harness.report import words
from harness.values import dataclass

# Arguments of the default output validator.
_COMPARING = (
    "float_tolerance",
    "float_relative_tolerance",
    "float_absolute_tolerance",
    "case_sensitive",
    "space_change_sensitive",
)
_EXACT = tuple(name for name in _COMPARING if name != "case_sensitive")  # each says how exact numbers must be
_TOLERANCE = "1e-6"  # of numbers, if answers have decimals and no option says otherwise
case_option = click.option(
    "--case-sensitive/--ignore-case",
    default=None,
    help="Without a package and a checker: whether upper and lower case differ, as they do by default.",
)


@dataclass(frozen=True, kw_only=True)
class AdHocOptions:
    """The options and their values; None: not given. Raises UsageError if a checker and an interactor are given."""

    time_limit: float | None = shared(time_limit_option("as cph keeps it, or 2"))
    memory: int | None = shared(memory_option("as cph keeps it, or 1024"))
    float_tolerance: str | None = option(
        "--float-tolerance", metavar="NUMBER", help="Numbers may differ by so much, absolutely or relatively."
    )
    float_relative_tolerance: str | None = option(
        "--float-relative", metavar="NUMBER", help="The same, relatively only."
    )
    float_absolute_tolerance: str | None = option(
        "--float-absolute", metavar="NUMBER", help="The same, absolutely only."
    )
    case_sensitive: bool | None = shared(case_option)
    space_change_sensitive: bool = option("--space-sensitive", is_flag=True, help="Spaces and line ends count.")
    checker: Path | None = option(
        "--checker",
        type=FILE,
        help="A program that decides which outputs are right: CHECKER INPUT ANSWER FOLDER/, the output on standard "
        "input; exit code 42: right, 43: wrong (docs/packages.md).",
    )
    interactor: Path | None = option(
        "--interactor", type=FILE, help="The same for an interactive problem: it talks to PROGRAM."
    )

    def __post_init__(self) -> None:
        if self.checker is not None and self.interactor is not None:
            raise UsageError("--checker and --interactor: give the one that the problem has")

    @property
    def judge(self) -> Path | None:
        """Return the program that decides which outputs are correct."""
        return self.checker or self.interactor

    def notes(self, cases: Iterable[Case]) -> list[str]:
        """Return the lines that tell how these cases are compared, if no option says it."""
        return [words.tolerance_line(_TOLERANCE)] if self._infers_tolerance(cases) else []

    def _infers_tolerance(self, cases: Iterable[Case]) -> bool:
        """Return whether numbers are compared with a tolerance that no option gives, as answers have decimals."""
        is_stated = self.judge is not None or any(getattr(self, name) for name in _EXACT)
        return not is_stated and answers_have_decimals(cases)

    def arguments(self, cases: Iterable[Case]) -> tuple[str, ...]:
        """Return the arguments of the default output validator for these cases."""
        comparing = {name: getattr(self, name) for name in _COMPARING}
        if self._infers_tolerance(cases):
            comparing["float_tolerance"] = _TOLERANCE
        if self.judge is None and self.case_sensitive is None:
            comparing["case_sensitive"] = True
        return comparison_arguments(comparing)

    def package(
        self,
        name: str,
        cases: Sequence[Case],
        program: Path,
        folders: Sequence[Path],
        *,
        root: Path,
        validator: Program | None = None,
    ) -> tuple[Package, StatedLimits]:
        """Return a package of the cases, and its limits. folders: where cph may keep limits for `program`."""
        stated = limits_for(
            folders,
            program,
            time_limit_s=self.time_limit,
            memory_mib=self.memory,
            has_checker=self.judge is not None,
        )
        package = package_of_cases(
            name=name,
            root=root,
            cases=cases,
            limits=stated.limits,
            checker=judge_program_at(self.judge),
            validator=validator,
            arguments=self.arguments(cases),
            interactive=stated.interactive or self.interactor is not None,
        )
        return package, stated


def warn_of_samples(cases: Sequence[Case]) -> None:
    """Warn of a byte order mark, which is left out, and of CR LF, which is not."""
    with_cr_lf = ended_by_cr_lf(cases)
    show_warnings(
        [*map(words.left_out_mark, marked_in(cases)), *([words.keeps_cr_lf(with_cr_lf)] if with_cr_lf else [])]
    )
