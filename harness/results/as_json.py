"""The result model as JSON values, schema version 1; docs/result.schema.json documents them."""

import dataclasses
import enum
import functools
import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import cast

from harness.results.model import CaseResult, RecordedGame, Report, SubmissionResult

SCHEMA_VERSION = 1


def without_measurements(report: Report) -> Report:
    """Return the report without values that vary between runs: measurements and standard error."""
    machine = dataclasses.replace(report.machine, calibration_integer_s=None, calibration_memory_s=None)
    submissions = tuple(_submission_without_measurements(submission) for submission in report.submissions)
    games = tuple(_game_without_measurements(game) for game in report.games)
    return dataclasses.replace(report, machine=machine, submissions=submissions, games=games, workers=())


def _game_without_measurements(game: RecordedGame) -> RecordedGame:
    return dataclasses.replace(game, moves=tuple(dataclasses.replace(move, at_s=None) for move in game.moves))


def _submission_without_measurements(submission: SubmissionResult) -> SubmissionResult:
    nothing = {"cpu_s": None, "wall_s": None, "memory_bytes": None, "cpu_runs_s": (), "stderr": ""}
    nothing |= {"asleep_s": None, "starved_s": None}
    cases = tuple(dataclasses.replace(case, **nothing) for case in submission.cases)  # type: ignore[arg-type]
    return dataclasses.replace(submission, cases=cases)


def report_as_json(report: Report) -> dict[str, object]:
    """Return the report as JSON values, schema version 1."""
    return {"schema_version": SCHEMA_VERSION, **header_as_json(report), "submissions": _plain(report.submissions)}


def reports_as_json(reports: Sequence[Report]) -> str:
    """Return the text of a result file: a single report, or several as a list."""
    values = [report_as_json(report) for report in reports]
    whole = values[0] if len(values) == 1 else {"schema_version": SCHEMA_VERSION, "reports": values}
    return json.dumps(whole, indent=1) + "\n"


def header_as_json(report: Report) -> dict[str, object]:
    """Return the report without its submissions as JSON values."""
    plain = {field.name: _plain(getattr(report, field.name)) for field in dataclasses.fields(report)}
    plain.pop("submissions")
    plain["isolation"] = {
        "tier": f"T{int(report.isolation.tier)}",
        "contained": report.isolation.contained,
        "missing": list(report.isolation.missing),
    }
    return plain


def submission_as_json(submission: SubmissionResult) -> dict[str, object]:
    """Return an element of the report's list of submissions."""
    plain = _fields(submission)
    if submission.expected is not None:
        plain["expected"] = {**_fields(submission.expected), "met": submission.expected.met}
    return plain


def case_as_json(case: CaseResult) -> dict[str, object]:
    """Return an element of the submission's list of cases."""
    return _fields(case)


_SCALARS = (str, int, float, bool, type(None))


def _plain(value: object) -> object:
    if type(value) in _SCALARS:
        return value
    if type(value) is tuple:
        return [_plain(item) for item in cast(tuple[object, ...], value)]
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value):
        return submission_as_json(value) if isinstance(value, SubmissionResult) else _fields(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, Iterable) else value


def _fields(value: object) -> dict[str, object]:
    # A shortcut for scalars: most fields are scalars, and a grading converts each field of each case.
    fields = [(name, getattr(value, name)) for name in _names(cast(Hashable, type(value)))]
    return {name: item if type(item) in _SCALARS else _plain(item) for name, item in fields}


@functools.cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]
