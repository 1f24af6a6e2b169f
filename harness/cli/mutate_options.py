"""The options of `harness mutate`."""

from pathlib import Path

from harness.cli.options import OUTPUT, NumberType, limit_options, option, shared
from harness.mutate.corpus import FULL
from harness.mutate.run import STRENGTH_INPUTS, STRENGTH_MUTANTS
from harness.mutate.strength import SEARCH_S
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class MutateOptions:
    """The options and their values."""

    inputs: int | None = option(
        "--inputs",
        type=NumberType(int, 0, 10**8),
        help="New inputs to run on survivors, to find one that kills them; 0: none. [100000; --strength: 5000]",
    )
    sample: int | None = option(
        "--sample",
        type=NumberType(int, 1, 10**6),
        help="At most so many mutants of a solution, evenly spread. [all; --strength: 24]",
    )
    strength: bool = option(
        "--strength",
        is_flag=True,
        help="Measure how strong the data is: TPR, TNR, needless cases, and valid inputs that break what passes it.",
    )
    seconds: float = option(
        "--seconds",
        type=NumberType(float, 0.1, 86400),
        default=SEARCH_S,
        show_default=True,
        help="With --strength: how long to search an input that breaks a submission.",
    )
    time_s: float | None = option(
        "--time",
        type=NumberType(float, 0.1, 10**6),
        help="Stop judging and searching after so many seconds; the same command goes on there. [no limit]",
    )
    matrix: bool = option(
        "--matrix",
        is_flag=True,
        help="Show which case kills what, redundant cases, and the smallest set that suffices.",
    )
    heal: bool = option(
        "--heal", is_flag=True, help="Make the inputs that kill survivors small and propose them for the recipe."
    )
    applied: bool = option("--apply", is_flag=True, help="Add what --heal proposes; build and lock the data anew.")
    time_limit: float | None = shared(limit_options(memory=False))
    html_file: Path | None = option(
        "--html", type=OUTPUT, metavar="FILE", help="Write a page there: the sources with their mutants."
    )
    fresh: bool = option("--fresh", is_flag=True, help="Judge and compare again what earlier calls have judged.")

    @property
    def tried_inputs(self) -> int:
        """Return how many new inputs to run on survivors."""
        if self.inputs is not None:
            return self.inputs
        return STRENGTH_INPUTS if self.strength else FULL

    @property
    def sampled_mutants(self) -> int | None:
        """Return how many mutants of a solution to judge; None: all."""
        return self.sample or (STRENGTH_MUTANTS if self.strength else None)
