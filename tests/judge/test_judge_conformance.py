"""The conformance suite of judging: each package of tests/packages/judge_* and what its `expected.yaml` says."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import TESTS
from harness.host.host import Host
from harness.judge.entries import own_entries
from harness.judge.judging import Judging
from harness.package.load import load
from harness.results.model import SubmissionResult
from harness.results.verdict import Verdict

PACKAGES = sorted((TESTS / "packages").glob("judge_*"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("root", PACKAGES, ids=lambda root: root.name)
def test_submissions_get_what_the_package_says(root: Path, host: Host) -> None:
    expected: dict[str, dict[str, Any]] = yaml.safe_load((root / "expected.yaml").read_text())
    package = load(root)
    assert sorted(program.path for program in package.submissions) == sorted(expected)
    results = Judging(package=package, host=host).run(own_entries(package))
    missing = next((result.message for result in results if result.unavailable), None)
    if missing is not None:
        pytest.skip(missing)
    assert {result.path: found(result, expected[result.path]) for result in results} == expected


def found(result: SubmissionResult, asked: dict[str, Any]) -> dict[str, Any]:
    """What was found of the things that are asked for; a text that is said somewhere counts as found."""
    said = "\n".join((result.message, *(case.message for case in result.cases)))
    bad = (case.name for case in result.cases if case.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED))
    facts: dict[str, Any] = {
        "verdict": result.verdict.value,
        "score": None if result.score is None else round(result.score, 6),
        "groups": {group.name: group.score for group in result.groups if group.name in asked.get("groups", {})},
        "skipped": [case.name for case in result.cases if case.verdict is Verdict.SKIPPED],
        "first": next(bad, None),
        "expected": result.expected.met if result.expected is not None else None,
        "says": asked["says"] if asked.get("says", "\0") in said else said,
    }
    return {key: facts[key] for key in asked}
