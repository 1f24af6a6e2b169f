"""Convert dataclasses to JSON values: results and stored values; docs/result.schema.json describes a report."""

import dataclasses
import enum
import functools
import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, cast

from harness.results.model import Expected, RecordedGame, Report, SubmissionResult
from harness.sandbox.facts import Isolation

SCHEMA_VERSION = 1
# Properties that are written like fields, for programs that read the JSON.
WRITTEN_PROPERTIES: Mapping[type, tuple[str, ...]] = {Isolation: ("contained",), Expected: ("met",)}


def without_measurements(report: Report) -> Report:
    """Return the report without values that vary between runs: measurements and standard error."""
    machine = dataclasses.replace(report.machine, calibration_integer_s=None, calibration_memory_s=None)
    submissions = tuple(_submission_without_measurements(submission) for submission in report.submissions)
    games = tuple(_game_without_measurements(game) for game in report.games)
    return dataclasses.replace(report, machine=machine, submissions=submissions, games=games, workers=())


def _game_without_measurements(game: RecordedGame) -> RecordedGame:
    return dataclasses.replace(game, moves=tuple(dataclasses.replace(move, at_s=None) for move in game.moves))


def _submission_without_measurements(submission: SubmissionResult) -> SubmissionResult:
    unset = {"cpu_s": None, "wall_s": None, "memory_bytes": None, "cpu_runs_s": (), "stderr": ""}
    unset |= {"asleep_s": None, "starved_s": None}
    cases = tuple(dataclasses.replace(case, **unset) for case in submission.cases)  # type: ignore[arg-type]
    return dataclasses.replace(submission, cases=cases)


def report_as_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON values, schema version 1; `submissions` is the last key."""
    return {"schema_version": SCHEMA_VERSION, **as_json(report)}


def header_as_json(report: Report) -> dict[str, Any]:
    """Return the report without its submissions as JSON values."""
    header = report_as_json(dataclasses.replace(report, submissions=()))
    del header["submissions"]
    return header


def reports_as_json(reports: Sequence[Report]) -> str:
    """Return the text of a result file: a single report, or several as a list."""
    values = [report_as_json(report) for report in reports]
    whole = values[0] if len(values) == 1 else {"schema_version": SCHEMA_VERSION, "reports": values}
    return json.dumps(whole, indent=1) + "\n"


def report_line(report: Report) -> str:
    """Return the first of a report's JSON Lines: everything except the submissions. All lines are ASCII."""
    return json.dumps({"kind": "report", **header_as_json(report)})


def submission_line(submission: SubmissionResult) -> str:
    """Return the JSON line of a submission."""
    return json.dumps({"kind": "submission", **as_json(submission)})


def end_line(exit_code: int) -> str:
    """Return the last of a report's JSON Lines."""
    return json.dumps({"kind": "end", "exit_code": exit_code})


_SCALARS = (str, int, float, bool, type(None))


def as_json(value: object) -> Any:
    """Return a value as JSON values, which reading.py reads back: enums by value, bytes in hexadecimal."""
    if type(value) in _SCALARS:
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [as_json(item) for item in value]
    # A shortcut for scalars: most fields are scalars, and a grading converts each field of each case.
    fields = [(name, getattr(value, name)) for name in _names(cast(Hashable, type(value)))]
    return {name: item if type(item) in _SCALARS else as_json(item) for name, item in fields}


@functools.cache
def _names(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields and properties that are written."""
    return (*(field.name for field in dataclasses.fields(kind)), *WRITTEN_PROPERTIES.get(kind, ()))
