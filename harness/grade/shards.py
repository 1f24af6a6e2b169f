"""Shards of a grading: select a part, store its outline, merge the reports of all parts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from harness.errors import UsageError
from harness.grade.grading import Job, combined, judged_files_identity
from harness.judge.submission_result import Entry
from harness.package import Package
from harness.results.model import CaseText, Report, Shard, SubmissionResult
from harness.results.reading import read_value
from harness.rules.outcomes import with_outcome
from harness.store.database import Store
from harness.store.identity import digest_of_texts
from harness.values import dataclass

Item = TypeVar("Item")
NAMED = 10  # most missing shards that a message names; the rest is counted


def parse_shard(text: str) -> Shard:
    """Parse a shard such as `2/5`."""
    index, _, count = text.partition("/")
    if not (index.isascii() and index.isdigit() and count.isascii() and count.isdigit()) or len(text) > 15:
        raise UsageError(f"--shard {text}: expected I/N, for instance 2/5")
    shard = Shard(index=int(index), count=int(count))
    if not 1 <= shard.index <= shard.count:
        raise UsageError(f"--shard {text}: the shards of {shard.count} are numbered 1 to {shard.count}")
    return shard


def part(items: Sequence[Item], shard: Shard | None) -> Sequence[Item]:
    """Return the items of a shard: every `count`-th, since neighbours often have similar costs."""
    return items if shard is None else items[shard.index - 1 :: shard.count]


def shard_of(shard: Shard | None, package: Package, entries: Sequence[Entry]) -> Shard | None:
    """Return the shard with the digests of the package and of all submissions. entries: of all shards."""
    if shard is None:
        return None
    names = digest_of_texts(*(entry.program.path for entry in entries))
    return replace(shard, package=judged_files_identity(package), submissions=names)


def merged(reports: Sequence[Report]) -> list[Report]:
    """Merge the shards of each problem into one report. Raises UsageError for a missing part."""
    problems = dict.fromkeys(report.problem for report in reports)
    return [_merged_problem([report for report in reports if report.problem == problem]) for problem in problems]


def _merged_problem(reports: Sequence[Report]) -> Report:
    """Merge the reports of one problem."""
    if len(reports) == 1 and reports[0].shard is None:
        return reports[0]
    parts = _in_order(reports)
    _check_same_grading(parts)
    missing = tuple(dict.fromkeys(text for report in parts for text in report.isolation.missing))
    weakest = min((report.isolation for report in parts), key=lambda isolation: isolation.tier)
    return replace(
        parts[0],
        shard=None,
        isolation=replace(weakest, missing=missing),
        submissions=_interleaved([report.submissions for report in parts]),
        shown=_shown(parts),
        counterexamples=tuple(item for report in parts for item in report.counterexamples),
        games=tuple(game for report in parts for game in report.games),
        images=tuple(dict.fromkeys(image for report in parts for image in report.images)),
        passed_over=tuple(dict.fromkeys(name for report in parts for name in report.passed_over)),
        sources=tuple(source for report in parts for source in report.sources),
    )


def _in_order(reports: Sequence[Report]) -> list[Report]:
    """Return the parts by number, each exactly once."""
    problem = reports[0].problem
    by_index: dict[int, Report] = {}
    counts = {report.shard.count if report.shard else 0 for report in reports}
    if len(counts) != 1 or counts == {0}:
        raise UsageError(
            f"{problem}: these are not the shards of one grading (numbers of shards: {sorted(counts)})"
        )
    count = counts.pop()
    for report in reports:
        index = report.shard.index if report.shard else 0
        if not 1 <= index <= count:
            raise UsageError(f"{problem}: there is no shard {index}/{count}: not a result of harness")
        if index in by_index:
            raise UsageError(f"{problem}: shard {index}/{count} is there twice")
        by_index[index] = report
    # A file may claim any number of shards: search no more than the message can name.
    absent = [
        f"{index}/{count}" for index in range(1, min(count, len(by_index) + NAMED) + 1) if index not in by_index
    ]
    if absent:
        more = count - len(by_index) - len(absent[:NAMED])
        names = ", ".join(absent[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
        raise UsageError(
            f"{problem}: shard {names} is missing: grade it with a --store of its own, then merge again"
        )
    return [by_index[index] for index in sorted(by_index)]


def _check_same_grading(parts: Sequence[Report]) -> None:
    for name in ("title", "time_limit_s", "memory_limit_mib", "asked", "feedback"):
        if len({getattr(report, name) for report in parts}) != 1:
            only = "give stores only, which hold all, or JSON of one level of --feedback only"
            fix = f": {only}" if name == "feedback" else ", so they are not of one grading"
            raise UsageError(f"{parts[0].problem}: the shards differ in `{name}`{fix}")
    changes = {
        "the files of the package": {report.shard.package for report in parts if report.shard},
        "the list of submissions": {report.shard.submissions for report in parts if report.shard},
    }
    for what, digests in changes.items():
        if len(digests) > 1:
            raise UsageError(
                f"{parts[0].problem}: {what} changed between the shards, so they are not of one grading: "
                "grade all shards again, from the same files"
            )


def _interleaved(parts: Sequence[Sequence[SubmissionResult]]) -> tuple[SubmissionResult, ...]:
    lengths = [len(part) for part in parts]
    total = sum(lengths)
    for index, length in enumerate(lengths):
        wanted = len(range(index, total, len(parts)))
        if length != wanted:
            raise UsageError(
                f"shard {index + 1}/{len(parts)} holds {length} submissions where {wanted} belong: "
                "the shards were not made of the same submissions"
            )
    return tuple(parts[index % len(parts)][index // len(parts)] for index in range(total))


def _shown(parts: Sequence[Report]) -> tuple[CaseText, ...]:
    by_name = {text.name: text for report in parts for text in report.shown}
    return tuple(by_name[name] for name in sorted(by_name, key=lambda name: name.split("/")))


@dataclass(frozen=True, kw_only=True)
class StoredSubmission:
    """A submission of a report, with the key and the demands under which its results are stored."""

    path: str
    key: str
    demands: str


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A report without submissions, and the keys of its submissions in the store. repeat: how often each was judged."""

    report: Report
    submissions: tuple[StoredSubmission, ...]
    repeat: int


