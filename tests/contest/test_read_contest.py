"""A contest's folder: formats of DOMjudge, CLICS, BAPCtools as they are; faults name file, line and how to fix it."""

import shutil
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import harness, said
from conftest import DOUBLE, TESTS
from harness.contest.booklet import _cover_row
from harness.contest.contest import BALLOONS, clock, color_of, rgb_of
from harness.contest.export import contest_yaml, problems_yaml
from harness.contest.read import find_contest, read_contest
from harness.errors import PackageError, UsageError
from harness.package.load import load

CONTEST = """id: regional
name: A Regional
start_time: 2026-11-28T10:00:00+01:00
duration: 5:00:00
scoreboard_freeze_duration: 1:00:00
languages: [cpp, py3, {id: java, name: Java}]
"""
PROBLEMS = "- {id: one, label: A, color: red}\n- {id: two, label: B, rgb: '#00f'}\n"


def contest_in(folder: Path, contest: str | None = CONTEST, problems: str | None = PROBLEMS) -> Path:
    for name in ("one", "two"):
        shutil.copytree(DOUBLE, folder / name)
    for name, text in (("contest.yaml", contest), ("problems.yaml", problems)):
        if text is not None:
            (folder / name).write_text(text)
    return folder


def faults(folder: Path) -> list[str]:
    try:
        return [str(fault).replace(f"{folder}/", "") for fault in read_contest(folder).faults]
    except PackageError as error:
        return [str(fault).replace(f"{folder}/", "") for fault in error.faults]


def test_domjudge_s_two_files_are_read(tmp_path: Path) -> None:
    contest = read_contest(contest_in(tmp_path))
    assert (contest.slug, contest.name, contest.duration_s, contest.freeze_s) == (
        "regional",
        "A Regional",
        18000,
        3600,
    )
    assert contest.languages == ("cpp", "python3", "java")
    rows = [(problem.label, problem.slug, problem.color, problem.rgb) for problem in contest.problems]
    assert rows == [("A", "one", "red", "#ff0000"), ("B", "two", "blue", "#0000ff")]
    assert [problem.root for problem in contest.problems] == [tmp_path / "one", tmp_path / "two"]
    assert not contest.faults
    assert not contest.warnings


@pytest.mark.parametrize(
    ("contest", "problems"),
    [
        ("name: C\nproblems:\n- letter: A\n  short-name: one\n- letter: B\n  short-name: two\n", None),  # CLICS
        ("name: C\nproblemset:\n- {letter: A, short-name: one}\n- {letter: B, short-name: two}\n", None),
        (
            "name: C\ntestsession: true\nlocation: Delft\n",
            "- id: one\n  label: A\n- id: two\n  label: B\n",
        ),  # BAPCtools
        (None, "problems:\n- {letter: A, short-name: one}\n- {letter: B, short-name: two}\n"),  # problemset.yaml
        (None, "- one\n- two\n"),
    ],
)
def test_problems_are_found_where_each_tool_writes_them(
    tmp_path: Path, contest: str | None, problems: str | None
) -> None:
    read = read_contest(contest_in(tmp_path, contest, problems))
    assert [(problem.label, problem.slug) for problem in read.problems] == [("A", "one"), ("B", "two")]
    assert not read.faults
    assert not read.warnings


def test_json_files_are_read_too(tmp_path: Path) -> None:
    contest_in(tmp_path, None, None)
    (tmp_path / "problems.json").write_text('[{"id": "one", "label": "X"}]')
    assert [problem.label for problem in read_contest(tmp_path).problems] == ["X"]


@pytest.mark.parametrize(
    ("problems", "fault"),  # of problems.yaml
    [
        ("- {id: one}\n- {id: two, label: A}\n", ":2: the label `A` stands twice: on line 1, too; change one"),
        ("- {id: one}\n- {id: one}\n", ":2: the id `one` stands twice: on line 1, too; change one"),
        ("- {id: gone}\n", ":1: no package `gone` beside this file: neither gone/problem.yaml nor a zip"),
        ("- {id: onee}\n", ":1: no package `onee` beside this file: did you mean `one`?"),
        ("- {id: Two}\n", ":1: no package `Two` beside this file: did you mean `two`?"),
        ("- {id: two.zip}\n", ":1: no package `two.zip` beside this file: did you mean `two`?"),
        ("- {label: A}\n", ":1: a problem without `id`: name its folder there"),
        ("- {id: ../one}\n", ":1: `id: ../one` is no name of a folder beside this file (letters, digits, - _ .)"),
        ("- [one]\n", ":1: expected a mapping (key: value), found ['one']"),
        ("[]\n", ": no problem in it: list them as `- id: <folder>` and `label: A`"),
        ("- {id: one\n", ":2: not YAML: did not find expected ',' or '}'"),
    ],
)  # fmt: skip
def test_a_faulty_entry_is_named_with_its_line(tmp_path: Path, problems: str, fault: str) -> None:
    assert f"problems.yaml{fault}" in faults(contest_in(tmp_path, CONTEST, problems))


