"""The options of `harness mutate`."""

import math
import time
from collections.abc import Sequence
from pathlib import Path

from harness.cli.options import (
    OUTPUT,
    CiOptions,
    NumberType,
    isolation_option,
    jobs_option,
    nested,
    option,
    shared,
    time_limit_option,
)
from harness.host.host import Host
from harness.mutate.corpus import FULL
from harness.mutate.judge_mutants import Progress
from harness.mutate.mutation import Mutation
from harness.mutate.run import STRENGTH_INPUTS, STRENGTH_MUTANTS, MutationResult, run_mutation
from harness.mutate.strength import SEARCH_S
from harness.package import Package, Program
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
    time_limit: float | None = shared(time_limit_option())
    html_file: Path | None = option(
        "--html", type=OUTPUT, metavar="FILE", help="Write a page there: the sources with their mutants."
    )
    fresh: bool = option("--fresh", is_flag=True, help="Judge and compare again what earlier calls have judged.")
    ci: CiOptions = nested(CiOptions)
    jobs: int = shared(jobs_option)
    isolation: str = shared(isolation_option)

    def run(
        self, package: Package, programs: Sequence[Program], *, host: Host, cache: Path, progress: Progress
    ) -> MutationResult:
        """Run what the options ask for."""
        mutation = Mutation(
            package=package,
            host=host,
            cache=cache,
            inputs=self.inputs if self.inputs is not None else STRENGTH_INPUTS if self.strength else FULL,
            sample=self.sample or (STRENGTH_MUTANTS if self.strength else None),
            fresh=self.fresh,
            until_s=time.monotonic() + self.time_s if self.time_s is not None else math.inf,
            progress=progress,
        )
        return run_mutation(
            mutation,
            programs,
            matrix=self.matrix,
            propose=self.heal or self.applied,
            strength=self.strength,
            search_s=self.seconds,
        )
