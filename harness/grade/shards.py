"""Parts of a grading, and one report of several: what a store must hold for that, and how parts are put together."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from harness.errors import UsageError
from harness.grade.grading import Job, combined
from harness.results.as_json import report_as_json
from harness.results.model import CaseText, Report, Shard, SubmissionResult
from harness.results.reading import read_report
from harness.rules.outcomes import with_outcome
from harness.store.database import Store

Item = TypeVar("Item")
NAMED = 10  # shards that are missing; the rest is counted


def parse_shard(text: str) -> Shard:
    """`2/5` as a shard."""
    index, _, count = text.partition("/")
    if not (index.isascii() and index.isdigit() and count.isascii() and count.isdigit()) or len(text) > 15:
        raise UsageError(f"--shard {text}: expected I/N, for instance 2/5")
    shard = Shard(index=int(index), count=int(count))
    if not 1 <= shard.index <= shard.count:
        raise UsageError(f"--shard {text}: the shards of {shard.count} are numbered 1 to {shard.count}")
    return shard


def part(items: Sequence[Item], shard: Shard | None) -> Sequence[Item]:
    """The items of a shard: every `count`-th, so that neighbours (often alike in cost) spread over all."""
    return items if shard is None else items[shard.index - 1 :: shard.count]


def merged(reports: Sequence[Report]) -> list[Report]:
    """The reports, with the shards of each problem made one. Raises UsageError for a part that is missing."""
    problems = dict.fromkeys(report.problem for report in reports)
    return [_merged_problem([one for one in reports if one.problem == problem]) for problem in problems]


def _merged_problem(reports: Sequence[Report]) -> Report:
    if len(reports) == 1 and reports[0].shard is None:
        return reports[0]
    parts = _in_order(reports)
    _hold_alike(parts)
    missing = tuple(dict.fromkeys(text for one in parts for text in one.isolation.missing))
    weakest = min((one.isolation for one in parts), key=lambda isolation: isolation.tier)
    return replace(
        parts[0],
        shard=None,
        isolation=replace(weakest, missing=missing),
        submissions=_interleaved([one.submissions for one in parts]),
        shown=_shown(parts),
        counterexamples=tuple(one for part in parts for one in part.counterexamples),
        games=tuple(game for one in parts for game in one.games),
        images=tuple(dict.fromkeys(image for one in parts for image in one.images)),
    )


def _in_order(reports: Sequence[Report]) -> list[Report]:
    """The parts by number, each there once."""
    problem = reports[0].problem
    found: dict[int, Report] = {}
    counts = {one.shard.count if one.shard else 0 for one in reports}
    if len(counts) != 1 or counts == {0}:
        raise UsageError(
            f"{problem}: these are not the shards of one grading (numbers of shards: {sorted(counts)})"
        )
    count = counts.pop()
    for one in reports:
        index = one.shard.index if one.shard else 0
        if not 1 <= index <= count:
            raise UsageError(f"{problem}: there is no shard {index}/{count}: not a result of harness")
        if index in found:
            raise UsageError(f"{problem}: shard {index}/{count} is there twice")
        found[index] = one
    # A file may claim any number of shards: no more of them are looked for than can be told.
    absent = [f"{index}/{count}" for index in range(1, min(count, len(found) + NAMED) + 1) if index not in found]
    if absent:
        more = count - len(found) - len(absent[:NAMED])
        names = ", ".join(absent[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
        raise UsageError(f"{problem}: shard {names} is missing: grade it, then merge again")
    return [found[index] for index in sorted(found)]


def _hold_alike(parts: Sequence[Report]) -> None:
    for name in ("title", "time_limit_s", "memory_limit_mib", "asked", "feedback"):
        if len({getattr(one, name) for one in parts}) != 1:
            raise UsageError(f"{parts[0].problem}: the shards differ in `{name}`, so they are not of one grading")


def _interleaved(parts: Sequence[Sequence[SubmissionResult]]) -> tuple[SubmissionResult, ...]:
    lengths = [len(one) for one in parts]
    total = sum(lengths)
    for place, length in enumerate(lengths):
        wanted = len(range(place, total, len(parts)))
        if length != wanted:
            raise UsageError(
                f"shard {place + 1}/{len(parts)} holds {length} submissions where {wanted} belong: "
                "the shards were not made of the same submissions"
            )
    return tuple(parts[place % len(parts)][place // len(parts)] for place in range(total))


def _shown(parts: Sequence[Report]) -> tuple[CaseText, ...]:
    by_name = {text.name: text for one in parts for text in one.shown}
    return tuple(by_name[name] for name in sorted(by_name, key=lambda name: name.split("/")))


def outline_of(report: Report, jobs: Sequence[Job], *, repeat: int) -> str:
    """The report without its submissions, and the keys of these."""
    listed = [[job.entry.program.path, job.key, job.demands] for job in jobs]
    return json.dumps({"report": report_as_json(report), "submissions": listed, "repeat": repeat})


def reports_of(store: Store) -> list[Report]:
    """The reports of the store's last grading. Raises UsageError if it is not finished."""
    outlines = store.outlines()
    if not outlines:
        raise UsageError(f"{store.path}: no grading in it")
    return [_report_of(store, json.loads(text)) for text in outlines]


def _report_of(store: Store, outline: dict[str, object]) -> Report:
    report = read_report(outline["report"], str(store.path))
    listed, repeat = outline["submissions"], outline["repeat"]
    if not isinstance(listed, list) or not isinstance(repeat, int):
        raise UsageError(f"{store.path}: not written by this version of harness")
    found = [_submission_of(store, path, key, demands, repeat) for path, key, demands in listed]
    missing = [names[0] for names, one in zip(listed, found, strict=True) if one is None]
    if missing:
        raise UsageError(
            f"{store.path}: the grading of {report.problem} is not finished, {len(missing)} submissions are missing "
            f"({missing[0]}, …): run the same `harness grade` again"
        )
    submissions = tuple(with_outcome(one, report.asked) for one in found if one is not None)
    return replace(report, submissions=submissions)


def _submission_of(store: Store, path: str, key: str, demands: str, repeat: int) -> SubmissionResult | None:
    times = [store.submission(key, number, demands) for number in range(repeat)]
    kept = [one for one in times if one is not None]
    return replace(combined(kept), path=path) if len(kept) == repeat else None
