"""`harness stress` finds, makes small, confirms and prints; the whole corpus is in test_corpus.py."""

from pathlib import Path

import pytest

from command_line import outcome
from conftest import DOUBLE, PackageMaker
from harness.errors import UsageError
from harness.search.preparation import Preparation

ROOT = Path(__file__).parent.parent.parent
SOKOBAN = ROOT / "reference" / "sokoban"


def stress(*arguments: str | Path, given: bytes | None = None) -> tuple[int, str]:
    return outcome("stress", *arguments, given=given)


@pytest.mark.slow
def test_a_wrong_program_is_broken_by_a_small_grid_that_is_printed() -> None:
    code, said = stress(ROOT / "problems" / "sokoban", SOKOBAN / "wrong_answer" / "unreachable_floor.cpp")
    assert code == 1
    lines = said.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("input ("))
    rows, columns = map(int, lines[start + 1].split())
    grid = [line.strip() for line in lines[start + 2 : start + 2 + rows]]
    assert rows * columns <= 12
    assert all(len(row) == columns for row in grid)
    assert "".join(grid).count("X") == 1


def test_limits_are_learnt_where_no_small_case_fails() -> None:
    code, said = stress(DOUBLE, DOUBLE / "submissions" / "accepted" / "double.py", "--time", "1")
    assert code == 0
    assert "asking the input validators" in said


def test_a_right_program_is_not_broken() -> None:
    code, said = stress(ROOT / "problems" / "sokoban", SOKOBAN / "accepted" / "faces.cpp", "--time", "3")
    assert code == 0
    assert "nothing found: " in said


def test_a_given_input_is_tried_and_made_smaller() -> None:
    given = b"3 4\n..#.\n..X.\n#...\n"
    code, said = stress(
        ROOT / "problems" / "sokoban", SOKOBAN / "wrong_answer" / "low_from_low.cpp", "--input", "-", given=given
    )
    assert code == 1
    assert "(the given input, 19 bytes)" in said


def test_a_given_input_on_which_the_program_is_right_ends_the_search_at_once(
    double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Preparation, "run", lambda *_: pytest.fail("shapes are learnt only to make a find smaller")
    )
    root = double_with({"submissions/accepted/other.py": "print(2 * int(input()))\n"})
    code, said = stress(root, root / "submissions" / "accepted" / "double.py", "--input", "-", given=b"7\n")
    assert code == 0
    assert "that input is answered rightly" in said


def test_where_both_programs_crash_the_message_says_how_the_reference_ends(tmp_path: Path) -> None:
    for name in ("right", "wrong"):
        (tmp_path / f"{name}.py").write_text("import a_module_that_is_missing\nprint(input())\n")
    with pytest.raises(UsageError, match=r"right\.py fails: .*No module named 'a_module_that_is_missing'"):
        stress(tmp_path / "wrong.py", "--brute", tmp_path / "right.py", "--input", "-", given=b"7\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--input", "-"), "not valid"),
        (("--plot", "x.svg"), "say both"),
        (("--slowest", "--input", "-"), "go without --slowest"),
        (("--slowest", "--promote", "x"), "go without --slowest"),
        (("--shape", "latin.txt"), "not UTF-8"),
        ((__file__,), "one program at a time"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    words: tuple[str, ...], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"n # \xe9\n")
    with pytest.raises(UsageError, match=reason):
        stress(ROOT / "problems" / "sokoban", SOKOBAN / "accepted" / "faces.py", *words, given=b"1 1\nY\n")


PACKAGES = ROOT / "tests" / "packages"


@pytest.mark.parametrize(
    ("package", "wrong", "told"),
    [
        ("judge_multi_pass", "run_time_error/crashes_at_8.py", ("Run time error", 'crashes_at_8.py", line ')),
        ("judge_interactive_multi_pass", "wrong_answer/knows_small.py", ("Wrong answer: pass 2",)),
    ],
)
def test_all_passes_of_a_multi_pass_problem_are_searched(package: str, wrong: str, told: tuple[str, ...]) -> None:
    code, said = stress(PACKAGES / package, PACKAGES / package / "submissions" / wrong, "--time", "20")
    assert code == 1
    assert all(part in said for part in told) and "harness-stage" not in said


def test_submit_answer_has_nothing_to_search() -> None:
    with pytest.raises(UsageError, match="no program that an input could break"):
        stress(PACKAGES / "judge_submit_answer", SOKOBAN / "accepted" / "faces.py")


SLOW_WHEN_ODD = "n = int(input())\nwhile n % 2 and n > {least}:\n    pass\nprint(2 * n)\n"


def test_an_input_too_slow_for_the_package_s_own_program_is_no_find(
    double_with: PackageMaker, tmp_path: Path
) -> None:
    manifest = (DOUBLE / "problem.yaml").read_text().replace("time_limit: 1.0", "time_limit: 0.1")
    root = double_with(
        {"problem.yaml": manifest, "submissions/accepted/double.py": SLOW_WHEN_ODD.format(least=100)}
    )
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW_WHEN_ODD.format(least=50))
    with pytest.raises(UsageError, match="the reference fails on it, or is too slow"):
        stress(root, slow, "--input", "-", given=b"101\n")
    code, said = stress(root, slow, "--input", "-", given=b"99\n")
    assert code == 1
    assert "Time limit exceeded" in said


def test_a_failing_small_input_ends_the_search_before_limits_are_learnt(
    double_with: PackageMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = double_with({"submissions/accepted/double.py": "print(2 * int(input()))\n"})
    wrong = tmp_path / "wrong.py"
    wrong.write_text("n = int(input())\nprint(2 * n if n != 7 else 15)\n")
    monkeypatch.setattr(Preparation, "learn_limits", lambda *_: pytest.fail("asked for limits"))
    code, said = stress(root, wrong)
    assert code == 1
    assert "    7\n" in said


@pytest.mark.parametrize("option", ["--ignore-case", "--case-sensitive", "--float-tolerance=1e-3"])
def test_how_outputs_are_compared_is_the_matter_of_a_package_with_cases(option: str) -> None:
    name = option.partition("=")[0]
    with pytest.raises(UsageError, match=f"{name}: leave it out: double says itself"):
        stress(DOUBLE, DOUBLE / "submissions" / "accepted" / "double.py", option)