def outline_of(report: Report, jobs: Sequence[Job], *, repeat: int) -> Outline:
    """Return the report's outline."""
    submissions = [StoredSubmission(path=job.entry.program.path, key=job.key, demands=job.demands) for job in jobs]
    return Outline(report=report, submissions=tuple(submissions), repeat=repeat)


def reports_of(store: Store) -> list[Report]:
    """Return the reports of the store's last grading. Raises UsageError if it is not finished."""
    outlines = store.outlines()
    if not outlines:
        raise UsageError(f"{store.path}: no grading in it")
    return [_report_of(store, read_value(Outline, value, str(store.path))) for value in outlines]


def _report_of(store: Store, outline: Outline) -> Report:
    report, listed = outline.report, outline.submissions
    results = [_result_of(store, submission, outline.repeat) for submission in listed]
    missing = [stored.path for stored, result in zip(listed, results, strict=True) if result is None]
    if missing:
        raise UsageError(
            f"{store.path}: the grading of {report.problem} is not finished, {len(missing)} submissions are missing "
            f"({missing[0]}, …): run the same `harness grade` again"
        )
    submissions = tuple(with_outcome(result, report.asked) for result in results if result is not None)
    return replace(report, submissions=submissions)


def _result_of(store: Store, stored: StoredSubmission, repeat: int) -> SubmissionResult | None:
    repeats = [store.submission(stored.key, number, stored.demands) for number in range(repeat)]
    results = [result for result in repeats if result is not None]
    return replace(combined(results), path=stored.path) if len(results) == repeat else None
