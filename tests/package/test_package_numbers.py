"""Every number that a package may hold is checked where it is read."""

import re
import shutil
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import TESTS, PackageMaker, judge_file
from harness.check.default_validator import parse_arguments
from harness.errors import PackageError, UsageError
from harness.generate.recipe import read_recipe
from harness.host.host import Host
from harness.package.files import File
from harness.package.load import load
from harness.results.verdict import Verdict

HOSTILE = (
    "0",
    "-1",
    "nan",
    ".inf",
    "1e400",
    "1_0",
    "9" * 400,
    "9" * 8000,
    "0x" + "f" * 8000,
    "1:30",
    "[1]",
    "{a: 1}",
    "24576.5e9",
    "4294967296e4",
    "word",
)
LIMITS = {
    "time_limit": 86_400,
    "time_resolution": 86_400,
    "memory": 1 << 20,
    "output": 1 << 20,
    "code": 1 << 20,
    "compilation_time": 86_400,
    "compilation_memory": 1 << 20,
    "validation_time": 86_400,
    "validation_memory": 1 << 20,
    "validation_output": 1 << 20,
    "validation_passes": 100_000,
}
MANIFEST = "problem_format_version: {version}\nname: Double\nuuid: 0b54d3a5-7c1f-4b7e-8b59-40a0a9c1b3a1\n"
ADDS_ONE = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n + 1); }\n'
CONSTANTS = "constants:\n  max_n: 1000000\n"


def manifest(limits: str, version: str = "2025-09") -> str:
    return MANIFEST.format(version=version) + CONSTANTS + f"limits:\n{limits}"


def faults_of(root: Path) -> str:
    with pytest.raises(PackageError) as caught:
        load(root)
    return str(caught.value)


@pytest.mark.parametrize("version", ["2025-09", "legacy"])
@pytest.mark.parametrize("key", LIMITS)
def test_limit_out_of_range_is_a_fault_that_names_key_line_and_range(
    double_with: PackageMaker, key: str, version: str
) -> None:
    root = double_with()
    for value in HOSTILE:
        (root / "problem.yaml").write_text(manifest(f"  {key}: {value}\n", version))
        faults = faults_of(root)
        assert re.search(
            rf"problem\.yaml:7: `{key}` must be a (whole )?number from [0-9.]+ to [0-9,]+( \(in \w+\))?, not",
            faults,
        )


def test_multipliers_out_of_range_are_faults(double_with: PackageMaker) -> None:
    for key, inner in (("ac_to_time_limit", True), ("time_limit_to_tle", True), ("time_multiplier", False)):
        line = f"  time_multipliers:\n    {key}: 1e9\n" if inner else f"  {key}: 1e9\n"
        root = double_with({"problem.yaml": manifest(line, "2025-09" if inner else "legacy")})
        assert f"`{key}` must be a number from" in faults_of(root)
        shutil.rmtree(root)


def test_odd_multipliers_of_a_legacy_package_are_a_warning(double_with: PackageMaker) -> None:
    package = load(double_with({"problem.yaml": manifest("  time_multipliers: 1\n  time_limit: 1\n", "legacy")}))
    assert any("`time_multipliers` is of 2025-09" in one and "time_multiplier`" in one for one in package.warnings)


@pytest.mark.parametrize("version", ["2025-09", "legacy"])
def test_package_with_the_largest_limits_is_judged(double_with: PackageMaker, host: Host, version: str) -> None:
    limits = "".join(f"  {key}: {value}\n" for key, value in LIMITS.items())
    package = load(double_with({"problem.yaml": manifest(limits, version)}))
    result = judge_file(package, TESTS / "submissions" / "reads_and_doubles_AC.py", host)
    assert result.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("program", ["adds_one_WA.py", "wrong.c"])
def test_search_runs_under_the_largest_limits(double_with: PackageMaker, tmp_path: Path, program: str) -> None:
    root = double_with({"problem.yaml": manifest("  time_limit: 86400\n  output: 24576\n", "legacy")})
    source = TESTS / "submissions" / program
    if not source.exists():
        source = tmp_path / program
        source.write_text(
            '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n + 1); }\n'
        )
    done = harness("stress", root, source, "--time", "20")
    assert done.returncode == 1, said(done)
    assert "input (" in said(done)


@pytest.mark.parametrize("value", ["1e16", "1e400", "nan", "-1", "9" * 400, "word"])
def test_score_of_a_group_out_of_range_is_a_fault(tmp_path: Path, value: str) -> None:
    root = tmp_path / "judge_group_sum"
    shutil.copytree(TESTS / "packages" / "judge_group_sum", root)
    (root / "data" / "secret" / "a" / "test_group.yaml").write_text(
        f"max_score: {value}\nscore_aggregation: sum\n"
    )
    assert "`max_score` must be a number from 0 to 1,000,000,000,000,000" in faults_of(root)


@pytest.mark.parametrize("key", ["accept_score", "reject_score"])
@pytest.mark.parametrize("value", ["1e16", "-1e300", "nan", "9" * 400])
def test_score_of_a_legacy_group_out_of_range_is_a_fault(tmp_path: Path, key: str, value: str) -> None:
    root = tmp_path / "judge_legacy_range"
    shutil.copytree(TESTS / "packages" / "judge_legacy_range", root)
    (root / "data" / "secret" / "testdata.yaml").write_text(f"{key}: {value}\n")
    faults = faults_of(root)
    assert re.search(rf"testdata\.yaml:1: `{key}` is '.*', must be a number of at most 1e\+15", faults)


@pytest.mark.parametrize("value", ["1e16", "[1, 1e300]", "[2, 1]", "nan", "9" * 400])
def test_score_in_submissions_yaml_out_of_range_is_a_fault(double_with: PackageMaker, value: str) -> None:
    root = double_with({"submissions/submissions.yaml": f"accepted/*:\n  score: {value}\n"})
    assert re.search(r"submissions\.yaml:2: `score` must be a number or \[lowest, highest\]", faults_of(root))


@pytest.mark.parametrize(
    "key", ["count: [1" + "0" * 30 + "]", "count: 1e9", "count: true", "count: [true]", "retries: 1e9"]
)
def test_number_in_a_recipe_out_of_range_is_a_fault(key: str) -> None:
    text = f"data:\n  secret:\n    data:\n      one:\n        generate: gen.py\n        {key}\n"
    files = {"generators/generators.yaml": File(origin=Path("generators.yaml"), content=text.encode())}
    with pytest.raises(PackageError, match=rf"generators\.yaml:6: `{key.partition(':')[0]}` must be"):
        read_recipe(files, {})


@pytest.mark.parametrize("text", ["0.0001", "1e9", "nan", "-1", "9" * 400])
def test_time_limit_of_domjudge_out_of_range_is_a_fault(double_with: PackageMaker, text: str) -> None:
    root = double_with({"problem.yaml": manifest("  memory: 256\n"), ".timelimit": text})
    assert "is no number of seconds from 0.001 to 86,400" in faults_of(root)


@pytest.mark.parametrize("text", ["1e99999999999999999999999", "nan", "1_0", "", "é"])
def test_tolerance_that_is_no_number_is_said(text: str) -> None:
    with pytest.raises(UsageError, match="`float_tolerance` needs a number"):
        parse_arguments(["float_tolerance", text])