def test_a_file_that_is_not_yaml_is_one_fault(tmp_path: Path) -> None:
    assert len(faults(contest_in(tmp_path, CONTEST, "- {id: one\n"))) == 1


def test_an_id_that_domjudge_does_not_take_is_a_warning_with_its_line(tmp_path: Path) -> None:
    contest_in(tmp_path, "name: C\nid: süd26\n", "- one\n- two.b\n")
    shutil.copytree(DOUBLE, tmp_path / "two.b")
    contest = read_contest(tmp_path)
    assert [str(warning).rpartition("/")[2] for warning in contest.warnings] == [
        "problems.yaml:2: `id: two.b` is no id that DOMjudge takes: write it in a-z, A-Z, 0-9, - and _",
        "contest.yaml:2: `id: süd26` is no id that DOMjudge takes: write it in a-z, A-Z, 0-9, - and _",
    ]


def test_a_file_of_the_contest_stands_for_its_folder(tmp_path: Path) -> None:
    contest_in(tmp_path)
    assert find_contest(tmp_path / "contest.yaml") == find_contest(tmp_path / "problems.yaml") == tmp_path


def test_a_loop_of_links_is_a_fault_and_the_other_problems_stay(tmp_path: Path) -> None:
    contest_in(tmp_path, CONTEST, "- loop\n- two\n")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    contest = read_contest(tmp_path)
    assert contest.problems[-1].root == tmp_path / "two"
    assert [str(fault).rpartition("/")[2] for fault in contest.faults] == [
        "problems.yaml:1: `loop` is a link to nothing, or to itself: let it name the package's folder"
    ]


@pytest.mark.parametrize("key", ["penalty_time", "penalty-time"])
def test_a_penalty_of_zero_minutes_is_one(tmp_path: Path, key: str) -> None:
    assert read_contest(contest_in(tmp_path, f"name: C\n{key}: 0\n")).penalty_minutes == 0


def test_of_two_spellings_that_of_domjudge_counts(tmp_path: Path) -> None:
    contest = read_contest(contest_in(tmp_path, "length: 1:00:00\nname: C\nduration: 5:00:00\nformal-name: D\n"))
    assert (contest.name, contest.duration_s) == ("C", 5 * 3600)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("duration: five", "contest.yaml:2: `duration` must be hours, minutes and seconds such as 5:00:00"),
        ("start_time: soon", "contest.yaml:2: `start_time` must be a time such as"),
        (
            "duration: 1:00:00\nscoreboard-freeze-length: 2:00:00",
            "contest.yaml:3: the scoreboard is frozen for longer than the contest lasts",
        ),
    ],
)
def test_a_faulty_time_is_named_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    assert any(message in fault for fault in faults(contest_in(tmp_path, f"name: C\n{line}\n")))


def test_a_colour_that_stands_twice_or_is_not_known_is_a_warning(tmp_path: Path) -> None:
    contest = read_contest(contest_in(tmp_path, CONTEST, "- {id: one, color: red}\n- {id: two, rgb: '#f00'}\n"))
    assert [str(warning).rpartition("/")[2] for warning in contest.warnings] == [
        "problems.yaml:2: the colour `#ff0000` stands twice: on line 1, too; change one"
    ]
    (tmp_path / "problems.yaml").write_text("- {id: one, color: sky}\n")
    assert "give `rgb: '#rrggbb'`" in str(read_contest(tmp_path).warnings[0])


def test_an_unknown_key_of_a_problem_is_a_warning_with_its_line_and_those_of_other_tools_are_silent(
    tmp_path: Path,
) -> None:
    rows = "- id: one\n  time_limit: 3\n  ordinal: 0\n  test_data_count: 7\n  colr: red\n- {id: two, points: 3}\n"
    contest = read_contest(contest_in(tmp_path, CONTEST, rows))
    assert [str(warning).rpartition("/")[2] for warning in contest.warnings] == [
        "problems.yaml:5: unknown key `colr` in problems.yaml: did you mean `color`?",
        "problems.yaml:6: unknown key `points` in problems.yaml: remove it or correct its name",
    ]
    assert [problem.time_limit_s for problem in contest.problems] == [3, None]
    assert not contest.faults


