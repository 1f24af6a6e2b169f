"""An export holds what its reader reads, nothing that it stumbles over, and says what is lost."""

import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from command_line import harness
from conftest import DOUBLE, NO_SECRET, TESTS, PackageMaker
from harness.errors import UsageError
from harness.export.archive import ExportedFiles, write_zip
from harness.export.latex import to_latex
from harness.export.submissions import home_of
from harness.export.targets import Target, export
from harness.host.host import Host
from harness.judge.entries import own_entries
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Package
from harness.package.archive import opened
from harness.package.load import load
from harness.package.model import GroupGrading
from harness.results.verdict import Verdict
from harness.statement.samples import samples_of

CHECKER = "import sys\nsys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)\n"
SHARES = """import os, sys
n = int(sys.stdin.read())
with open(os.path.join(sys.argv[3], "score_multiplier.txt"), "w") as file:
    file.write("0.25")
sys.exit(42)
"""
GROUPS = {
    "data/secret/test_group.yaml": "max_score: 100\n",
    "data/secret/small/test_group.yaml": "max_score: 40\n",
    "data/secret/small/1.in": "1\n",
    "data/secret/small/1.ans": "2\n",
    "data/secret/large/test_group.yaml": "max_score: 60\nscore_aggregation: sum\n",
    "data/secret/large/1.in": "1000000\n",
    "data/secret/large/1.ans": "2000000\n",
    "data/secret/large/2.in": "999999\n",
    "data/secret/large/2.ans": "1999998\n",
    **NO_SECRET,
}


@pytest.fixture
def scoring(double_with: PackageMaker) -> Path:
    root = double_with({**GROUPS, "output_validator/check.py": SHARES})
    manifest = root / "problem.yaml"
    manifest.write_text(manifest.read_text() + "type: scoring\n")
    return root


def text(exported: ExportedFiles, path: str) -> str:
    return exported.read(path).decode()


def settings(exported: ExportedFiles, path: str) -> dict[str, object]:
    loaded: dict[str, object] = yaml.safe_load(exported.read(path))
    return loaded


