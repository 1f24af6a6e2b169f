"""Make a Package of samples, a checker and the limits of the command line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import UsageError
from harness.package import Case, Group, Package, ProblemType, Program
from harness.package.cph import CphProblem, read_cph
from harness.package.model import CaseSettings, ProblemLimits
from harness.values import dataclass

DEFAULT_TIME_LIMIT_S, DEFAULT_MEMORY_MIB, DEFAULT = 2.0, 1024, "default"
_DECIMAL = re.compile(rb"(?<!\S)[+-]?\d*\.\d+(e[+-]?\d+)?(?!\S)", re.IGNORECASE)


def package_of_cases(
    *,
    name: str,
    root: Path,
    limits: ProblemLimits,
    cases: Iterable[Case] = (),
    checker: Program | None = None,
    validator: Program | None = None,
    arguments: Sequence[str] = (),
    interactive: bool = False,
) -> Package:
    """Return a problem without a package as a package whose samples are the cases.

    arguments: those of the default output validator. interactive: the checker is the interactor.
    """
    settings = CaseSettings(output_validator_args=tuple(arguments))
    return Package(
        slug=name,
        root=root,
        files={},
        names={"en": name},
        types=frozenset({ProblemType.PASS_FAIL, *({ProblemType.INTERACTIVE} if interactive else ())}),
        limits=limits,
        constants={},
        authors=(),
        source=None,
        license="unknown",
        statements={},
        sample=Group(name="sample", cases=tuple(replace(case, settings=settings) for case in cases)),
        secret=Group(name="secret"),
        invalid_inputs=(),
        input_validators=(validator,) if validator is not None else (),
        output_validators=(checker,) if checker is not None else (),
        submissions=(),
        rules=(),
    )


@dataclass(frozen=True, kw_only=True)
class StatedLimits:
    """The limits of a problem without a package, and the source of each: an option, a file of cph, or the default.

    cph: the file of cph, if there is one. interactive: whether that file says that the problem is interactive.
    """

    time_limit_s: float
    time_from: str
    memory_mib: int
    memory_from: str
    cph: Path | None = None
    interactive: bool = False

    @property
    def limits(self) -> ProblemLimits:
        """Return the limits of a package."""
        return ProblemLimits(time_limit_s=self.time_limit_s, memory_mib=self.memory_mib)


def limits_for(
    folders: Iterable[Path],
    program: Path,
    *,
    time_limit_s: float | None,
    memory_mib: int | None,
    has_checker: bool,
) -> StatedLimits:
    """Return the limits as given, else those of cph for `program` in the first of `folders`, else the defaults.

    Raises UsageError for an interactive problem without an interactor.
    """
    kept = next(filter(None, (read_cph(folder, program) for folder in folders)), None)
    stated = kept or CphProblem(path=Path(), samples=())
    file = str(stated.path)
    if stated.interactive and not has_checker:
        raise UsageError(
            f"{file}: this problem is interactive, so its samples alone cannot judge a program: "
            "name its interactor with --interactor (docs/interactive.md)"
        )
    times = ((time_limit_s, "--time-limit"), (stated.time_limit_s, file), (DEFAULT_TIME_LIMIT_S, DEFAULT))
    memories = ((memory_mib, "--memory"), (stated.memory_mib, file), (DEFAULT_MEMORY_MIB, DEFAULT))
    time_s, time_from = next((value, name) for value, name in times if value is not None)
    memory, memory_from = next((value, name) for value, name in memories if value is not None)
    return StatedLimits(
        time_limit_s=time_s,
        time_from=time_from,
        memory_mib=memory,
        memory_from=memory_from,
        cph=kept.path if kept is not None else None,
        interactive=stated.interactive,
    )


def comparison_arguments(options: Mapping[str, str | bool | None]) -> tuple[str, ...]:
    """Return the arguments of the default output validator: flags that are set, and names with their values."""
    given = {name: value for name, value in options.items() if value not in (None, False)}
    return tuple(
        word for name, value in given.items() for word in ((name,) if value is True else (name, str(value)))
    )


def answers_have_decimals(cases: Iterable[Case]) -> bool:
    """Return whether a word of an answer is a number with decimal places."""
    answers = (case.answer for case in cases)
    return any(_DECIMAL.search(answer.read()) for answer in answers if answer is not None)