def test_what_is_written_is_read_again_the_same(tmp_path: Path) -> None:
    first = read_contest(contest_in(tmp_path))
    (tmp_path / "contest.yaml").write_bytes(contest_yaml(first))
    (tmp_path / "problems.yaml").write_bytes(problems_yaml(first))
    second = read_contest(tmp_path)
    assert contest_yaml(second) == contest_yaml(first)
    assert problems_yaml(second) == problems_yaml(first)
    assert second.languages == first.languages
    assert second.start_time == first.start_time


def test_a_folder_without_the_files_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="harness contest new"):
        find_contest(tmp_path)


def test_the_workspace_is_found_from_its_top() -> None:
    assert find_contest(TESTS.parent) == TESTS.parent / "problems"


@given(st.sampled_from(sorted(BALLOONS)))
def test_a_balloon_s_colour_is_nearest_to_itself(name: str) -> None:
    assert BALLOONS[color_of(BALLOONS[name])] == BALLOONS[name]
    assert rgb_of(name.upper()) == BALLOONS[name]


def test_colours_as_people_write_them() -> None:
    assert [rgb_of(text) for text in ("#F00", "#ff7109", "Forest Green", "sky", "", "#12")] == [
        "#ff0000", "#ff7109", "#008000", None, None, None,
    ]  # fmt: skip
    assert clock(18061) == "5:01:01"


def test_new_writes_files_that_are_read_again_and_overwrites_none(tmp_path: Path) -> None:
    folder = tmp_path / "final"
    folder.mkdir()
    contest_in(folder, None, None)
    done = harness("contest", "new", folder, "--name", "My Contest")
    assert done.returncode == 0, said(done)
    contest = read_contest(folder)
    assert (contest.name, [problem.label for problem in contest.problems]) == ("My Contest", ["A", "B"])
    again = harness("contest", "new", folder)
    assert again.returncode == 2
    assert "is there already" in said(again)
    outer = harness("contest", "new", tmp_path)
    assert outer.returncode == 2
    assert f"{tmp_path} holds no package itself, but final in it" in said(outer).replace("\n", " ")


def test_new_takes_zips_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    contest_in(tmp_path, None, None)
    for name in ("three.zip", "two.zip", "Größe.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.write(DOUBLE / "problem.yaml", "double/problem.yaml")
    for name in ("x y", ".old"):
        shutil.copytree(DOUBLE, tmp_path / name)
    with zipfile.ZipFile(tmp_path / "slides.zip", "w") as archive:
        archive.writestr("slides.pdf", "")
    (tmp_path / "torn.zip").write_bytes(b"PK")
    done = harness("contest", "new", tmp_path)
    assert done.returncode == 0, said(done)
    assert [problem.slug for problem in read_contest(tmp_path).problems] == ["one", "three", "two"]
    left_out = [line.replace(f"{tmp_path}/", "") for line in said(done).splitlines() if "left out" in line]
    assert left_out == [
        "warning: Größe.zip: left out: rename it, for an id has only letters, digits, - _ .",
        "warning: slides.zip: left out: it holds no package",
        "warning: torn.zip: left out: not a zip that can be read: File is not a zip file",
        "warning: two.zip: left out: the folder two/ beside it is used",
        "warning: x y: left out: rename it, for an id has only letters, digits, - _ .",
    ]


def test_a_file_in_place_of_the_folder_is_named_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = harness("contest", "list", tmp_path / "file")
    assert (done.returncode, "file: is a file: name the contest's folder" in said(done)) == (2, True)


def test_list_shows_what_is_broken_and_the_others(tmp_path: Path) -> None:
    contest_in(tmp_path, CONTEST, PROBLEMS + "- {id: gone, label: C}\n")
    (tmp_path / "two" / "problem.yaml").write_text("name: [")
    done = harness("contest", "list", tmp_path)
    assert done.returncode == 1
    output = said(done)
    assert "Double" in output or "double" in output
    assert "no such folder or zip" in output
    assert ":3: no package `gone`" in output


def test_a_problem_whose_submissions_are_not_run_has_no_limits_in_a_list_and_a_booklet(tmp_path: Path) -> None:
    shutil.copytree(TESTS / "packages" / "judge_submit_answer", tmp_path / "answers")
    (tmp_path / "problems.yaml").write_text("- {id: answers, label: A}\n")
    assert " 1 s " not in said(harness("contest", "list", tmp_path))
    contest = read_contest(tmp_path)
    row = _cover_row(contest.problems[0], load(tmp_path / "answers"), "en")
    assert "MiB" not in row and "1 s" not in row


def test_a_new_contest_in_a_folder_with_blanks_and_umlauts_is_named_so_that_it_can_be_copied(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "Länder Finale"
    shutil.copytree(DOUBLE, folder / "one")
    assert "next: harness contest verify 'Länder Finale'" in said(
        harness("contest", "new", "Länder Finale", cwd=tmp_path)
    )
    assert read_contest(folder).slug == "lander-finale"
