"""A problem of Library Checker: its generators make the data of hash.json, its solutions get what it expects."""

import json
import shutil
from pathlib import Path

import pytest

from conftest import TESTS
from harness.errors import PackageError, UsageError
from harness.generate.add_case import promote
from harness.generate.overlay import generate_data, load_built
from harness.host.host import Host
from harness.judge.entries import own_entries
from harness.judge.judging import Judging
from harness.package.load import load


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    shutil.copytree(TESTS / "packages" / "common", tmp_path / "common")
    shutil.copytree(TESTS / "packages" / "load_library_checker", tmp_path / "sample" / "double")
    return tmp_path / "sample" / "double"


def test_data_has_the_sums_and_solutions_get_what_they_must(problem: Path, host: Host) -> None:
    before = sorted(problem.rglob("*"))
    built = load_built(problem, host)
    assert built.report is not None
    assert (built.report.lock, built.report.made, bool(built.report.drift)) == ("hash.json", 6, False)
    package = built.package
    results = {result.path: result for result in Judging(package=package, host=host).run(own_entries(package))}
    assert {path: result.verdict.value for path, result in results.items()} == {
        "accepted/correct.cpp": "AC",
        "accepted/function": "AC",
        "mixed/maybe_crashes.cpp": "RTE",
        "wrong_answer/small_only.cpp": "WA",
    }
    assert all(result.expected is not None and result.expected.met for result in results.values())
    assert sorted(problem.rglob("*")) == before


def test_data_that_differs_from_hash_json_is_named_and_the_sums_are_not_rewritten(
    problem: Path, host: Host
) -> None:
    sums = problem / "hash.json"
    wrong = {**json.loads(sums.read_text()), "random_01.out": "0" * 64}
    sums.write_text(json.dumps(wrong))
    report = generate_data(problem, host, relock=False, force=False)
    assert list(report.drift.items()) == [("changed", "secret/random_01.ans")]
    with pytest.raises(UsageError, match="--relock"):
        generate_data(problem, host, relock=True, force=False)
    assert json.loads(sums.read_text()) == wrong


def test_a_solution_that_may_be_too_slow_may_lack_memory_first(problem: Path) -> None:
    """The tool of the format has no memory limit."""
    info = problem / "info.toml"
    info.write_text(info.read_text().replace("allow_re = true\n", ""))
    [rule] = [rule for rule in load(problem, built=False).rules if rule.pattern == "mixed/maybe_crashes.cpp"]
    assert rule.permitted is not None and {"AC", "TLE", "RTE"} <= set(rule.permitted)


def test_a_header_of_the_repository_that_is_not_there_is_named_with_its_line(problem: Path) -> None:
    shutil.rmtree(problem.parents[1] / "common")
    with pytest.raises(PackageError) as raised:
        load(problem)
    assert str(raised.value.faults[0]).startswith(f"{problem}/gen/random.cpp:3: random.h is in common/")


def test_nothing_is_promoted_into_it(problem: Path, host: Host) -> None:
    package = load_built(problem, host).package
    with pytest.raises(UsageError, match="Library Checker"):
        promote(package, "mine", b"7\n", b"14\n")
