"""Where submissions are built and their cases judged: on the workers of this machine, or on those of a cluster."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Protocol, TypeVar

from harness.build.model import Built, Executable
from harness.check.output_check import output_check_for
from harness.host.host import Host
from harness.judge.judge_case import CaseJudge
from harness.judge.run_case import submission_limits
from harness.judge.submission_result import Entry
from harness.judge.submitted_answers import Answers
from harness.package import Case, Group, Package
from harness.results.model import CaseResult
from harness.sandbox.facts import Sandbox
from harness.values import dataclass

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
JudgeCase = Callable[[Executable | Answers, Group, Case], CaseResult]


class CaseRunner(Protocol):
    """What a judging needs of the machines that it runs on."""

    def build(self, entries: Sequence[Entry]) -> list[Built]:
        """Build the entries, many at once; the outcomes are in their order. What is built already stays as it is."""

    def run(
        self, work: Callable[[JudgeCase, Item], Outcome], items: Sequence[Item], *, alone: bool = False
    ) -> Iterator[tuple[Item, Outcome]]:
        """Do the work for each item, which is given a function that judges a case; yield items as they are done.

        Many items are worked on at once, or with `alone` one at a time, while nothing else runs.
        """


@dataclass(frozen=True, kw_only=True)
class LocalRunner:
    """The workers of this machine."""

    package: Package
    host: Host

    @cached_property
    def case_judge(self) -> CaseJudge:
        """The judge of each case. Its validators are built at first use; raises JudgeError if that fails."""
        return CaseJudge(
            host=self.host,
            limits=submission_limits(self.package),
            check=output_check_for(self.package, self.host),
            scoring=self.package.scoring,
            files_writable=self.package.allow_file_writing,
        )

    def build(self, entries: Sequence[Entry]) -> list[Built]:
        """See CaseRunner."""
        unknown = [entry.program for entry in entries if entry.built is None]
        fresh = iter(self.host.build_submissions(self.package, unknown))
        return [entry.built if entry.built is not None else next(fresh) for entry in entries]

    def run(
        self, work: Callable[[JudgeCase, Item], Outcome], items: Sequence[Item], *, alone: bool = False
    ) -> Iterator[tuple[Item, Outcome]]:
        """See CaseRunner."""
        case_judge = self.case_judge

        def with_sandbox(sandbox: Sandbox, item: Item) -> Outcome:
            return work(partial(case_judge.judge, sandbox), item)

        if alone:
            return ((item, self.host.pool.alone(with_sandbox, item)) for item in items)
        return self.host.pool.each(with_sandbox, items)
