"""What belongs to one grading: shards of the same files, one report a file, one problem a name."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from grade_command import COUNTS, grade, hand_ins

from conftest import DOUBLE, PackageMaker

SCORING = """problem_format_version: 2025-09
name: Double
type: scoring
uuid: 0b0e5d2c-2c5e-4d3c-8a55-0f4a3c6f1a11
limits: {time_limit: 1}
"""


def shards(package: Path, folder: Path, between: tuple[Path, str]) -> list[str]:
    """The files of two shards; a file is written between their gradings."""
    for number in (1, 2):
        name = f"{number}.json"
        store = f"{number}.sqlite"
        grade(
            "grade",
            package,
            folder / "subs",
            "--shard",
            f"{number}/2",
            "--store",
            store,
            "--json",
            name,
            cwd=folder,
        )
        between[0].write_text(between[1])
    return ["1.json", "2.json"]


def test_a_submission_that_came_between_two_shards_is_not_lost_in_silence(tmp_path: Path) -> None:
    subs = hand_ins(tmp_path / "subs", b=COUNTS, c=COUNTS, d=COUNTS)
    files = shards(DOUBLE, tmp_path, (subs / "a.py", COUNTS))
    done = grade("merge", *files, cwd=tmp_path)
    assert done.returncode == 2
    assert "the list of submissions changed between the shards" in done.stderr


def test_shards_on_different_data_are_not_merged(double_with: PackageMaker, tmp_path: Path) -> None:
    hand_ins(tmp_path / "subs", b=COUNTS, c=COUNTS)
    package = double_with({})
    answer = next((package / "data" / "secret").glob("*.ans"))
    done = grade("merge", *shards(package, tmp_path, (answer, "17\n")), cwd=tmp_path)
    assert done.returncode == 2
    assert "the files of the package changed between the shards" in done.stderr


def test_all_of_the_points_are_exactly_all(double_with: PackageMaker, tmp_path: Path) -> None:
    """Seven times a seventh of 100 is 100.00000000000001 as floats."""
    data: dict[str, str | None] = {}
    for number in range(7):
        data |= {f"data/secret/seven-{number}.in": "2\n", f"data/secret/seven-{number}.ans": "4\n"}
    package = double_with({**data, "problem.yaml": SCORING})
    for file in (package / "data" / "secret").iterdir():
        if not file.name.startswith("seven"):
            file.unlink()
    hand_ins(tmp_path / "subs", right=COUNTS)
    grade("grade", package, "subs", "--json", "r.json", "--gradescope", "g.json", "--csv", "r.csv", cwd=tmp_path)
    [[submission]] = [report["submissions"] for report in [json.loads((tmp_path / "r.json").read_text())]]
    assert submission["score"] == json.loads((tmp_path / "g.json").read_text())["score"] == 100
    assert ",100.0," in (tmp_path / "r.csv").read_text()


def test_an_unstable_submission_fails_in_junit(tmp_path: Path) -> None:
    flips = "import os\nprint(2 * int(input()) + os.urandom(1)[0] % 2)\n"
    hand_ins(tmp_path / "subs", flips=flips)
    done = grade(
        "grade", DOUBLE, "subs", "--repeat", "20", "--require", "AC,WA", "--junitxml", "j.xml", cwd=tmp_path
    )
    assert "UNSTABLE over 20 times" in done.stdout
    failing = ElementTree.parse(tmp_path / "j.xml").findall(".//testcase[@name='outcome']/failure")
    assert (done.returncode, len(failing)) == (1, 1)


def test_a_link_error_is_the_same_text_each_time(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int missing();\nint main() { return missing(); }\n")
    for number in (1, 2):
        grade(
            "grade", DOUBLE, "a.cpp", "--store", f"{number}.sqlite", "--json", f"{number}.json", "--no-measurements",
            cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / str(number)),
        )  # fmt: skip
    assert "undefined reference" in (tmp_path / "1.json").read_text()
    assert (tmp_path / "1.json").read_text() == (tmp_path / "2.json").read_text()


def test_annotations_name_the_file_and_the_line(tmp_path: Path) -> None:
    hand_ins(tmp_path / "subs", crash="\nraise ValueError('x')\n")
    full = grade("grade", DOUBLE, "subs", "--github", "-q", cwd=tmp_path).stdout
    assert "::warning file=subs/crash.py,line=2," in full
    least = grade("grade", DOUBLE, "subs", "--github", "-q", "--feedback", "verdict", cwd=tmp_path).stdout
    assert "::warning file=subs/crash.py,title=double%3A Run time error::run time error" in least


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--json", "x", "--csv", "x"), "--json and --csv both name x"),
        (("--store", "x.sqlite", "--html", "./x.sqlite"), "--store and --html both name"),
        (("--json", "subs/right.py"), "submission subs/right.py and --json both name"),
        (("--csv", "-"), "only --json can be written to standard output"),
        (("--min-score", "nan"), "nan is not between"),
    ],
)
def test_no_report_overwrites_another_file(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    hand_ins(tmp_path / "subs", right=COUNTS)
    done = grade("grade", DOUBLE, "subs/right.py", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert (tmp_path / "subs" / "right.py").read_text() == COUNTS


def test_gradescope_of_two_submissions_is_refused_before_one_is_judged(tmp_path: Path) -> None:
    hand_ins(tmp_path / "subs", a=COUNTS, b=COUNTS)
    done = grade("grade", DOUBLE, "subs", "--gradescope", "g.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "--gradescope takes one submission at a time, here are 2" in done.stderr
    assert "[1/2]" not in done.stderr


def test_two_problems_of_a_plan_need_two_names(tmp_path: Path) -> None:
    for week in ("week1", "week2"):
        (tmp_path / week).mkdir()
        (tmp_path / week / "double").symlink_to(DOUBLE)
    tables = "".join(f'[[problem]]\nproblem = "{week}/double"\n' for week in ("week1", "week2"))
    (tmp_path / "plan.toml").write_text(tables)
    done = grade("grade", "--plan", "plan.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "`week1/double` and `week2/double` are both called `double` in reports" in done.stderr


def test_a_folder_without_a_program_is_its_author_s_fault(tmp_path: Path) -> None:
    hand_ins(tmp_path / "subs", right=COUNTS)
    (tmp_path / "subs" / "ann").mkdir()
    (tmp_path / "subs" / "ann" / "notes.txt").write_text("see my mail\n")
    done = grade("grade", DOUBLE, "subs", cwd=tmp_path)
    assert done.returncode == 0
    assert "no program of a known language in this folder, only notes.txt" in done.stdout


def test_a_zip_is_not_called_a_missing_language(tmp_path: Path) -> None:
    (tmp_path / "mine.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    assert "unpack it" in grade("judge", DOUBLE, "mine.zip", cwd=tmp_path).stdout


def test_a_damaged_byte_that_is_no_text_costs_one_result(tmp_path: Path) -> None:
    hand_ins(tmp_path / "subs", right=COUNTS)
    grade("grade", DOUBLE, "subs", "--store", "s.sqlite", cwd=tmp_path)
    content = bytearray((tmp_path / "s.sqlite").read_bytes())
    content[content.rfind(b'"verdict":"AC"') + 12] = 0xFF
    (tmp_path / "s.sqlite").write_bytes(content)
    done = grade("grade", DOUBLE, "subs", "--store", "s.sqlite", cwd=tmp_path)
    assert done.returncode == 0
    assert "1 AC" in done.stdout
