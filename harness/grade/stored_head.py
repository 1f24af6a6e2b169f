"""What a store must hold so that the report can be made of it again: the head, and where each submission is found."""

import json
from collections.abc import Sequence

from harness.errors import UsageError
from harness.grade.batches import Job
from harness.grade.repeats import combined
from harness.grade.requirements import with_outcome
from harness.results.as_json import report_as_json
from harness.results.model import Report, SubmissionResult
from harness.store import Store, read_report


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
    return Report(**{**vars(report), "submissions": submissions})


def _submission_of(store: Store, path: str, key: str, demands: str, repeat: int) -> SubmissionResult | None:
    times = [store.submission(key, number, demands) for number in range(repeat)]
    kept = [one for one in times if one is not None]
    return SubmissionResult(**{**vars(combined(kept)), "path": path}) if len(kept) == repeat else None
