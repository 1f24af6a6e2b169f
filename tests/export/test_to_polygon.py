"""A package goes to Polygon and comes back with the same data; from Polygon it goes to every other format."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from conftest import NO_SECRET, TESTS, PackageMaker, judge_file
from harness.errors import UsageError
from harness.export.archive import ExportedFiles, write_zip
from harness.export.targets import Target, export
from harness.host.host import Host
from harness.package import Package
from harness.package.files import below
from harness.package.load import load
from harness.results.verdict import Verdict

PACKAGES = TESTS / "packages"


def back_from(target: Target, package: Package, folder: Path) -> tuple[ExportedFiles, Package]:
    """The package as it is read from its export."""
    exported = export(package, target)
    write_zip(exported, folder / "exported.zip")
    with zipfile.ZipFile(folder / "exported.zip") as archive:
        archive.extractall(folder / "exported")
    return exported, load(folder / "exported" / exported.folder)


def data_of(package: Package) -> list[tuple[str, bytes, bytes]]:
    return [
        (case.name.partition("/")[0], case.input.read(), case.answer.read() if case.answer is not None else b"")
        for case in package.judged_cases()
    ]


def points_of(package: Package) -> dict[str, tuple[float | None, str, int, tuple[str, ...]]]:
    return {
        group.name: (group.max_score, str(group.aggregation), len(group.cases), group.require_pass)
        for group in package.secret.groups
    }


@pytest.mark.parametrize(
    "name",
    [
        "double",
        "judge_group_sum",
        "judge_require_pass",
        "judge_several_files",
        "judge_legacy_groups_of_points",
        "load_polygon",
        "load_polygon_groups",
        "load_polygon_interactive",
    ],
)
def test_data_and_points_come_back_from_polygon(name: str, tmp_path: Path) -> None:
    package = load(PACKAGES / name)
    _, returned = back_from(Target.POLYGON, package, tmp_path)
    assert returned.foreign_family == "Polygon"
    assert data_of(returned) == data_of(package)
    assert returned.types == package.types
    assert returned.limits.memory_mib == package.limits.memory_mib
    if package.grading is None:
        assert points_of(returned) == points_of(package)


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize("name", ["load_polygon", "load_polygon_groups", "load_polygon_interactive"])
def test_a_package_of_polygon_goes_to_every_format(target: Target, name: str, tmp_path: Path) -> None:
    package = load(PACKAGES / name)
    _, returned = back_from(target, package, tmp_path)
    assert data_of(returned) == data_of(package)
    assert {program.path.rpartition("/")[2] for program in returned.submissions} <= {"main.py", "wrong.py"}
    assert returned.output_validator is not None and package.output_validator is not None
    assert set(returned.output_validator.files) == set(package.output_validator.files)


def test_demands_on_solutions_become_tags_and_come_back(double_with: PackageMaker, tmp_path: Path) -> None:
    rules = {
        "time_limit_exceeded": "time_limit_exceeded",
        "run_time_error": "rejected",
        "rejected": "rejected",
        "odd": "accepted_or_slow",
        "large": "slow_or_large",
    }
    demands = "odd: {permitted: [AC, TLE]}\nlarge: {required: [TLE, RTE], permitted: [AC, TLE, RTE]}\n"
    package = load(
        double_with(
            {
                **{f"submissions/{folder}/{folder}.py": "print(2 * int(input()))\n" for folder in rules},
                "submissions/submissions.yaml": demands,
            }
        )
    )
    _, returned = back_from(Target.POLYGON, package, tmp_path)
    paths = {program.path.rpartition("/")[2]: program.path for program in returned.submissions}
    assert {folder: paths[f"{folder}.py"].partition("/")[0] for folder in rules} == rules


def test_partial_and_crashing_solutions_of_the_legacy_format_are_rejected(tmp_path: Path) -> None:
    root = shutil.copytree(PACKAGES / "judge_legacy_groups_of_points", tmp_path / "min")
    shutil.rmtree(root / "submissions")
    for folder in ("accepted", "partially_accepted", "run_time_error", "wrong_answer"):
        (root / "submissions" / folder).mkdir(parents=True)
        (root / "submissions" / folder / f"{folder}.py").write_text("print(1)\n")
    exported = export(load(root), Target.POLYGON)
    problem = exported.read("problem.xml").decode()
    assert re.findall(r'<solution tag="(.*?)">\s*<source path="solutions/(.*?).py"', problem) == [
        ("main", "accepted"),
        ("rejected", "partially_accepted"),
        ("rejected", "run_time_error"),
        ("wrong-answer", "wrong_answer"),
    ]


def test_the_statement_is_cut_into_the_sections_of_polygon(tmp_path: Path) -> None:
    exported, returned = back_from(Target.POLYGON, load(PACKAGES / "double"), tmp_path)
    sections = below(returned.files, "statement")
    assert exported.read("statement-sections/english/input.tex") == b"One integer $n$.\n"
    assert b"\\section*{Output}\nOne integer." in sections["problem.en.tex"].read()


def test_a_validator_without_testlib_is_lost_with_words_and_the_checker_there_fails(
    double_with: PackageMaker, tmp_path: Path
) -> None:
    package = load(double_with({"output_validator/check.py": "import sys\nsys.exit(42)\n"}))
    exported, returned = back_from(Target.POLYGON, package, tmp_path)
    assert any("check.py does not include testlib.h: write it anew" in loss for loss in exported.losses)
    assert returned.output_validator is not None
    assert any(b"quitf(_fail" in file.read() for file in returned.output_validator.files.values())


def test_what_polygon_does_not_know_is_refused() -> None:
    with pytest.raises(UsageError, match="of the type multi-pass, which Polygon does not know"):
        export(load(PACKAGES / "judge_multi_pass"), Target.POLYGON)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "output", "verdict"),
    [
        ("[]", "Ten 0.30 \n\n x", Verdict.ACCEPTED),
        ("[]", "ten 0.30", Verdict.WRONG_ANSWER),
        ("[]", "ten 0.3 x", Verdict.WRONG_ANSWER),
        ("[case_sensitive]", "TEN 0.30 x", Verdict.WRONG_ANSWER),
        ("[space_change_sensitive]", "ten  0.30 x", Verdict.WRONG_ANSWER),
        ("[float_tolerance, '1e-2']", "ten 0.305 X", Verdict.ACCEPTED),
        ("[float_absolute_tolerance, '1e-2']", "ten 0.32 x", Verdict.WRONG_ANSWER),
        ("[float_relative_tolerance, '0.1']", "ten 0x1p-2 x", Verdict.WRONG_ANSWER),
    ],
)
def test_the_default_output_validator_judges_the_same_there(
    arguments: str, output: str, verdict: Verdict, double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    package = load(
        double_with(
            {
                **NO_SECRET,
                "data/sample/1.ans": "ten 0.30 x\n",
                "data/secret/1.in": "1\n",
                "data/secret/1.ans": "ten 0.30 x\n",
                "data/sample/test_group.yaml": f"output_validator_args: {arguments}\n",
                "data/secret/test_group.yaml": f"output_validator_args: {arguments}\n",
            }
        )
    )
    source = tmp_path / "prints.py"
    source.write_text(f"print({output!r})\n")
    _, returned = back_from(Target.POLYGON, package, tmp_path)
    assert judge_file(package, source, host).verdict is verdict
    assert judge_file(returned, source, host).verdict is verdict


def test_files_of_include_come_back_to_solutions_of_their_languages(
    double_with: PackageMaker, tmp_path: Path
) -> None:
    included = {
        "default/numbers.txt": "1 2 3\n",
        "python3/helper.py": "def twice(n): return 2 * n\n",
        "cpp/shared.h": "int shared();\n",
        "c/shared.h": "int shared();\n",
    }
    root = double_with({f"include/{name}": text for name, text in included.items()})
    _, returned = back_from(Target.POLYGON, load(root), tmp_path)
    assert {
        f"{code}/{name}": file.read().decode()
        for code, files in returned.include.items()
        for name, file in files.items()
    } == included


def test_a_file_of_include_that_loses_its_name_is_told(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with({"include/cpp/a.h": "int a();\n", "include/c/a.h": "long a();\n"})
    exported, _ = back_from(Target.POLYGON, load(root), tmp_path)
    assert any("the name of include/cpp/a.h, which is files/a2.h there" in loss for loss in exported.losses)
