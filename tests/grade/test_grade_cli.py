"""`harness grade` as a CI job meets it: exit codes, order, shards, plans, repeats, refusals."""

import json
from pathlib import Path

import pytest
from grade_command import ADDS_ONE, COUNTS, grade, hand_ins

from conftest import DOUBLE, TESTS, PackageMaker
from harness.errors import MachineError
from harness.grade.session import refuse_uncontained
from harness.sandbox.facts import Isolation, Tier
from harness.sandbox.opening import IsolationMode

FLIPS = "import os\nn = int(input())\nprint(n * 2 if os.urandom(1)[0] % 2 else n)\n"
HALF = "def double():\n    return 2 * int(input())\n"
PLAIN = ("--isolation", "none")


def report_of(file: Path) -> dict[str, object]:
    value = json.loads(file.read_text())
    assert isinstance(value, dict)
    return value


def test_nothing_asked_is_graded_with_0_and_what_is_asked_decides_the_exit_code(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", right=COUNTS, wrong=ADDS_ONE)
    codes = [
        grade("grade", DOUBLE, folder, *asked, cwd=tmp_path).returncode
        for asked in ((), ("--require", "AC"), ("--require", "AC,WA"), ("--min-score", "1"))
    ]
    assert codes == [0, 1, 0, 2]  # a problem without points cannot ask for some


def test_package_s_own_submissions_are_held_against_what_it_says_of_them(
    tmp_path: Path, double_with: PackageMaker
) -> None:
    assert grade("grade", DOUBLE, cwd=tmp_path).returncode == 0
    root = double_with({"submissions/accepted/adds_one.py": ADDS_ONE})
    done = grade("grade", root, "--store", "other.sqlite", cwd=tmp_path)
    assert done.returncode == 1
    assert "NOT AS ASKED" in done.stdout


def test_what_cannot_be_judged_exits_2(tmp_path: Path, double_with: PackageMaker) -> None:
    root = double_with({"output_validator/crashes.py": "raise SystemExit(7)\n"})
    done = grade("grade", root, hand_ins(tmp_path / "subs", right=COUNTS), cwd=tmp_path)
    assert done.returncode == 2
    assert "could not judge" in done.stdout


def test_order_is_that_of_the_names_however_many_workers(tmp_path: Path) -> None:
    slow_first = "import time\ntime.sleep(0.2)\n" + COUNTS
    folder = hand_ins(tmp_path / "subs", a=slow_first, b=COUNTS, c=COUNTS + "\n", d=ADDS_ONE)
    texts = []
    for jobs in ("1", "3"):
        done = grade(
            "grade", DOUBLE, folder, "-j", jobs, "--store", f"{jobs}.sqlite", "--json", "-", "--no-measurements",
            cwd=tmp_path,
        )  # fmt: skip
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    assert [json.loads(line).get("path") for line in texts[0].splitlines()[1:-1]] == [
        "a.py",
        "b.py",
        "c.py",
        "d.py",
    ]
    assert json.loads(texts[0].splitlines()[-1]) == {"kind": "end", "exit_code": 0}


def test_json_follows_the_schema(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((TESTS.parent / "docs" / "result.schema.json").read_text())
    folder = hand_ins(tmp_path / "subs", right=COUNTS, wrong=ADDS_ONE, broken="import")
    for level in ("verdict", "samples", "full"):
        unmeasured = ("--no-measurements",) if level == "full" else ()
        grade("grade", DOUBLE, folder, "--json", "r.json", "--feedback", level, *unmeasured, cwd=tmp_path)
        report = report_of(tmp_path / "r.json")
        jsonschema.validate(report, schema)
        assert report["feedback"] == level


def test_json_of_a_plan_and_of_verify_follow_the_schema(tmp_path: Path, double_with: PackageMaker) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((TESTS.parent / "docs" / "result.schema.json").read_text())
    problems = "".join(
        f'[[problem]]\nproblem = "{root}"\n' for root in (DOUBLE, double_with().rename(tmp_path / "other"))
    )
    (tmp_path / "plan.toml").write_text(problems)
    grade("grade", "--plan", "plan.toml", "--json", "plan.json", cwd=tmp_path)
    grade("verify", DOUBLE, "--only", "package", "--only", "time", "--json", "verify.json", cwd=tmp_path)
    plan, verified = (report_of(tmp_path / name) for name in ("plan.json", "verify.json"))
    assert len(plan["reports"]) == len(verified["parts"]) == 2  # type: ignore[arg-type]
    for value in (plan, verified):
        jsonschema.validate(value, schema)
        for key in value:
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({name: value[name] for name in value if name != key}, schema)


def test_merged_shards_are_the_unsharded_report(tmp_path: Path) -> None:
    names = {name: (ADDS_ONE if name in "bd" else COUNTS) + "#" + name for name in "abcd"}
    names["e"] = "raise ValueError"  # its traceback names a file that lies elsewhere in each judging
    folder = hand_ins(tmp_path / "subs", **names)
    whole = ("--no-measurements", "--feedback", "full")
    one = grade("grade", DOUBLE, folder, "--require", "AC", "--json", "one.json", *whole, cwd=tmp_path)
    for index in (1, 2, 3):
        grade(
            "grade", DOUBLE, folder, "--require", "AC", "--shard", f"{index}/3", "--store", f"s{index}.sqlite",
            "--json", f"s{index}.json", *whole, cwd=tmp_path,
        )  # fmt: skip
    for ending in ("sqlite", "json"):
        files = [f"s{index}.{ending}" for index in (3, 1, 2)]
        done = grade("merge", *files, "--json", "merged.json", *whole, cwd=tmp_path)
        assert done.returncode == one.returncode == 1
        assert (tmp_path / "merged.json").read_text() == (tmp_path / "one.json").read_text()
    assert 'File \\"e.py\\", line 1' in (tmp_path / "one.json").read_text()


@pytest.mark.slow
def test_merge_asks_what_grade_would_have_asked(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", right=COUNTS, wrong=ADDS_ONE)
    for number in (1, 2):
        done = grade(
            "grade", DOUBLE, folder, "--shard", f"{number}/2", "--store", f"{number}.sqlite", "--json",
            f"{number}.json", cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0
    asked: tuple[tuple[str, ...], ...] = ((), ("--require", "AC"), ("--require", "AC,WA"))
    for ending in ("sqlite", "json"):
        files = [f"{number}.{ending}" for number in (1, 2)]
        done_all = [grade("merge", *files, *options, "--github", cwd=tmp_path) for options in asked]
        assert [done.returncode for done in done_all] == [0, 1, 0]
        assert ["1 not as asked" in done.stdout for done in done_all] == [False, True, False]
        no_points = grade("merge", *files, "--min-score", "1", cwd=tmp_path)
        assert (no_points.returncode, "double gives no points" in no_points.stderr) == (2, True)
    grade("merge", "1.json", "2.json", "--require", "AC", "--json", "merged.json", cwd=tmp_path)
    grade("grade", DOUBLE, folder, "--require", "AC", "--json", "whole.json", "--store", "w.sqlite", cwd=tmp_path)
    merged, whole = (report_of(tmp_path / name) for name in ("merged.json", "whole.json"))
    assert [merged["asked"], [one["outcome"] for one in merged["submissions"]]] == [  # type: ignore[attr-defined]
        whole["asked"],
        [one["outcome"] for one in whole["submissions"]],  # type: ignore[attr-defined]
    ]
    assert "no verdict `XX`" in grade("merge", "1.json", "2.json", "--require", "XX", cwd=tmp_path).stderr


def test_merge_says_which_shard_is_missing(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS, b=COUNTS)
    for index in (1, 3):
        grade("grade", DOUBLE, folder, "--shard", f"{index}/3", "--json", f"{index}.json", cwd=tmp_path)
    done = grade("merge", "1.json", "3.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "shard 2/3 is missing" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a result of harness"),
        ('{"schema_version": 1}', "`problem` is missing"),
        ('{"schema_version": 1, "problem": 5}', "expected str, found 5"),
        ('{"schema_version": NaN}', "NaN is no number"),
        ("[" * 100_000, "not JSON"),
    ],
    ids=range(6),
)
def test_a_file_that_is_no_result_is_named_with_what_does_not_fit(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(text)
    done = grade("merge", "r.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "r.json" in done.stderr
    assert message in done.stderr


def test_plan_grades_several_problems_into_one_report(tmp_path: Path, double_with: PackageMaker) -> None:
    double_with().rename(tmp_path / "other")
    hand_ins(tmp_path / "subs", right=COUNTS, wrong=ADDS_ONE)
    (tmp_path / "week1.toml").write_text(
        f'[[problem]]\nproblem = "{DOUBLE}"\nsubmissions = ["subs/right.py"]\nrequire = ["AC"]\n'
        '[[problem]]\nproblem = "other"\nsubmissions = ["subs"]\n'
    )
    done = grade("grade", "--plan", "week1.toml", "--json", "r.json", "--store", "week1.sqlite", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    reports = report_of(tmp_path / "r.json")["reports"]
    assert isinstance(reports, list)
    assert [(one["problem"], len(one["submissions"])) for one in reports] == [("double", 1), ("other", 2)]
    assert grade("merge", "week1.sqlite", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("problem = 3\n", "list of [[problem]] tables"),
        ("[[problem]]\nproblm = 'x'\n", "unknown key `problm`"),
        ("[[problem]]\nsubmissions = ['a']\n", "`problem` must be"),
        ("[[problem]]\nproblem = 'a'\nrequire = 'AC'\n", "`require` must be a list"),
        ("[[problem]]\nproblem = 'a'\nrequire = ['OK']\n", "no verdict `OK`"),
        ("[[problem]]\nproblem = 'a'\n[[problem]]\nproblem = 'a'\n", "is there twice"),
        ("[[problem\n", "cannot be read as a plan"),
        ("[[problem]]\nproblem = 'gone'\n", "[[problem]] 1: no problem `gone`"),
        ("[[problem]]\nproblem = 'gone'\nsubmissions = ['none.py']\n", "none.py: no such file or folder"),
    ],
    ids=range(9),
)
def test_broken_plan_is_named_with_its_key(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(text)
    done = grade("grade", "--plan", "plan.toml", cwd=tmp_path)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


@pytest.mark.slow
def test_a_verdict_that_flips_over_repeats_is_reported_and_exits_1(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", flips=FLIPS, right=COUNTS)
    done = grade("grade", DOUBLE, folder, "--repeat", "12", "--json", "r.json", *PLAIN, cwd=tmp_path)
    assert done.returncode == 1
    flips, right = report_of(tmp_path / "r.json")["submissions"]  # type: ignore[misc]
    assert len(set(flips["cases"][0]["repeats"])) > 1
    assert right["repeats"] == ["AC"] * 12
    assert "UNSTABLE over 12 times" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--shard", "3/2"], "numbered 1 to 2"),
        (["--shard", "x"], "expected I/N"),
        (["--require", "OK"], "no verdict `OK`"),
        (["nosuch.py"], "no such file or folder"),
        (["--github", "--json", "-"], "both want standard output"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_call_exits_2_and_says_what_is_wrong(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = grade("grade", DOUBLE, *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize("tier", [Tier.PLAIN, Tier.FILTERED])
def test_code_of_strangers_is_refused_where_it_is_not_contained(tier: Tier) -> None:
    found = Isolation(tier=tier, missing=("no Landlock",))
    with pytest.raises(MachineError, match=r"does not contain it \(tier T.: no Landlock\)"):
        refuse_uncontained(found, IsolationMode.AUTO)
    refuse_uncontained(found, IsolationMode.NONE)
    refuse_uncontained(Isolation(tier=Tier.LOCKED), IsolationMode.AUTO)


def test_a_log_shows_names_whole_and_on_one_line_and_no_name_reaches_the_terminal_raw(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", **{"two\nlines": COUNTS})
    (folder / "\x1b[31mred\nnotes.md").write_text("x")
    lines = grade("grade", DOUBLE, folder, cwd=tmp_path).stderr.splitlines()
    assert "skipped, no program of a known language: subs/\\x1b[31mred\\nnotes.md" in lines
    assert "[1/1] two\\nlines.py: AC, 4 of 4 cases" in lines


def test_a_file_name_of_255_bytes_is_no_compile_error(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", **{"ä" * 126: COUNTS})
    done = grade("grade", DOUBLE, folder, "--require", "AC", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_folder_is_a_submission_of_several_files_and_flat_takes_each_file(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", right=COUNTS)
    hand_ins(
        folder / "alice",
        main="import half\nprint(half.double())\n",
        half="def double():\n    return 2 * int(input())\n",
    )
    (folder / "README.md").write_text("x")
    done = grade("grade", DOUBLE, folder, "--json", "r.json", cwd=tmp_path)
    paths = [one["path"] for one in report_of(tmp_path / "r.json")["submissions"]]  # type: ignore[attr-defined]
    assert paths == ["alice", "right.py"]
    assert "skipped, no program of a known language" in done.stderr
    assert report_of(tmp_path / "r.json")["passed_over"] == ["subs/README.md"]
    assert report_of(tmp_path / "r.json")["sources"] == []  # nobody asked for a page
    asked = ("--html", "r.html", "--store", "s.sqlite", "--feedback", "verdict")
    grade("grade", DOUBLE, folder, *asked, cwd=tmp_path)
    grade("merge", "s.sqlite", "--html", "m.html", cwd=tmp_path)
    for page in ((tmp_path / name).read_text() for name in ("r.html", "m.html")):
        assert "subs/README.md" in page and "print(half.double())" in page and "return 2 * int(input())" in page
    grade("grade", DOUBLE, folder, "--flat", "--json", "r.json", cwd=tmp_path)
    paths = [one["path"] for one in report_of(tmp_path / "r.json")["submissions"]]  # type: ignore[attr-defined]
    assert paths == ["alice/half.py", "alice/main.py", "right.py"]
