"""The file of `--json`: checked before anything is judged, written whole after."""

import json
from pathlib import Path

from harness.cli.common import check_target
from harness.files import atomic
from harness.results.as_json import report_as_json
from harness.results.model import Report


def result_file(json_file: str | None) -> Path | None:
    """Where `--json` goes; None: nowhere, or standard output. Raises UsageError when it cannot be written."""
    if json_file is None or json_file == "-":
        return None
    check_target(Path(json_file))
    return Path(json_file)


def write_result(report: Report, file: Path | None) -> None:
    """Write the report as JSON, if a file is wanted."""
    if file is not None:
        text = json.dumps(report_as_json(report), ensure_ascii=False, indent=1)
        atomic.deliver(file, text.encode() + b"\n")
