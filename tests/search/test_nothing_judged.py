"""A search whose inputs could not be judged is no search: `harness stress` exits with 2 and says why."""

import json
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result

from command_line import invoke
from harness.cli.stress_screen import check_searched
from harness.errors import JudgeError, UsageError
from harness.search.candidates import BUILDING, SEARCHING, Clock, Progress

ECHO = "print(input())\n"
CRASHES = "input()\nraise ValueError('no idea')\n"
CHECKER_FAILS = "import sys\nprint('cannot read', file=sys.stderr)\nsys.exit(7)\n"


def stress(folder: Path, *words: str | Path) -> Result:
    (folder / "my.py").write_text(ECHO)
    return invoke("stress", folder / "my.py", "--shape", "n: 1..99", "--time", "2", *words)


def test_a_reference_that_always_crashes_is_the_reason_which_json_holds_too(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(CRASHES)
    result = stress(tmp_path, "--brute", tmp_path / "slow.py", "--json", "-")
    assert isinstance(result.exception, JudgeError)
    reason, *rest = str(result.exception).splitlines()
    assert reason.startswith("the reference ")
    assert reason.endswith("slow.py fails: exit code 1: ValueError: no idea")
    assert "none of " in rest[0] and "nothing was searched" in rest[0]
    assert "nothing found" not in result.output
    known = json.loads(next(line for line in result.stdout.splitlines() if line.startswith("{")))
    assert known["found"] is None
    assert known["not_answered"] == known["executions"] > 0
    assert known["reason_not_answered"].endswith("slow.py fails: exit code 1: ValueError: no idea")


def test_a_module_that_the_reference_or_the_program_lacks_is_named_with_what_installs_it(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("import no_such_module\n")
    result = stress(tmp_path, "--brute", tmp_path / "other.py")
    assert "apt install python3-no_such_module" in str(result.exception)
    words = ("--brute", tmp_path / "my.py", "--shape", "n: 1..9", "--time", "2")
    found = invoke("stress", tmp_path / "other.py", *words)
    assert "apt install python3-no_such_module" in found.output


def test_a_checker_that_always_fails_is_the_reason(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text(CHECKER_FAILS)
    result = stress(tmp_path, "--checker", tmp_path / "check.py")
    assert isinstance(result.exception, JudgeError)
    assert str(result.exception).startswith("the output validator failed: exit code 7: cannot read\n")


def test_a_checker_of_another_kind_is_told_how_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text("import sys\nopen(sys.argv[3])\n")
    result = stress(tmp_path, "--checker", tmp_path / "check.py")
    assert isinstance(result.exception, JudgeError)
    told = str(result.exception).splitlines()[0]
    assert "IsADirectoryError" in told
    assert told.endswith("`INPUT ANSWER FEEDBACK/ < OUTPUT`, and ends with 42 if that is right, 43 if wrong")


@pytest.mark.parametrize(("answered", "code"), [("n % 3", 0), ("n < 3", 2), ("n < 0", None)])
def test_where_some_inputs_were_judged_their_share_is_said(
    answered: str, code: int | None, tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text(f"n = int(input())\nassert {answered}\nprint(n)\n")
    result = stress(tmp_path, "--brute", tmp_path / "slow.py")
    if code is None:
        assert isinstance(result.exception, JudgeError)
    else:
        assert result.return_value == code  # where nearly none was judged nothing is decided
        share = re.search(r"(\d+) of (\d+) inputs \((\d+) %\) could not be judged: the reference ", result.output)
        assert share is not None, result.output
        unanswered, tried, percent = map(int, share.groups())
        assert 0 < unanswered == (tried - 2 if code else tried // 3)
        assert percent == 100 * unanswered // tried


def test_programs_that_took_the_whole_time_to_build_are_the_reason() -> None:
    clock = Clock(began_s=time.monotonic() - 40, _spent_s={BUILDING: 37.0})
    clock.enter(SEARCHING)
    hunt = SimpleNamespace(progress=Progress(clock=clock), time_s=30, generator_fault="")
    with pytest.raises(
        UsageError, match=r"building the programs took 37 s; they are kept, so run the command again"
    ):
        check_searched(hunt, given=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "code"), [(["--shape", "n: 1..9999"], 2), (["--shape", "n: 1..3"], 0), (["--input", "one.in"], 0)]
)
def test_few_inputs_because_programs_took_long_to_build_are_no_search(
    words: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless there are no others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Clock, "building_s", 24.0)
    Path("one.in").write_text("1\n")
    Path("my.py").write_text(f"import time\ntime.sleep(0.5)\n{ECHO}")
    result = invoke("stress", "my.py", "--brute", "my.py", "--time", "2", *words)
    assert result.return_value == code, result.output
    hurried = re.search(r"only \d+ inputs?: building the programs took 24 s; they are kept", result.output)
    assert (hurried is not None) == (code == 2), result.output


@pytest.mark.parametrize("endless", ["my.py", "slow.py"])
def test_a_program_that_never_ends_is_named_where_no_input_was_tried(
    endless: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("my.py", "slow.py"):
        Path(name).write_text("while True: pass\n" if name == endless else ECHO)
    words = ("--brute", "slow.py", "--shape", "n: 1..99", "--time", "3", "--time-limit", "30")
    result = invoke("stress", "my.py", *words)
    never_ran = f"no input could be tried: the time was over while {endless} ran: does it end?"
    ran_too_long = f"the reference {endless} fails: too slow"  # of the first inputs, on a slow machine
    assert str(result.exception).startswith((never_ran, ran_too_long)), result.output


def test_a_given_input_that_was_not_tried_in_time_is_not_called_invalid() -> None:
    hunt = SimpleNamespace(progress=Progress(), time_s=1.0)
    with pytest.raises(UsageError, match="was not tried: the time was over"):
        check_searched(hunt, given=True)  # type: ignore[arg-type]
