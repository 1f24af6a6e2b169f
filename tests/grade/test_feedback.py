"""What is secret stays out of every format below `full`, whatever way a submission tries to carry it out."""

import json
import platform
from pathlib import Path

import pytest
from grade_command import grade, hand_ins

from conftest import PackageMaker
from harness.grade.feedback import limited_submission
from harness.report.words import why
from harness.results.model import CaseResult, Demand, Expected, Feedback, SubmissionResult, Unmet
from harness.results.verdict import Reason, Verdict

SECRET_INPUT, SECRET_ANSWER = "314159", "628318"
VALIDATOR = """import sys
wanted, found = open(sys.argv[2]).read(), sys.stdin.read()
if wanted.split() == found.split():
    sys.exit(42)
open(sys.argv[3] + "judgemessage.txt", "w").write("THE JUDGE SAYS wanted " + wanted)
sys.exit(43)
"""
# Their own text may be shown: the word that gives them away stands in what they print only.
THIEVES = {
    "prints_it": "n = input()\nprint(2 * int(n) if len(n) < 4 else n)\n",
    "dies_of_it": "import sys\nn = input()\nprint(2 * int(n))\nif len(n) > 3:\n    sys.exit('STO' + 'LEN ' + n)\n",
    "exits_with_it": "import sys\nn = int(input())\nprint(2 * n)\nsys.exit(n % 89 if n > 999 else 0)\n",  # 78
}
VIEWS = {"--json": "json", "--junitxml": "xml", "--html": "html", "--markdown": "md"}
SECRETS = (SECRET_INPUT, SECRET_ANSWER, "giveaway", "JUDGE SAYS", "STOLEN", "78")


def views(level: str, tmp_path: Path, double_with: PackageMaker) -> dict[str, str]:
    root = double_with(
        {
            "output_validator/check.py": VALIDATOR,
            "data/secret/04-giveaway.in": SECRET_INPUT + "\n",
            "data/secret/04-giveaway.ans": SECRET_ANSWER + "\n",
            "data/secret/02-largest.in": None,
            "data/secret/02-largest.ans": None,
        }
    )
    folder = hand_ins(tmp_path / "subs", **THIEVES)
    files = {kind: tmp_path / f"r.{ending}" for kind, ending in VIEWS.items()}
    options = [text for kind, file in files.items() for text in (kind, file)]
    summary = tmp_path / "summary.md"
    done = grade(
        "grade", root, folder, *options, "--github", "--feedback", level, "--require", "AC", "--no-measurements",
        cwd=tmp_path, GITHUB_STEP_SUMMARY=str(summary),
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    lines = grade("grade", root, folder, "--json", "-", "--feedback", level, "--no-measurements", cwd=tmp_path)
    one = grade(
        "grade", root, folder / "dies_of_it.py", "--gradescope", "g.json", "--feedback", level, "--store", "g.sqlite",
        cwd=tmp_path,
    )  # fmt: skip
    texts = {kind: file.read_text() for kind, file in files.items()}
    texts |= {"stdout": done.stdout, "stderr": done.stderr, "summary": summary.read_text(), "lines": lines.stdout}
    return texts | {"gradescope": (tmp_path / "g.json").read_text(), "people": lines.stderr + one.stdout}


@pytest.mark.parametrize("level", ["verdict", "samples"])
def test_secrets_stay_out_of_every_format(level: str, tmp_path: Path, double_with: PackageMaker) -> None:
    for kind, text in views(level, tmp_path, double_with).items():
        for secret in SECRETS:
            if secret == "78" and kind in ("--html", "stdout", "gradescope", "people"):
                continue  # two digits may stand in sizes, colours or a random token
            assert secret not in text.replace(platform.release(), ""), f"{secret} in {kind}"


def test_everything_is_told_where_that_is_asked_for(tmp_path: Path, double_with: PackageMaker) -> None:
    texts = views("full", tmp_path, double_with)
    report = json.loads(texts["--json"])
    assert {case["exit_code"] for one in report["submissions"] for case in one["cases"]} >= {78}
    for kind in ("--json", "--html", "--markdown", "lines"):
        for secret in ("giveaway", "JUDGE SAYS", "STOLEN"):
            assert secret in texts[kind], f"{secret} not in {kind}"
    assert SECRET_INPUT in texts["--html"]


def test_what_a_submission_is_called_cannot_command_github(tmp_path: Path, double_with: PackageMaker) -> None:
    folder = hand_ins(tmp_path / "subs")
    (folder / "::error::owned.py").write_text("print(1)\n")
    done = grade("grade", double_with(), folder, "--github", "--require", "AC", cwd=tmp_path)
    lines = done.stdout.splitlines()
    pause = lines[0].removeprefix("::stop-commands::")
    resumed = lines.index(f"::{pause}::")
    assert len(pause) == 32
    assert "::error::owned.py" in "\n".join(lines[1:resumed])
    assert [line.split("::")[1].split()[0] for line in lines[resumed + 1 :]] == ["error", "notice"]


def test_what_is_unmet_names_no_secret_case() -> None:
    unmet = [
        Unmet(rule="a", scope="", demand=Demand.PERMITTED, wanted="AC", found="WA", case=case)
        for case in ("secret/the trap on one line", "", "sample/1 of 2", "secret/not-run")
    ]
    older = "WA on secret/the trap"  # as in files of earlier versions, which `merge` reads
    unmet += [
        Unmet(rule="a", scope="", demand=Demand.PERMITTED, wanted="AC", found=older),
        Unmet(rule="a", scope="", demand=Demand.MESSAGE, wanted="'the trap'", found="in no judge message"),
    ]
    one = SubmissionResult(
        path="a.py",
        language="python3",
        verdict=Verdict.WRONG_ANSWER,
        cases=tuple(
            CaseResult(name=name, group=name.split("/")[0], verdict=Verdict.WRONG_ANSWER)
            for name in ("sample/1 of 2", "secret/the trap on one line")
        ),
        expected=Expected(permitted=("AC",), required=(), unmet=tuple(unmet)),
    )
    told = limited_submission(one, Feedback.SAMPLES).expected
    assert told is not None
    assert [item.case for item in told.unmet] == ["secret/1", "", "sample/1 of 2", "a secret case", "", ""]
    assert "trap" not in f"{told.unmet}"


def test_time_and_memory_of_secret_cases_are_told_of_the_slowest_and_the_largest_only() -> None:
    figures = {"sample/1": (0.1, 5), "secret/a": (0.2, 9), "secret/b": (0.9, 7), "secret/c": (0.3, 8)}
    one = SubmissionResult(
        path="a.py",
        language="python3",
        verdict=Verdict.TIME_LIMIT_EXCEEDED,
        cases=tuple(
            CaseResult(
                name=name, group=name.split("/")[0], verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.WALL_TIME,
                cpu_s=cpu_s, wall_s=cpu_s, memory_bytes=memory_bytes, cpu_runs_s=(cpu_s, cpu_s),
            )
            for name, (cpu_s, memory_bytes) in figures.items()
        ),
    )  # fmt: skip
    told = limited_submission(one, Feedback.SAMPLES)
    assert [(case.cpu_s, case.memory_bytes) for case in told.cases] == [(0.1, 5), (0.2, 9), (0.9, 7), (None, None)]
    assert (told.cases[3].wall_s, told.cases[3].cpu_runs_s) == (None, ())
    assert why(told.cases[3], 1.0, 256) == "stopped by the clock: is it waiting?"
    assert told.slowest() == told.cases[2]
    assert told.peak_memory_bytes() == 9
    assert limited_submission(one, Feedback.FULL) == one
