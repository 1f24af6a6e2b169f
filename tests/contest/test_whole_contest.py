"""A whole contest is verified and exported; one broken problem hides none of the others."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import DOUBLE, TESTS
from harness.contest.contest import Contest, ContestProblem
from harness.contest.read import read_contest
from harness.contest.verify import ContestReport, ProblemReport, ProblemTimes
from harness.report.contest import judging_line, time_table
from harness.verify.run import PARTS

CONTEST = "id: regional\nname: Regional\nduration: 5:00:00\nlanguages: [cpp, python3]\n"
PROBLEMS = "- {id: one, label: A, color: red}\n- {id: two, label: B, color: blue}\n"


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    folder = tmp_path / "regional"
    for name in ("one", "two"):
        shutil.copytree(DOUBLE, folder / name)
    (folder / "contest.yaml").write_text(CONTEST)
    (folder / "problems.yaml").write_text(PROBLEMS)
    return folder


def test_verify_shows_all_problems_though_one_does_not_load(contest: Path) -> None:
    (contest / "problems.yaml").write_text(PROBLEMS + "- {id: gone, label: C}\n")
    (contest / "two" / "problem.yaml").write_text("name: [")
    cache = {"XDG_CACHE_HOME": str(contest.parent / "cache")}
    done = harness("contest", "verify", contest, "--json", contest / "result.json", **cache)
    output = said(done)
    assert done.returncode == 1
    assert "problems.yaml:3: no package `gone`" in output
    assert "problem.yaml" in output
    assert "does not hold: problems B, C" in output
    result = json.loads((contest / "result.json").read_text())
    first, *others = result["problems"]
    assert first["holds"]
    assert first["times"]["limit_s"] > 0
    assert first["times"]["slowest_accepted_s"] is not None
    assert [part["part"] for part in first["verification"]["parts"]] == list(PARTS)
    assert not any(problem["holds"] for problem in others)
    assert result["judging_cpu_s"] > 0


@pytest.mark.parametrize(
    ("cpu_s", "words"),
    [
        (0.5, "0:01:40 (h:mm:ss) of one core; 1 judgehost keeps up with 3 times the average"),
        (60, "3:20:00 (h:mm:ss) of one core; 2 judgehosts keep up with 3 times the average"),
    ],
)
def test_judgehosts_are_counted_and_the_time_of_a_core_has_its_unit(cpu_s: float, words: str) -> None:
    problem = ContestProblem(label="A", slug="one", root=None)
    report = ContestReport(
        contest=Contest(root=Path(), slug="c", name="C", problems=(problem,), duration_s=5 * 3600),
        problems=(ProblemReport(problem=problem, verification=None, times=ProblemTimes(accepted_total_s=cpu_s)),),
        findings=(),
    )
    assert judging_line(report) == f"100 teams, 2 submissions a problem each: {words}"


def test_a_time_at_which_the_fastest_too_slow_submission_was_stopped_is_said_to_be_no_more_than_that() -> None:
    times = ProblemTimes(limit_s=2.0, fastest_too_slow_over_s=3.5)
    problem = ProblemReport(problem=ContestProblem(label="A", slug="a", root=None), verification=None, times=times)
    report = ContestReport(
        contest=Contest(root=Path(), slug="c", name="C", problems=(problem.problem,)),
        problems=(problem,),
        findings=(),
    )
    table = time_table(report)
    assert [list(table.columns[column].cells) for column in (5, 6)] == [["over 3.5 s"], ["over 1.8 ×"]]


def test_verify_tells_what_shows_side_by_side(contest: Path) -> None:
    done = harness("contest", "verify", contest, "--only", "package")
    output = said(done)
    assert "these problems have one name" in output
    assert "one, two: these problems have one `uuid`" in " ".join(output.split())
    assert "no solution that must be accepted for" in output
    assert "no author is credited" in output
    assert "no license is stated" in output


def test_a_time_limit_that_differs_from_the_package_s_is_a_warning_of_verify(contest: Path) -> None:
    (contest / "problems.yaml").write_text("- {id: one, time_limit: 1}\n- {id: two, time_limit: 3}\n")
    output = " ".join(said(harness("contest", "verify", contest, "--only", "package")).split())
    assert (
        "problems.yaml:2: `two` has `time_limit: 3` here, its package 1 s, which counts: state the same" in output
    )
    assert "problems.yaml:1:" not in output


def test_a_problem_of_answers_that_cannot_be_exported_for_domjudge_is_a_warning_of_verify(contest: Path) -> None:
    shutil.copytree(TESTS / "packages" / "judge_submit_answer", contest / "answers")
    (contest / "problems.yaml").write_text("- {id: answers, label: A}\n")
    output = " ".join(said(harness("contest", "verify", contest, "--only", "package")).split())
    assert (
        "answers: submissions are answers, which DOMjudge cannot judge: `contest export` and `upload` stop"
        in output
    )


def test_a_limit_that_no_package_states_is_said_to_be_inferred_and_missing_for_domjudge(contest: Path) -> None:
    manifest = contest / "two" / "problem.yaml"
    manifest.write_text(manifest.read_text().replace("  time_limit: 1.0\n", ""))
    cache = {"XDG_CACHE_HOME": str(contest.parent / "cache")}
    output = " ".join(said(harness("contest", "verify", contest, "--only", "time", **cache)).split())
    assert "two: no time limit is stated, and DOMjudge needs one: `limits: time_limit:` in problem.yaml" in output
    assert "A one 1 s 0." in output
    assert "B two 1 s (inferred) 0." in output


def test_an_unknown_language_is_named_with_its_line_and_asks_for_no_solution(contest: Path) -> None:
    (contest / "contest.yaml").write_text("name: Regional\nlanguages: [brainfuck, pyhton3, java]\n")
    output = said(harness("contest", "verify", contest, "--only", "package"))
    assert "contest.yaml:2: unknown language `brainfuck`: correct it, or add it to harness.toml" in output
    assert "contest.yaml:2: unknown language `pyhton3`: did you mean `python3`?" in output
    assert [line for line in output.splitlines() if "no solution" in line] == [
        "warning contest: java: no solution that must be accepted for A, B"
    ]


def test_a_package_of_polygon_is_not_asked_for_a_key_of_problem_yaml(contest: Path) -> None:
    shutil.rmtree(contest / "two")
    shutil.copytree(DOUBLE.parent / "load_polygon", contest / "two")
    output = said(harness("contest", "verify", contest, "--only", "package"))
    fix = "Polygon has no place for it; `harness export` writes a problem.yaml that has"
    assert f"two: no license is stated: {fix}" in output
    assert "one: no license is stated: replace `license: unknown` in problem.yaml, or add `license:`" in output


def test_an_export_is_read_again_with_the_same_result(contest: Path) -> None:
    first = contest.parent / "first"
    done = harness("contest", "export", contest, "--output", first)
    assert done.returncode == 0, said(done)
    assert sorted(path.name for path in first.iterdir()) == ["contest.yaml", "one.zip", "problems.yaml", "two.zip"]
    with zipfile.ZipFile(first / "one.zip") as archive:
        assert "domjudge-problem.ini" in archive.namelist()
    before, after = read_contest(contest), read_contest(first)
    assert (after.slug, after.name, after.duration_s, after.languages) == (
        before.slug, before.name, before.duration_s, before.languages,
    )  # fmt: skip
    assert [(p.label, p.slug, p.rgb) for p in after.problems] == [
        (p.label, p.slug, p.rgb) for p in before.problems
    ]
    assert not after.faults
    again = harness("contest", "export", contest, "--output", first)
    assert again.returncode == 2
    assert "name a new folder" in said(again)


def test_an_export_that_fails_leaves_nothing(contest: Path) -> None:
    (contest / "two" / "problem.yaml").write_text("name: [")
    done = harness("contest", "export", contest, "--output", contest.parent / "out")
    assert done.returncode == 2
    assert said(done)
    assert [path.name for path in contest.parent.iterdir()] == ["regional"]
