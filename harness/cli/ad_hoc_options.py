"""The options that stand for a package: which program judges the outputs, how they are compared, the limits."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from harness.cli.options import FILE, Function, folded, limit_options, with_options
from harness.errors import UsageError
from harness.package import Case, Package, Program
from harness.package.ad_hoc import Loose, StatedLimits, answers_have_decimals, comparison_arguments, limits_for
from harness.package.named_programs import judge_program_at
from harness.values import dataclass

_COMPARING = (
    "float_tolerance",
    "float_relative_tolerance",
    "float_absolute_tolerance",
    "case_sensitive",
    "space_change_sensitive",
)
_EXACT = tuple(name for name in _COMPARING if name != "case_sensitive")  # each says how exact numbers must be
TOLERANCE = "1e-6"  # of numbers, if answers have decimals and no option says otherwise
case_option = click.option(
    "--case-sensitive/--ignore-case",
    default=None,
    help="Without a package and a checker: whether upper and lower case differ, as they do by default.",
)
_OPTIONS = with_options(
    limit_options(time_default="as cph keeps it, or 2", memory_default="as cph keeps it, or 1024"),
    click.option(
        "--float-tolerance", metavar="NUMBER", help="Numbers may differ by so much, absolutely or relatively."
    ),
    click.option(
        "--float-relative", "float_relative_tolerance", metavar="NUMBER", help="The same, relatively only."
    ),
    click.option(
        "--float-absolute", "float_absolute_tolerance", metavar="NUMBER", help="The same, absolutely only."
    ),
    case_option,
    click.option("--space-sensitive", "space_change_sensitive", is_flag=True, help="Spaces and line ends count."),
    click.option(
        "--checker",
        type=FILE,
        help="A program that decides which outputs are right: CHECKER INPUT ANSWER FOLDER/, the output on standard "
        "input; exit code 42: right, 43: wrong (docs/packages.md).",
    ),
    click.option("--interactor", type=FILE, help="The same for an interactive problem: it talks to PROGRAM."),
)


@dataclass(frozen=True, kw_only=True)
class AdHocOptions:
    """The values of the options. comparing: arguments of the default output validator, by name; None: not given.

    Raises UsageError if both a checker and an interactor are given.
    """

    checker: Path | None = None
    interactor: Path | None = None
    time_limit: float | None = None
    memory: int | None = None
    comparing: Mapping[str, str | bool | None]

    def __post_init__(self) -> None:
        if self.checker is not None and self.interactor is not None:
            raise UsageError("--checker and --interactor: give the one that the problem has")

    @property
    def judge(self) -> Path | None:
        """Return the program that decides which outputs are correct."""
        return self.checker or self.interactor

    def infers_tolerance(self, cases: Iterable[Case]) -> bool:
        """Return whether numbers are compared with a tolerance that no option gives, as answers have decimals."""
        is_stated = self.judge is not None or any(self.comparing.get(name) for name in _EXACT)
        return not is_stated and answers_have_decimals(cases)

    def arguments(self, cases: Iterable[Case]) -> tuple[str, ...]:
        """Return the arguments of the default output validator for these cases."""
        inferred: dict[str, str | bool] = {"float_tolerance": TOLERANCE} if self.infers_tolerance(cases) else {}
        if self.judge is None and self.comparing.get("case_sensitive") is None:
            inferred["case_sensitive"] = True
        return comparison_arguments({**self.comparing, **inferred})

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
        loose = Loose(
            name=name,
            root=root,
            cases=cases,
            limits=stated.limits,
            checker=judge_program_at(self.judge),
            validator=validator,
            arguments=self.arguments(cases),
            interactive=stated.interactive or self.interactor is not None,
        )
        return loose.package(), stated


def ad_hoc_options(function: Function) -> Function:
    """Add these options to a command, as one argument `judged_by`."""
    names = ("checker", "interactor", "time_limit", "memory", *_COMPARING)
    return _OPTIONS(folded("judged_by", names, _made)(function))


def _made(**given: Any) -> AdHocOptions:
    return AdHocOptions(comparing={name: given.pop(name) for name in _COMPARING}, **given)