def test_the_same_package_gives_the_same_bytes(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with(None)
    for name in ("one.zip", "other.zip"):
        for path in root.rglob("*"):
            path.touch()
        write_zip(export(load(root), Target.CURRENT), tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


def test_our_own_judge_finds_the_same_in_the_export(double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    source = double_with({"submissions/accepted/constant.py": "print(2 * min(int(input()), {{max_n}}))\n"})
    write_zip(export(load(source), Target.CURRENT), tmp_path / "double.zip")
    with zipfile.ZipFile(tmp_path / "double.zip") as archive:
        archive.extractall(tmp_path / "out")

    def verdicts(root: Path) -> list[tuple[str, str, list[str], bool]]:
        package = load(root)
        results = Judging(package=package, host=host).run(own_entries(package))
        return [
            (one.path, one.verdict, [case.verdict for case in one.cases], bool(one.expected and one.expected.met))
            for one in results
        ]

    assert verdicts(tmp_path / "out" / "double") == verdicts(source)


def test_legacy_holds_constants_written_out_and_the_old_names(double_with: PackageMaker) -> None:
    exported = export(load(double_with({"output_validator/check.py": CHECKER})), Target.LEGACY)
    assert "1000000" in text(exported, "input_validators/validate.py")
    assert "\\problemname{Double}" in text(exported, "problem_statement/problem.en.tex")
    assert "1000000" in text(exported, "problem_statement/problem.en.tex")
    assert text(exported, "output_validators/check.py") == CHECKER
    assert text(exported, ".timelimit") == "1\n"
    manifest = settings(exported, "problem.yaml")
    assert manifest["validation"] == "custom" and manifest["type"] == "pass-fail"
    assert not [path for path in exported.contents if b"{{max_n}}" in exported.read(path)]
    assert not [
        path for path in exported.contents if path.startswith(("statement/", "output_validator/", "generators/"))
    ]


def test_an_export_shows_the_warnings_of_the_package(tmp_path: Path) -> None:
    shutil.copytree(DOUBLE, tmp_path / "double")
    shutil.rmtree(tmp_path / "double" / "statement")
    done = harness("export", "double", cwd=tmp_path)
    assert done.returncode == 0
    assert "double/statement: no statement: judging does without" in done.stderr


def test_an_export_to_a_file_that_is_not_called_a_zip_is_refused(tmp_path: Path) -> None:
    done = harness("export", DOUBLE, "-o", "x.txt", cwd=tmp_path)
    assert done.returncode == 2
    assert "x.txt: the package becomes a zip: name a file that ends in .zip" in done.stderr
    assert not (tmp_path / "x.txt").exists()


def test_kattis_is_another_name_of_legacy(tmp_path: Path) -> None:
    done = {
        name: harness("export", DOUBLE, "--format", name, "-o", f"{name}.zip", cwd=tmp_path)
        for name in ("kattis", "legacy")
    }
    assert [one.returncode for one in done.values()] == [0, 0]
    assert (tmp_path / "kattis.zip").read_bytes() == (tmp_path / "legacy.zip").read_bytes()
    assert "what kattis does not hold" in done["kattis"].stdout


def test_legacy_groups_give_the_points_of_the_source(scoring: Path) -> None:
    exported = export(load(scoring), Target.LEGACY)
    assert settings(exported, "data/testdata.yaml")["grader_flags"] == "ignore_sample"
    secret = settings(exported, "data/secret/testdata.yaml")
    assert secret["range"] == "0 100" and "accept_if_any_accepted" in str(secret["grader_flags"])
    small, large = (settings(exported, f"data/secret/{name}/testdata.yaml") for name in ("small", "large"))
    assert small["accept_score"] == 40 and "min" in str(small["grader_flags"])
    assert large["accept_score"] == 30 and "sum" in str(large["grader_flags"])
    assert settings(exported, "problem.yaml")["validation"] == "custom score"
    assert large["output_validator_flags"] == "points=30"


def test_a_group_of_many_points_keeps_all_digits_of_its_range(scoring: Path) -> None:
    package = load(scoring)
    exported = export(replace(package, secret=replace(package.secret, max_score=1234564.0)), Target.LEGACY)
    assert settings(exported, "data/secret/testdata.yaml")["range"] == "0 1234564"


@pytest.mark.parametrize(
    "name", ["groups_of_points", "min", "max", "avg", "first_error", "break", "nested_groups"]
)
def test_groups_with_a_grader_are_graded_the_same_in_the_zip_for_domjudge(name: str, tmp_path: Path) -> None:
    def gradings(package: Package) -> list[object]:
        groups = [package.sample, package.secret]
        for group in groups:  # grows
            groups += group.groups
        kept = [replace(group.grading or GroupGrading(), grader_flags=()) for group in groups]
        return [package.grading, *(replace(grading, ignore_sample=False) for grading in kept)]

    package = load(TESTS / "packages" / f"judge_legacy_{name}")
    write_zip(export(package, Target.DOMJUDGE), tmp_path / "legacy.zip")
    with opened(tmp_path / "legacy.zip") as root:
        assert gradings(load(root)) == gradings(package)


def test_secret_that_passes_or_fails_is_not_accepted_in_part() -> None:
    package = load(TESTS / "packages" / "judge_secret_pass_fail")
    flags = settings(export(package, Target.DOMJUDGE), "data/secret/testdata.yaml")["grader_flags"]
    assert flags == "first_error"
    problem = export(package, Target.POLYGON).read("problem.xml").decode()
    assert re.findall('<group name="(.*?)" points="(.*?)" points-policy="(.*?)"', problem) == [
        ("samples", "0.0", "complete-group"),
        ("tests", "7.0", "complete-group"),
    ]
    package = load(TESTS / "packages" / "judge_secret_min")
    lost = export(package, Target.POLYGON).losses
    assert "the least points of the groups of secret: there their points are added" in lost


def test_a_legacy_validator_writes_points_in_the_place_of_a_share(scoring: Path, tmp_path: Path) -> None:
    exported = export(load(scoring), Target.LEGACY)
    program, feedback = tmp_path / "check.py", tmp_path / "feedback"
    program.write_bytes(exported.read("output_validators/check.py"))
    feedback.mkdir()
    command = [sys.executable, program, "in", "ans", f"{feedback}/", "points=30"]
    done = subprocess.run(command, input=b"2\n", check=False)
    assert done.returncode == 42
    assert float((feedback / "score.txt").read_text()) == 7.5
    assert not (feedback / "score_multiplier.txt").exists()
    (feedback / "score.txt").unlink()
    command[-1] = (
        f"points={400 / 6:.15g}"  # six cases of these share 100: rounded to nine places it would be too much
    )
    assert subprocess.run(command, input=b"2\n", check=False).returncode == 42
    assert float((feedback / "score.txt").read_text()) * 6 <= 100 + 1e-9
    assert subprocess.run(command, input=b"x\n", check=False, capture_output=True).returncode not in (42, 43)


def test_domjudge_finds_its_keys_and_no_folder_around(double_with: PackageMaker, tmp_path: Path) -> None:
    exported = export(load(double_with({"output_validator/check.py": CHECKER})), Target.DOMJUDGE)
    manifest = settings(exported, "problem.yaml")
    assert manifest["type"] == "pass-fail" and manifest["validation"] == "custom"
    assert manifest["limits"] == {"time_limit": 1.0, "memory": 256, "output": 1}
    assert float(text(exported, ".timelimit")) == 1.0
    assert "short-name = double" in text(exported, "domjudge-problem.ini")
    assert text(exported, "problem_statement/problem.html").startswith("<!doctype html>")
    assert {path.rpartition("/")[0] for path in exported.contents if path.startswith("output_val")} == {
        "output_validators/double"
    }
    write_zip(exported, tmp_path / "double.zip")
    with zipfile.ZipFile(tmp_path / "double.zip") as archive:
        assert "problem.yaml" in archive.namelist()
        assert archive.getinfo("output_validators/double/run").external_attr >> 16 == 0o100755


@pytest.mark.parametrize("target", [Target.LEGACY, Target.DOMJUDGE])
def test_programs_of_one_name_stay_apart(double_with: PackageMaker, target: Target) -> None:
    late = "import time\ntime.sleep({})\nprint(0)\n"
    sources = {
        "accepted/ada/main.py": "print(int(input()) * 2)\n",
        "accepted/bob/main.py": "print(int(input()) + int(input()))\n",
        "time_limit_exceeded/late.py": late.format(9),
        "too_slow/late.py": late.format(8),
    }
    root = double_with({f"submissions/{path}": source for path, source in sources.items()})
    (root / "submissions/submissions.yaml").write_text("too_slow:\n  permitted: [AC, TLE]\n  required: [TLE]\n")
    for folder in ("a", "b"):
        (root / "input_validators" / folder).mkdir()
        (root / "input_validators" / folder / "check.py").write_text(f"# {folder}\nraise SystemExit(42)\n")
    exported = export(load(root), target)
    sources_there = [exported.read(path).decode() for path in exported.contents]
    assert [path for path, source in sources.items() if source not in sources_there] == []
    assert "submissions/time_limit_exceeded/late/late.py" in exported.contents
    if target is Target.LEGACY:
        assert {"input_validators/a/check.py", "input_validators/b/check.py"} <= exported.contents.keys()


def test_a_submission_without_a_folder_of_its_own_says_what_it_may_get(double_with: PackageMaker) -> None:
    root = double_with({"submissions/brute_force/slow.py": "print(int(input()) * 2)\n"})
    domjudge = export(load(root), Target.DOMJUDGE)
    assert "# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT, RUN-ERROR" in text(domjudge, "submissions/mixed/slow.py")
    legacy = export(load(root), Target.LEGACY)
    assert not [path for path in legacy.contents if "slow" in path]
    assert any("brute_force/slow.py" in loss for loss in legacy.losses)


@pytest.mark.parametrize(
    ("rules", "folder"),
    [
        ("brute_force/slow.py:\n  score: 40\n", "partially_accepted"),
        ("brute_force/slow.py:\n  permitted: [TLE, AC]\n  required: [TLE]\n  score: 0\n", "time_limit_exceeded"),
        (
            "brute_force/slow.py:\n  permitted: [AC]\nbrute_force:\n  permitted: [AC]\n  required: [AC]\n",
            "accepted",
        ),
        ("brute_force/slow.py:\n  score: [0, 40]\n", None),
    ],
)
def test_points_decide_the_folder_of_a_legacy_submission(scoring: Path, rules: str, folder: str | None) -> None:
    (scoring / "submissions/brute_force").mkdir()
    (scoring / "submissions/brute_force/slow.py").write_text("print(int(input()) * 2)\n")
    (scoring / "submissions/submissions.yaml").write_text(rules)
    package = load(scoring)
    program = next(one for one in package.submissions if one.path.startswith("brute_force"))
    assert home_of(package, program).folder == folder


def test_without_require_pass_a_program_without_points_may_get_some_so_it_is_left_out(scoring: Path) -> None:
    last = sorted(scoring.glob("data/secret/*/test_group.yaml"))[-1]
    last.write_text(last.read_text() + "require_pass: sample\n")
    (scoring / "submissions/wrong_answer/w.py").write_text("print(0)\n")
    (scoring / "submissions/submissions.yaml").write_text("wrong_answer/w.py:\n  score: 0\n")
    exported = export(load(scoring), Target.LEGACY)
    assert not [path for path in exported.contents if path.endswith("w.py")]
    assert any("may get points there without `require_pass`: wrong_answer/" in loss for loss in exported.losses)
    domjudge = export(load(scoring), Target.DOMJUDGE)
    assert "# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER" in text(domjudge, "submissions/mixed/w.py")


def test_a_program_that_gets_some_points_is_not_exported_as_accepted() -> None:
    exported = export(load(TESTS / "packages/judge_legacy_sum"), Target.DOMJUDGE)
    partial = "submissions/mixed/fails_1.py"
    assert {path for path in exported.contents if path.startswith("submissions/")} == {
        "submissions/accepted/echo.py",
        partial,
    }


def test_a_package_without_data_is_no_export(double_with: PackageMaker) -> None:
    root = double_with({**NO_SECRET, "generators/generators.yaml": "data: {}\n"})
    with pytest.raises(UsageError, match=r"its recipe .* makes none: give it a case below `data: secret:`"):
        export(load(root, built=False), Target.CURRENT)


@pytest.mark.parametrize("target", [target for target in Target if target is not Target.POLYGON])  # that has XML
def test_key_without_a_value_is_left_out_of_a_manifest(double_with: PackageMaker, target: Target) -> None:
    manifest = "problem_format_version: legacy\nname: Double\nvalidator_flags: case_sensitive\n"
    exported = export(load(double_with({"problem.yaml": manifest})), target)
    limits = yaml.safe_load(exported.read("problem.yaml")).get("limits", {})
    assert "time_limit" not in limits and None not in limits.values()


def test_footnotes_come_at_the_end_of_latex() -> None:
    made = to_latex("a[^x] b\n\n[^x]: why\n", "X")
    assert "a$^{1}$ b" in made and made.endswith("$^{1}$why\n")


def test_places_of_samples_are_said_in_latex() -> None:
    assert "\n\\nextsample\n" in to_latex("a\n\n{{nextsample}}\n\nb {{other}}\n", "X")


def test_markdown_becomes_latex() -> None:
    made = to_latex("Print $2n$ & `a_b`.\n\n- *one*\n- **two**\n\n| x | y |\n|--|--|\n| 1 | 2 |\n", "A & B")
    assert made.startswith("\\problemname{A \\& B}\n\nPrint $2n$ \\& \\texttt{a\\_b}.")
    assert "\\item \\emph{one}" in made and "\\item \\textbf{two}" in made
    assert "\\begin{tabular}{|l|l|}" in made and "1 & 2 \\\\ \\hline" in made


def test_what_export_and_statement_left_in_the_package_is_not_exported(double_with: PackageMaker) -> None:
    root = double_with(None)
    before = export(load(root), Target.CURRENT)
    for name in (f"{root.name}.zip", f"{root.name}.en.html"):
        (root / name).write_text("left")
    (root / "README.md").write_text("kept")
    after = export(load(root), Target.CURRENT)
    assert set(after.contents) - set(before.contents) == {"README.md"}


def test_what_must_not_compile_says_so_to_domjudge(double_with: PackageMaker) -> None:
    root = double_with({"submissions/compile_error/open.c": "int main() {\n"})
    manifest = root / "problem.yaml"
    manifest.write_text(manifest.read_text().replace("problem_format_version: 2025-09\n", ""))
    written = text(export(load(root), Target.DOMJUDGE), "submissions/mixed/open.c")
    assert written.endswith("// @EXPECTED_RESULTS@: COMPILER-ERROR\n")


def test_domjudge_is_told_flags_once(double_with: PackageMaker) -> None:
    root = double_with(
        {"output_validator/check.py": CHECKER, "data/test_group.yaml": "output_validator_args: [a, b]\n"}
    )
    same = export(load(root), Target.DOMJUDGE)
    assert settings(same, "problem.yaml")["validator_flags"] == "a b"
    assert not [path for path in same.contents if path.endswith("testdata.yaml")]
    (root / "data/test_group.yaml").rename(root / "data/secret/test_group.yaml")
    different = export(load(root), Target.DOMJUDGE)
    assert not settings(different, "problem.yaml").get("validator_flags")
    assert settings(different, "data/secret/testdata.yaml")["output_validator_flags"] == "a b"


@pytest.mark.parametrize("target", [target for target in Target if target is not Target.POLYGON])
def test_included_files_go_along(double_with: PackageMaker, host: Host, tmp_path: Path, target: Target) -> None:
    root = double_with(
        {
            "include/default/factor.txt": "2\n",
            "include/python3/factor.py": "FACTOR = int(open('factor.txt').read())\n",
            "submissions/accepted/double.py": "import factor\nprint(factor.FACTOR * int(input()))\n",
        }
    )
    write_zip(export(load(root), target), tmp_path / "double.zip")
    with opened(tmp_path / "double.zip") as folder:
        package = load(folder)
        [program] = [one for one in package.submissions if one.path.startswith("accepted/")]
        [result] = Judging(package=package, host=host).run([Entry(program=program)])
    assert result.verdict is Verdict.ACCEPTED, result


def test_folders_of_a_pass_fail_problem_keep_their_own_flags(double_with: PackageMaker) -> None:
    cases = {f"data/secret/{name}/1.{end}": "1\n" for name in ("wide", "narrow") for end in ("in", "ans")}
    flags = {"data/secret/narrow/1.yaml": "input_validator_args: [small]\n"}
    exported = export(load(double_with({**cases, **flags})), Target.LEGACY)
    assert text(exported, "data/secret/narrow/testdata.yaml") == "input_validator_flags: small\n"
    assert "data/secret/wide/testdata.yaml" not in exported.contents


def test_flags_that_a_folder_would_inherit_wrongly_are_refused(double_with: PackageMaker) -> None:
    cases = {f"data/secret/{name}/1.{end}": "1\n" for name in ("a", "a/b") for end in ("in", "ans")}
    root = double_with({**cases, "data/secret/a/1.yaml": "input_validator_args: [small]\n"})
    with pytest.raises(UsageError, match="data/secret/a/b: cases of one group"):
        export(load(root), Target.LEGACY)


def test_a_package_of_samples_alone_is_exported_and_says_so(double_with: PackageMaker) -> None:
    losses = export(load(double_with(NO_SECRET)), Target.DOMJUDGE).losses
    assert any("secret data" in loss for loss in losses)


@pytest.mark.parametrize("target", [Target.CURRENT, Target.LEGACY, Target.DOMJUDGE])
def test_a_sample_dialogue_without_an_input_is_shown_and_goes_along(target: Target) -> None:
    package = load(TESTS / "packages" / "judge_legacy_interactive_without_answers")
    dialogue = (TESTS / "packages" / package.slug / "data/sample/1.interaction").read_bytes()
    assert [sample.turns[0].by_judge for sample in samples_of(package)] == [dialogue.startswith(b"<")]
    assert not any("1.interaction" in warning for warning in package.warnings)
    assert export(package, target).read("data/sample/1.interaction") == dialogue


def test_demands_that_no_rule_makes_are_not_called_lost() -> None:
    losses = export(load(TESTS / "packages" / "load_polygon"), Target.LEGACY).losses
    assert not any("demands on single groups" in loss for loss in losses)
