"""Without a package: `harness test` on samples as oj and cph leave them, `harness shape`, `harness stress --brute`."""

import json
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from shape_texts import PROBLEMS

from command_line import outcome
from conftest import PackageMaker, write_files
from harness.errors import UsageError
from harness.package.samples import FOLDERS, FOLDERS_IN_WORDS, samples_in
from harness.report.differences import hint
from harness.report.search import _doubt_of_shape
from harness.search.candidates import CandidateOutcome
from harness.search.hunt import Hunt

SUM_WITHOUT_THE_LAST = (
    "n = int(input())\na = list(map(int, input().split()))\nprint(sum(a[:-1]) if n > 2 else sum(a))\n"
)
SUM = "n = int(input())\nprint(sum(map(int, input().split())))\n"
GENERATOR = """
import random, sys
random.seed(int(sys.argv[1]))
n = random.randint(1, 9)
print(n)
print(*[random.randint(1, 9) for _ in range(n)])
"""
SUM_OF_LINE = "input()\nprint(sum(map(int, input().split())))\n"
FIRST, SECOND = ("2\n4 2\n", "6\n"), ("3\n1 2 3\n", "6\n")
SAMPLES = {"test/1.in": FIRST[0], "test/1.out": FIRST[1], "test/2.in": SECOND[0], "test/2.out": SECOND[1]}


def stress(folder: Path, *words: str | Path) -> tuple[int, str]:
    """Search for an input on which `my.py` differs from `slow.py`."""
    return outcome("stress", folder / "my.py", "--brute", folder / "slow.py", *words)


LAYOUTS = {
    "oj": ("test/sample-1.in", "test/sample-1.out", "test/sample-2.in", "test/sample-2.out"),
    "kattis": ("1.in", "1.ans", "2.in", "2.ans"),
    "numbered": ("tests/in1.txt", "tests/out1.txt", "tests/in2.txt", "tests/out2.txt"),
    "words": ("input1.txt", "output1.txt", "input2.txt", "output2.txt"),
    "suffixed": ("a_in.txt", "a_out.txt", "b_in.txt", "b_out.txt"),
}


@pytest.mark.parametrize("in_package", [False, True])
def test_stress_takes_the_folder_of_the_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_package: bool
) -> None:
    monkeypatch.chdir(PROBLEMS / "apples" if in_package else tmp_path)
    program = write_files(tmp_path, {"my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM}) / "my.py"
    samples = write_files(tmp_path / "given here", {"1.in": FIRST[0], "1.out": FIRST[1], "2.in": SECOND[0]})
    words = ("stress", samples, program, "--time", "5")
    code, output = outcome(*words, "--brute", tmp_path / "slow.py")
    assert code == 1 and "Wrong answer" in output
    assert f"harness stress '{samples}' {program} --brute" in output
    with pytest.raises(UsageError, match=r"holds samples and is no package.* --brute SLOW"):
        outcome(*words)
    code, output = outcome(*words, "--shape", "n 1..5; n * (0..9)", "--brute", tmp_path / "slow.py")
    assert code == 1 and "Wrong answer" in output


@pytest.mark.parametrize("layout", LAYOUTS)
def test_samples_are_found_however_they_are_named(layout: str, tmp_path: Path) -> None:
    names = LAYOUTS[layout]
    write_files(tmp_path, dict(zip(names, (*FIRST, *SECOND), strict=True)))
    found = samples_in(tmp_path, tmp_path / "my.py")
    texts = [(one.input.read().decode(), one.answer.read().decode() if one.answer else "") for one in found]
    assert texts == [FIRST, SECOND]


def test_samples_of_the_editor_extension_are_found(tmp_path: Path) -> None:
    tests = [{"input": FIRST[0], "output": FIRST[1]}, {"input": SECOND[0], "output": SECOND[1]}]
    write_files(tmp_path, {".cph/.my.py_0123.prob": json.dumps({"tests": tests})})
    assert [one.input.read().decode() for one in samples_in(tmp_path, tmp_path / "my.py")] == [FIRST[0], SECOND[0]]


def kept_by_cph(folder: Path, **values: object) -> Path:
    """A problem in `folder` as cph keeps it, and a right program."""
    tests = [{"input": FIRST[0], "output": FIRST[1]}]
    write_files(folder, {".cph/.my.py_0123.prob": json.dumps({"tests": tests, **values}), "my.py": SUM_OF_LINE})
    return folder / "my.py"


def test_limits_of_the_editor_extension_hold_unless_options_say_others(tmp_path: Path) -> None:
    program = kept_by_cph(tmp_path, timeLimit=1500, memoryLimit=256, interactive=False)
    file = tmp_path / ".cph" / ".my.py_0123.prob"
    for options, line, limits in (
        ((), f"limits: 1.5 s, 256 MiB ({file})", (1.5, 256)),
        (("--memory", "64"), f"limits: 1.5 s ({file}), 64 MiB (--memory)", (1.5, 64)),
        (("--time-limit", "3"), f"limits: 3 s (--time-limit), 256 MiB ({file})", (3.0, 256)),
    ):
        code, said = outcome("test", tmp_path, program, *options, "--json", tmp_path / "r.json")
        assert (code, line in " ".join(said.split())) == (0, True), said
        report = json.loads((tmp_path / "r.json").read_text())
        assert (report["time_limit_s"], report["memory_limit_mib"]) == limits
    file.unlink()
    write_files(tmp_path, dict(zip(LAYOUTS["kattis"], (*FIRST, *SECOND), strict=True)))
    assert "limits: 2 s, 1024 MiB (the default)" in outcome("test", tmp_path, program)[1]


def test_limits_of_the_editor_extension_hold_in_a_search(tmp_path: Path) -> None:
    program = kept_by_cph(tmp_path, timeLimit=700, memoryLimit=128)
    write_files(tmp_path, {"given.in": FIRST[0]})
    code, said = outcome("stress", program, "--brute", program, "--input", tmp_path / "given.in")
    assert (code, "limits: 0.7 s, 128 MiB (" in said) == (0, True), said


def test_interactive_problem_of_the_editor_extension_needs_its_interactor(tmp_path: Path) -> None:
    program = kept_by_cph(tmp_path, interactive=True)
    with pytest.raises(UsageError, match=r"prob: this problem is interactive.*--interactor"):
        outcome("test", tmp_path, program)
    judge = (
        "import sys\nprint(open(sys.argv[1]).read(), end='', flush=True)\nsys.exit(42 if input() == '6' else 43)\n"
    )
    write_files(tmp_path, {"judge.py": judge, "my.py": SUM_OF_LINE})
    assert outcome("test", tmp_path, program, "--checker", tmp_path / "judge.py")[0] == 0
    write_files(tmp_path, {"my.py": "input()\nprint(5)\n"})
    code, said = outcome("test", tmp_path, program, "--checker", tmp_path / "judge.py")
    assert (code, "(no line)" in said, "played again" in said) == (1, False, False)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"timeLimit": "1s"}, "`timeLimit` must be a number from 1 to 86400000"),
        ({"timeLimit": True}, "`timeLimit` must be"),
        ({"timeLimit": float("nan")}, "`timeLimit` must be"),
        ({"memoryLimit": -1}, "`memoryLimit` must be a number from 4 to 16777216"),
        ({"memoryLimit": 1e300}, "`memoryLimit` must be"),
        ({"tests": [{"input": "1"}]}, "not what cph writes: 'output'"),
        ({"tests": 7}, "not what cph writes"),
    ],
)
def test_file_of_the_editor_extension_that_makes_no_sense_is_named(
    values: dict[str, object], message: str, tmp_path: Path
) -> None:
    program = kept_by_cph(tmp_path, **values)
    with pytest.raises(UsageError, match=rf"\.my\.py_0123\.prob: .*{re.escape(message)}"):
        outcome("test", tmp_path, program)


def test_samples_are_sorted_by_the_numbers_in_their_names(tmp_path: Path) -> None:
    write_files(tmp_path, {f"{number}{end}": "1\n" for number in (10, 2, 1) for end in (".in", ".out")})
    assert [one.name for one in samples_in(tmp_path, tmp_path / "my.py")] == ["sample/1", "sample/2", "sample/10"]


def test_a_sample_has_the_name_of_its_file_unless_a_terminal_cannot_show_it(tmp_path: Path) -> None:
    stems = ("größe", "my test", "a\u202eb", "[bold]")
    write_files(tmp_path, {f"{stem}{end}": "1\n" for stem in stems for end in (".in", ".out")})
    names = {one.name for one in samples_in(tmp_path, tmp_path / "my.py")}
    assert names == {"sample/größe", "sample/my test", "sample/a_b", "sample/_bold_"}


def test_an_empty_input_of_a_failed_sample_is_said_to_be_empty(tmp_path: Path) -> None:
    write_files(tmp_path, {"größe 1.in": "", "größe 1.out": "2\n", "my.py": "print(1)\n"})
    code, said = outcome("test", tmp_path, tmp_path / "my.py")
    assert code == 1
    assert "sample/größe 1, the input:\n    (empty)\n" in said


def test_no_samples_is_an_error_that_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"1\.in and 1\.out .*there or in its folder {FOLDERS_IN_WORDS}"):
        samples_in(tmp_path, tmp_path / "my.py")


def test_the_help_names_every_folder_in_which_samples_are_looked_for() -> None:
    _, said = outcome("test", "--help")
    assert f"in its folder {FOLDERS_IN_WORDS}." in " ".join(said.split())
    assert set(re.findall(r"\w+", FOLDERS_IN_WORDS)) == {*FOLDERS, "or"} - {"."}


def test_a_wrong_sample_is_shown_beside_what_is_expected(tmp_path: Path) -> None:
    write_files(tmp_path, {**SAMPLES, "my.py": SUM_WITHOUT_THE_LAST, "right.py": SUM})
    code, said = outcome("test", tmp_path, tmp_path / "my.py")
    assert code == 1
    assert "sample/2, the input:" in said
    assert [line.split() for line in said.splitlines() if line.startswith(">")] == [[">", "1", "6", "3"]]
    assert outcome("test", tmp_path, tmp_path / "right.py")[0] == 0


def test_a_compiled_program_is_run_as_it_is(tmp_path: Path) -> None:
    source = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); return 0; }\n'
    write_files(tmp_path, {"1.in": "21\n", "1.out": "42\n", "2.in": "1\n", "2.out": "3\n", "a.c": source})
    subprocess.run(["cc", "-o", tmp_path / "a.out", tmp_path / "a.c"], check=True, capture_output=True)
    code, said = outcome("test", tmp_path, tmp_path / "a.out")
    assert code == 1
    assert "1 of 2" in said


def test_a_tolerance_lets_numbers_differ(tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": "1\n", "1.out": "5\n", "my.py": "print(5.0000001)\n"})
    assert outcome("test", tmp_path, tmp_path / "my.py")[0] == 1
    assert outcome("test", tmp_path, tmp_path / "my.py", "--float-tolerance", "1e-6")[0] == 0


def test_upper_and_lower_case_differ_unless_an_option_says_otherwise(tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": "1\n", "1.out": "Yes\n", "my.py": "input()\nprint('YES')\n"})
    write_files(tmp_path, {"slow.py": "input()\nprint('Yes')\n"})
    for words in (
        ("test", tmp_path, tmp_path / "my.py"),
        ("stress", tmp_path / "my.py", "--brute", tmp_path / "slow.py"),
    ):
        code, said = outcome(*words)
        assert code == 1
        assert "only upper and lower case differ: --ignore-case" in said
        assert outcome(*words, "--case-sensitive")[0] == 1
        assert outcome(*words, "--ignore-case", *(("--time", "1") if words[0] == "stress" else ()))[0] == 0


def test_numbers_that_nearly_agree_are_told_of_the_tolerance(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"1.in": "1\n", "1.out": "5\n", "near.py": "print(5.0000001)\n", "far.py": "print(5.1)\n"}
    )
    advice = "--float-tolerance 1e-6 compares them as numbers"
    assert advice in outcome("test", tmp_path, tmp_path / "near.py")[1]
    assert advice not in outcome("test", tmp_path, tmp_path / "far.py")[1]
    words = ("--brute", tmp_path / "slow.py", "--input", tmp_path / "1.in")
    write_files(tmp_path, {"slow.py": "print(5)\n"})
    assert advice in outcome("stress", tmp_path / "near.py", *words)[1]
    assert advice not in outcome("stress", tmp_path / "far.py", *words)[1]


@pytest.mark.parametrize("printed", ["0.5 x", "0.5000001 1 1", "nan 1", "٠.٥ 1", "1_0 1", "9" * 5000 + " 1"])
def test_what_is_no_plain_number_never_nearly_agrees(printed: str) -> None:
    assert "1e-6" in hint("0.5 1", "0.5000001 1")
    assert not hint("0.5 1", "0.5000001 1", ["float_tolerance", "1e-9"])
    assert "--ignore-case" in hint("Yes 1", "YES 1", ["float_tolerance", "1e-9", "case_sensitive"])
    assert not hint("Yes 1", "YES  1", ["case_sensitive", "space_change_sensitive"])
    assert not hint("0.5 1", printed)


@pytest.mark.parametrize(
    ("expected", "printed", "said"),
    [
        ("YES\n1 2 3\n", "YES\n3 1 2\n", "another order"),
        ("Yes\n", "YES\n", "only upper and lower case"),
        ("YES\n1 2 3\n", "YES\n3 1 1\n", ""),
        ("1 2\n", "1 2 2\n", ""),
        ("1 2\n", "1  2\n", ""),
        ("998397964\n", "998397963\n", ""),  # whole numbers that differ by one are no matter of tolerance
        ("2 0.5\n", "2 0.5000001\n", "--float-tolerance"),
    ],
)
def test_what_differs_little_is_told_what_may_be_right(expected: str, printed: str, said: str) -> None:
    assert said in hint(expected, printed, ["case_sensitive"])
    assert bool(said) == bool(hint(expected, printed, ["case_sensitive"]))


def test_a_generator_that_ignores_its_seed_is_told(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM, "slow.py": SUM, "gen.py": "print(2)\nprint(5, 7)\n"})
    words = (tmp_path / "my.py", "--brute", tmp_path / "slow.py", "--gen", tmp_path / "gen.py", "--time", "2")
    code, said = outcome("stress", *words)
    assert code == 0
    assert "always prints the same input" in said
    write_files(tmp_path, {"gen.py": "import sys\nprint(1)\nprint(sys.argv[1])\n"})
    assert "always prints" not in outcome("stress", *words)[1]


def test_a_shape_is_guessed_from_samples(tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": FIRST[0], "2.in": SECOND[0]})
    code, said = outcome("shape", tmp_path / "1.in", tmp_path / "2.in")
    assert code == 0
    assert "n * (" in said


def test_a_one_line_shape_is_enough_to_find_the_smallest_input(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM})
    shape = "n: 1..20; n * (1..9)"
    code, said = stress(tmp_path, "--shape", shape)
    assert code == 1
    assert "    3\n    1 1 1\n" in said
    assert "proven smallest" in said


def test_a_shape_that_a_sample_is_not_of_is_said(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM, "slow.py": SUM, "1.in": FIRST[0], "1.out": FIRST[1]})
    wrong, right = (
        stress(tmp_path, "--time", "0.1", "--shape", shape)[1]
        for shape in ("n: 1..9 k: 1..9; n * (1..9)", "n: 1..9; n * (1..9)")
    )
    assert "sample/1 is not of the shape: line 1, column 2" in wrong
    assert "not of the shape" not in right


def test_the_slowest_input_of_a_guessed_shape_is_far_larger_than_the_samples(tmp_path: Path) -> None:
    write_files(tmp_path, {**SAMPLES, "my.py": SUM, "slow.py": SUM})
    _, said = stress(tmp_path, "--slowest", "--time", "0.5")
    sizes = [line.split()[0].replace(",", "") for line in said.splitlines() if line.endswith(" s")]
    assert max(int(size) for size in sizes if size.isdigit()) > 100, said
    assert "guessed: --shape" in said


def test_the_slowest_input_is_no_praise_for_a_program_that_crashes(tmp_path: Path) -> None:
    crashing = "n = int(input())\nx = [0] * 1000\nx[n] = 1\nprint(n)\n"
    write_files(tmp_path, {"my.py": crashing, "slow.py": "print(int(input()))\n"})
    words = ("--brute", tmp_path / "slow.py", "--shape", "n: 1000..10^6", "--slowest", "--time", "1")
    _, said = outcome("stress", tmp_path / "my.py", *words)
    assert "your program crashes on" in said
    assert "IndexError" in said
    _, said = outcome("stress", tmp_path / "slow.py", *words)
    assert "crashes" not in said
    assert "slowest of" in said


def test_a_given_input_that_is_large_is_named_in_the_command_to_repeat(tmp_path: Path) -> None:
    wrong = "x = input()\nprint(len(x) - (len(x) > 9000))\n"
    write_files(tmp_path, {"my.py": wrong, "slow.py": "print(len(input()))\n", "big.in": "ab" * 5000 + "\n"})
    big = tmp_path / "big.in"
    words = ("--brute", tmp_path / "slow.py", "--shape", "(string(1..10000, a..b))", "--input", big, "--time", "3")
    code, said = outcome("stress", tmp_path / "my.py", *words)
    assert code == 1
    assert f"--input {big} --save FILE" in said


def test_a_slow_program_that_gets_a_sample_wrong_is_doubted(tmp_path: Path) -> None:
    write_files(tmp_path, {**SAMPLES, "my.py": SUM, "slow.py": SUM_WITHOUT_THE_LAST, "right.py": SUM})
    doubt = "slow.py does not answer sample/2 as its answer file does: is it right?"
    code, said = stress(tmp_path, "--time", "5")
    assert code == 2
    assert f"{doubt}\nWrong answer" in said
    said = outcome("stress", tmp_path / "my.py", "--brute", tmp_path / "right.py", "--time", "0.2")[1]
    assert "answer file" not in said


TOO_MUCH_FOR_ODD = "n = int(input())\nprint(n if n % 2 == 0 else 'x' * 10**8)\n"


def test_a_reference_that_crashes_on_a_sample_is_doubted_with_its_message(tmp_path: Path) -> None:
    """Where it does, too much output of the submission is as doubtful as wrong output."""
    slow = "n = int(input())\nassert n != 8, 'no idea'\nprint(n)\n"
    files = {"1.in": "8\n", "1.out": "8\n", "2.in": "4\n", "2.out": "4\n"}
    write_files(tmp_path, {**files, "my.py": TOO_MUCH_FOR_ODD, "slow.py": slow})
    code, said = stress(tmp_path, "--time", "5")
    assert code == 2, said
    assert "slow.py fails on sample/1: exit code 1: AssertionError: no idea\n" in said
    assert "Output limit exceeded" in said


def test_without_a_reference_it_is_said_that_outputs_are_not_compared(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": "print(input())\n", "slow.py": "print(input())\n", "1.txt": "5\n"})
    words = ("stress", tmp_path / "my.py", "--shape", "n: 1..99", "--time", "1")
    said = "outputs were not compared: without --brute only crashes and exceeded limits are found"
    for more in ((), ("--input", tmp_path / "1.txt")):
        code, output = outcome(*words, *more)
        assert code == 0 and said in output, output
        assert "answered rightly" not in output
    output = outcome(*words, "--brute", tmp_path / "slow.py")[1]
    assert said not in output
    assert "slow.pyisthesameprogramas" in "".join(output.split())


def test_a_program_that_is_not_there_is_named_without_a_package_that_nobody_sees(tmp_path: Path) -> None:
    write_files(tmp_path, {"slow.py": SUM})
    with pytest.raises(UsageError, match=r"missing\.py: no such file or folder$"):
        outcome("stress", tmp_path / "missing.py", "--brute", tmp_path / "slow.py", "--shape", "1..9")


def test_the_last_word_of_an_interactor_is_the_reason_where_it_leaves_no_other(tmp_path: Path) -> None:
    judge = "import sys\nprint(5, flush=True)\ninput()\nprint('one\\ntoo many', file=sys.stderr)\nsys.exit(43)\n"
    write_files(tmp_path, {"judge.py": judge, "my.py": "print(input())\n"})
    words = ("--interactor", tmp_path / "judge.py", "--shape", "1..20", "--time", "3")
    code, said = outcome("stress", tmp_path / "my.py", *words)
    assert code == 1
    assert "Wrong answer: too many\n" in said


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (
            b"-2147483647 5\n",
            "its largest number, signs aside, is -2147483647, that of the samples 7: is it allowed?",
        ),
        (b"2147483647 -5\n", "its largest number is 2147483647, that of the samples 7: is it allowed?"),
        (b"-7 5\n", ""),
    ],
)
def test_a_number_farther_from_0_than_those_of_the_samples_is_shown_with_its_sign(data: bytes, shown: str) -> None:
    sample = SimpleNamespace(input=SimpleNamespace(read=lambda: b"7 1\n"))
    package = SimpleNamespace(sample=SimpleNamespace(all_cases=lambda: [sample]))
    target = SimpleNamespace(
        can_validate=False, can_shrink=True, drafts=(), has_unknown_format=False, shape=None, trusts_shape=False
    )
    target.package = package
    lines = [str(line) for line in _doubt_of_shape(target, data)]  # type: ignore[arg-type]
    assert [line for line in lines if "largest" in line] == ([shown] if shown else [])


def test_a_byte_order_mark_of_a_sample_is_left_out_with_a_warning(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"1.in": "\ufeff" + FIRST[0], "1.out": "\ufeff" + FIRST[1], "my.py": SUM, "slow.py": SUM}
    )
    said = "the byte order mark at its start is left out; save it as UTF-8 without BOM"
    for words in (("test",), ("stress", "--brute", tmp_path / "slow.py", "--time", "2")):
        code, output = outcome(*words, tmp_path / "my.py")
        assert code == 0, output
        joined = "".join(output.split())
        warnings = [f"warning: {tmp_path / name}: {said}" for name in ("1.in", "1.out")]
        assert all("".join(warning.split()) in joined for warning in warnings), output


def test_inputs_with_cr_lf_are_given_as_they_are_with_one_warning(tmp_path: Path) -> None:
    lines = "import sys\nprint(len(sys.stdin.buffer.read()))\n"
    write_files(tmp_path, {"my.py": lines, "1.out": "6\n", "2.out": "4\n", "3.in": "1\n", "3.out": "2\n"})
    (tmp_path / "1.in").write_bytes(b"1\r\n2\r\n")
    (tmp_path / "2.in").write_bytes(b"12\r\n")
    code, output = outcome("test", tmp_path, tmp_path / "my.py")
    assert code == 0, output
    warning = f"warning: {tmp_path / '1.in'}, {tmp_path / '2.in'}: lines end with CR LF"
    joined = "".join(output.split())
    assert "".join(warning.split()) in joined
    assert joined.count("warning:") == 1


def test_a_generator_is_enough_and_nothing_is_changed_by_hand(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM, "gen.py": GENERATOR})
    brute, gen = tmp_path / "slow.py", tmp_path / "gen.py"
    code, said = outcome(
        "stress", tmp_path / "my.py", "--brute", brute, "--gen", gen, "--save", tmp_path / "found.in"
    )
    assert code == 1
    saved = (tmp_path / "found.in").read_text()
    assert saved.startswith("3\n")  # the smallest that fails has three numbers
    assert "nothing says which inputs are valid" in said
    again, _ = outcome(
        "stress", tmp_path / "my.py", "--brute", brute, "--gen", gen, "--input", tmp_path / "found.in"
    )
    assert again == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "validator", "message"),
    [
        ("valid.cpp", '#include "limits_of_another_tool.h"\nint main() {}\n', "does not compile"),
        (
            "valid.py",
            "import sys\nsys.exit(0)\n",
            r"no input could be tried: .*valid.py refused (every|\d+) input",
        ),
    ],
)
def test_a_validator_that_cannot_say_which_inputs_are_valid_is_an_error(
    name: str, validator: str, message: str, tmp_path: Path
) -> None:
    files = {"my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM, "gen.py": GENERATOR, name: validator}
    write_files(tmp_path, files)
    words = ["--brute", tmp_path / "slow.py", "--gen", tmp_path / "gen.py", "--validator", tmp_path / name]
    with pytest.raises(UsageError, match=message):
        outcome("stress", tmp_path / "my.py", *words, "--time", "2")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("more", [(), ("--slowest",)])
def test_a_validator_of_the_package_that_does_not_compile_ends_no_search(
    more: tuple[str, ...], double_with: PackageMaker, tmp_path: Path
) -> None:
    package = double_with({"input_validators/more.cpp": '#include "limits_of_another_tool.h"\n'})
    write_files(tmp_path, {"my.py": "n = int(input())\nprint(2 * n if n < 5 else 0)\n"})
    code, said = outcome("stress", package, tmp_path / "my.py", *more, "--time", "5")
    assert code == (0 if more else 1)
    assert "more.cpp: does not compile" in said and "the inputs are not checked by it" in said


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("gen.cpp", '#include "not_there.h"\n', "does not compile"),
        ("gen.py", "import sys\n1 / 0\n", r"gen.py [0-9]+: exit code 1: ZeroDivisionError"),
    ],
)
def test_a_generator_that_makes_nothing_is_an_error_though_there_are_samples(
    name: str, text: str, told: str, tmp_path: Path
) -> None:
    sample = {"test/1.in": FIRST[0], "test/1.out": FIRST[1]}
    write_files(tmp_path, {**sample, "my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM, name: text})
    with pytest.raises(UsageError, match=told):
        stress(tmp_path, "--gen", tmp_path / name, "--time", "3")


def test_a_generator_of_the_user_that_makes_nothing_is_an_error_though_the_recipe_makes_inputs(
    double_with: PackageMaker, tmp_path: Path
) -> None:
    recipe = "solution: /submissions/accepted/double.py\ndata:\n  secret:\n    data:\n      one: echo.py 5\n"
    echo = "import sys\nprint(int(sys.argv[1]) % 1000001)\n"
    package = double_with({"generators/generators.yaml": recipe, "generators/echo.py": echo})
    write_files(tmp_path, {"my.py": "print(2 * int(input()))\n", "gen.py": "import sys\n1 / 0\n"})
    with pytest.raises(UsageError, match=r"gen.py [0-9]+: exit code 1: ZeroDivisionError"):
        outcome("stress", package, tmp_path / "my.py", "--gen", tmp_path / "gen.py", "--time", "3")


def test_of_two_programs_the_second_is_offered_as_the_reference(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM})
    with pytest.raises(UsageError, match=r"harness stress \S*my.py --brute \S*slow.py"):
        outcome("stress", tmp_path / "my.py", tmp_path / "slow.py")


RANGE_SUMS = """
n, q = map(int, input().split())
a = list(map(int, input().split()))
for _ in range(q):
    first, last = map(int, input().split())
    print(RESULT)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mine", "code"), [("sum(a[i] for i in range(first - 1, last))", 2), ("sum(a[first - 1 : last]) % 2**31", 1)]
)
def test_an_input_with_an_index_out_of_range_is_no_find_and_a_large_sum_is_one(
    mine: str, code: int, tmp_path: Path
) -> None:
    """Two right programs differ beyond the end of the list: no sample has such a query."""
    samples = {
        "test/1.in": "3 2\n1 2 3\n1 3\n2 2\n",
        "test/1.out": "6\n2\n",
        "test/2.in": "4 2\n5 5 100 2\n1 4\n2 3\n",
        "test/2.out": "112\n105\n",
    }
    programs = {"my.py": RANGE_SUMS.replace("RESULT", mine)}
    programs["slow.py"] = RANGE_SUMS.replace("RESULT", "sum(a[first - 1 : last])")
    write_files(tmp_path, {**samples, **programs})
    found, said = stress(tmp_path, "--time", "20")
    assert found == code, said
    assert ("this input may be invalid: no sample is like it" in said) == (code == 2)


def test_an_input_of_a_guessed_shape_is_shown_with_a_doubt(tmp_path: Path) -> None:
    wrong_beyond_three = SUM_WITHOUT_THE_LAST.replace("n > 2", "n > 3")
    write_files(tmp_path, {**SAMPLES, "my.py": wrong_beyond_three, "slow.py": SUM})
    code, said = stress(tmp_path)
    assert code == 1
    assert "if this input is not valid, give --shape." in said
    assert "is it allowed?" not in said
    assert "guessed: --shape 'n: 1..10; n * (1..10)'" in said


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ((FIRST[0], SECOND[0]), "guessed: --shape 'n: 1..10; n * (1..10)'"),
        (("3\na\nb 1\n2 e f g\n", "2\nx y\n\n1\n"), "no shape could be guessed from the samples: give --shape"),
    ],
)
def test_a_search_in_vain_says_which_shape_it_guessed(
    samples: tuple[str, str], expected: str, tmp_path: Path
) -> None:
    program = "print(input())\n"
    write_files(tmp_path, {"1.in": samples[0], "2.in": samples[1], "my.py": program, "slow.py": program})
    code, said = stress(tmp_path, "--time", "0.2")
    assert (code, expected in said) == (0, True), said


def test_an_input_without_an_answer_is_enough_where_another_program_answers(tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": FIRST[0], "2.in": SECOND[0], "my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM})
    with pytest.raises(UsageError, match=r"1\.in: no answer beside it: .*\(interactive\? give --interactor\)"):
        samples_in(tmp_path, tmp_path / "my.py")
    code, said = stress(tmp_path)
    assert code == 1
    assert "your program fails on sample/2 itself" in said


def test_stress_writes_what_it_found_as_json(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM_WITHOUT_THE_LAST, "slow.py": SUM})
    file = tmp_path / "found.json"
    words = ("--brute", tmp_path / "slow.py", "--shape", "n: 1..20; n * (1..9)", "--json", file)
    assert outcome("stress", tmp_path / "my.py", *words)[0] == 1
    known = json.loads(file.read_text())
    assert known["schema_version"] == 1
    assert known["found"]["input"] == "3\n1 1 1\n"
    assert (known["found"]["verdict"], known["found"]["confirmed"]) == ("WA", True)
    assert (known["found"]["answer"], known["found"]["output"]) == ("3\n", "2\n")


@pytest.mark.parametrize(
    ("option", "file", "told"),
    [("--shape", "shape.txt", r"shape\.txt: no such file"), ("--json", "missing/found.json", "no such folder")],
)
def test_a_file_that_is_not_there_or_cannot_be_written_is_said_before_the_search(
    option: str, file: str, told: str, tmp_path: Path
) -> None:
    write_files(tmp_path, {"my.py": SUM, "slow.py": SUM})
    with pytest.raises(UsageError, match=told):
        stress(tmp_path, option, tmp_path / file)


def test_stress_may_compare_numbers_as_numbers(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"my.py": "print(int(input()) / 3)\n", "slow.py": "print('%.7f' % (int(input()) / 3))\n"}
    )
    write_files(tmp_path, {"one.in": "1\n"})
    words = ("stress", tmp_path / "my.py", "--brute", tmp_path / "slow.py", "--input", tmp_path / "one.in")
    assert outcome(*words)[0] == 1
    assert outcome(*words, "--float-tolerance", "1e-5")[0] == 0


BEYOND_THE_END = """
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    long long s = 0;
    for (int i = 0; i < n + (n == 2); i++) s += i < n ? a[i] : 0 * a[i];
    std::cout << s << std::endl;
}
"""


@pytest.mark.slow
def test_checks_of_the_compiler_find_what_no_answer_shows(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.cpp": BEYOND_THE_END, "slow.py": SUM, "one.in": FIRST[0]})
    words = ("stress", tmp_path / "my.cpp", "--brute", tmp_path / "slow.py", "--input", tmp_path / "one.in")
    assert outcome(*words)[0] == 0
    code, said = outcome(*words, "--sanitize")
    assert code == 1
    assert "Run time error" in said
    assert "--sanitize" in said.splitlines()[-1]


def test_a_reference_that_is_wrong_on_a_sample_leaves_it_undecided(tmp_path: Path) -> None:
    for answer, words in (("7", "is it right?"), ("", "its answer file is empty")):
        write_files(tmp_path, {"1.in": FIRST[0], "1.out": f"{answer}\n", "my.py": SUM, "slow.py": SUM})
        code, said = stress(tmp_path, "--time", "2")
        assert code == 2
        line = next(line for line in said.splitlines() if "answer sample/1" in line)
        assert line.endswith(words)
        assert said.index(line) < said.index("nothing found")


def test_a_sample_whose_answer_file_agrees_with_the_program_is_no_find(tmp_path: Path) -> None:
    wrong = "n = int(input())\nprint(sum(map(int, input().split())) + (n == 2))\n"
    write_files(tmp_path, {"1.in": FIRST[0], "1.out": FIRST[1], "2.in": SECOND[0], "my.py": SUM, "slow.py": wrong})
    words = ("stress", tmp_path / "my.py", "--brute", tmp_path / "slow.py", "--input", tmp_path / "1.in")
    code, said = outcome(*words)
    assert code == 2
    assert "your program may be right:" in said
    assert "and yours agrees with the answer file of sample/1" in said


def test_a_program_that_fails_on_a_sample_is_told_so(tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": FIRST[0], "1.out": FIRST[1], "my.py": "print(1 / 0)\n", "slow.py": SUM})
    words = ("stress", tmp_path / "my.py", "--brute", tmp_path / "slow.py", "--time", "2")
    assert "your program fails on sample/1 itself" in outcome(*words)[1]
    (tmp_path / "1.in").rename(tmp_path / "input.1.txt")
    said = outcome(*words)[1]
    assert "no samples found" in said
    assert "itself" not in said


def test_a_shape_on_which_the_right_program_fails_too_is_doubtful(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.py": SUM, "slow.py": SUM})
    words = ("--brute", tmp_path / "slow.py", "--shape", "n 1..10; n * (1..10)", "--time", "2")
    code, said = outcome("stress", tmp_path / "my.py", *words)
    assert code == 2
    assert "slow.py fails here, too" in said


def test_where_answers_have_decimals_numbers_may_differ_a_little(tmp_path: Path) -> None:
    """Exact numbers, and a checker, are what an option asks for."""
    samples = {"1.in": "4\n", "1.out": "2.0\n", "2.in": "9\n", "2.out": "4.5\n"}
    near, far = "print('%.9f' % (int(input()) / 2 + 1e-9))\n", "n = int(input())\nprint(n / 2 if n < 50 else 1)\n"
    write_files(tmp_path, {**samples, "half.py": "print(int(input()) / 2)\n", "near.py": near, "far.py": far})
    said = "numbers may differ by 1e-6, as answers have decimals (--float-tolerance 0: not at all)"
    for words, code in (((), 0), (("--float-tolerance", "0"), 1), (("--space-sensitive",), 1)):
        found, output = outcome("test", tmp_path, tmp_path / "near.py", *words)
        assert (found, said in output) == (code, code == 0)
    brute = ("--brute", tmp_path / "half.py", "--time", "2")
    assert outcome("stress", tmp_path / "near.py", *brute)[0] == 0
    assert outcome("stress", tmp_path / "near.py", *brute, "--float-tolerance", "0")[0] == 1
    assert outcome("stress", tmp_path / "far.py", *brute)[0] == 1


@pytest.mark.parametrize("answer", ["3", "v1.0", "1.", "0.5.2", "a.5"])
def test_words_that_are_no_decimal_numbers_ask_for_no_tolerance(answer: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"1.in": "4\n", "1.out": f"{answer}\n", "my.py": f"print('{answer}')\n"})
    code, said = outcome("test", tmp_path, tmp_path / "my.py")
    assert code == 0
    assert "may differ" not in said


@pytest.mark.parametrize(
    ("answer", "mine"), [("", "print(input())\n"), ("3\n", "print(input())\n"), ("3\n", TOO_MUCH_FOR_ODD)]
)
def test_where_every_sample_has_an_answer_one_without_is_doubtful(answer: str, mine: str, tmp_path: Path) -> None:
    """The reference prints nothing for odd numbers, so these are probably invalid."""
    files = {"1.in": "4\n", "1.out": "4\n", "2.in": "8\n", "2.out": "8\n", "3.in": "3\n", "3.out": answer}
    files |= {"my.py": mine, "slow.py": "n = int(input())\nif n % 2 == 0: print(n)\n"}
    if answer:
        del files["3.in"], files["3.out"]
    write_files(tmp_path, files)
    code, said = stress(tmp_path, "--time", "2")
    assert code == (2 if answer else 1)
    assert ("slow.py prints nothing here" in said) == bool(answer)


BEYOND_ITS_TABLE = """
#include <cstdio>
int table[8], beside[8];
int main() {
    int n;
    scanf("%d", &n);
    printf("%d\\n", n < 0 ? 0 : n + table[n % 16]);
}
"""
OF_NO_ITEMS = """
#include <cstdio>
int main() {
    int n;
    scanf("%d", &n);
    int items[n];
    for (int i = 0; i < n; i++) items[i] = i;
    printf("%d\\n", n ? items[n - 1] + 1 : 0);
}
"""


@pytest.mark.parametrize(
    ("right", "given", "wrong", "is_doubtful"),
    [(BEYOND_ITS_TABLE, 8, "n if n < 8 else n + 1", True), (OF_NO_ITEMS, 0, "n or 7", False)],
    ids=["a table that it leaves", "an array of no items"],
)
def test_the_line_at_which_the_reference_has_a_fault_is_named(
    right: str, given: int, wrong: str, is_doubtful: bool, tmp_path: Path
) -> None:
    files = {"1.in": "3\n", "2.in": "5\n", "my.py": f"n = int(input())\nprint({wrong})\n", "right.cpp": right}
    write_files(tmp_path, {**files, "given": f"{given}\n"})
    words = ("--brute", tmp_path / "right.cpp", "--input", tmp_path / "given")
    code, output = outcome("stress", tmp_path / "my.py", *words)
    assert code == (2 if is_doubtful else 1)
    assert ("this input may be invalid: run-time checks report a fault of" in output) is is_doubtful
    assert ("right.cpp:7" in output) is is_doubtful


CRASHES = """
#include <cstdio>
int main() {
    int n, zero = 0;
    scanf("%d", &n);
    int *place = n > 4 ? nullptr : &zero;
    printf("%d\\n", 2 * n + *place);
}
"""


def test_of_a_crash_in_cpp_it_is_said_what_shows_the_line_and_that_shows_it(tmp_path: Path) -> None:
    write_files(tmp_path, {"my.cpp": CRASHES, "slow.py": "print(2 * int(input()))\n"})
    words = ["stress", tmp_path / "my.cpp", "--brute", tmp_path / "slow.py", "--shape", "n: 1..100"]
    code, output = outcome(*words)
    assert code == 1
    assert "SIGSEGV" in output
    assert "--sanitize shows the line at fault" in output
    code, output = outcome(*words, "--sanitize")
    assert code == 1
    assert "my.cpp:7" in output
    assert "shows the line" not in output


@pytest.mark.parametrize("fails", ["assert n > 1", pytest.param("while n < 2: pass", marks=pytest.mark.slow)])
def test_an_input_on_which_the_right_program_crashes_is_no_find(fails: str, tmp_path: Path) -> None:
    """A shape that was guessed from samples alone may allow what is no valid input."""
    mine, slow = (f"n = int(input())\n{line}\nprint(n)\n" for line in (fails, "assert n > 1"))
    write_files(tmp_path, {"1.in": "3\n", "2.in": "5\n", "my.py": mine, "slow.py": slow})
    code, output = stress(tmp_path, "--time", "3")
    assert code == 0
    assert re.search(r"nothing found: \d+ inputs \(2 test cases, ", output), output


@pytest.mark.sampled(2)
@pytest.mark.parametrize("wrong", ["assert n <= 200", "while n > 200: pass"])
def test_a_crash_where_the_right_program_has_no_memory_left_is_doubtful_and_a_slow_run_does_not_count(
    wrong: str, tmp_path: Path
) -> None:
    """A slow program may need far more memory; but what is too much for it may be no valid input, too."""
    program, slow = f"n = int(input())\n{wrong}\nprint(n)\n", "n = int(input())\na = [0] * n * 10**6\nprint(n)\n"
    write_files(
        tmp_path, {"1.in": "5\n", "1.out": "5\n", "large.txt": "2000\n", "my.py": program, "slow.py": slow}
    )
    words = ("stress", tmp_path / "my.py", "--brute", tmp_path / "slow.py", "--input", tmp_path / "large.txt")
    limits = ("--time-limit", "0.1", "--memory", "100")
    if "while" in wrong:
        with pytest.raises(UsageError, match=r"the reference .*slow.py fails: .*MemoryError"):
            outcome(*words, *limits)
    else:
        code, said = outcome(*words, *limits)
        assert code == 2
        assert "this input may be invalid" in said


SORTED = "import random, sys\nr = random.Random(int(sys.argv[1]))\nn = r.randint(1, 9)\nprint(n)\n"
READER = """
import sys
class Reader:
    def ints(self): return list(map(int, sys.stdin.readline().split()))
reader = Reader()
[n] = reader.ints()
a = reader.ints()
sys.exit(42 if 1 <= n <= 9 and len(a) == n and all(1 <= x <= 100 for x in a) else 43)
"""


def test_an_output_of_a_generator_is_shown_as_it_is_where_nothing_says_what_is_valid(tmp_path: Path) -> None:
    wrong = "n = int(input())\na = list(map(int, input().split()))\nprint(a[-1] - a[0] + (n == 7))\n"
    files = {"wrong.py": wrong, "right.py": wrong.replace(" + (n == 7)", "")}
    write_files(tmp_path, {**files, "gen.py": f"{SORTED}print(*sorted(r.sample(range(1, 99), n)))\n"})
    paths = [tmp_path / "wrong.py", "--brute", tmp_path / "right.py", "--gen", tmp_path / "gen.py"]
    code, said = outcome("stress", *paths, "--time", "20", "--save", tmp_path / "found.in")
    count, numbers = (tmp_path / "found.in").read_text().splitlines()
    assert (code, count) == (1, "7") and "not made smaller" in said
    values = list(map(int, numbers.split()))
    assert len(values) == 7 and values == sorted(values)


def test_without_samples_the_programs_show_what_a_validator_does_not(tmp_path: Path) -> None:
    right = "n = int(input())\na = list(map(int, input().split()))\nprint(sum(a))\n"
    write_files(
        tmp_path, {"wrong.py": right.replace("sum(a)", "sum(a[:3])"), "right.py": right, "valid.py": READER}
    )
    paths = [tmp_path / "wrong.py", "--brute", tmp_path / "right.py", "--validator", tmp_path / "valid.py"]
    code, said = outcome("stress", *paths, "--time", "20")
    assert code == 1 and "    4\n    1 1 1 1\n" in said, said


@pytest.mark.parametrize(("passed", "refused", "code"), [(1, 1000, 2), (1, 10, 0), (500, 1000, 0)])
def test_a_search_in_which_validators_refuse_nearly_all_is_undecided(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, passed: int, refused: int, code: int
) -> None:
    def run_hunt(hunt: Hunt) -> None:
        hunt.progress.outcomes.update({CandidateOutcome.PASSED: passed, CandidateOutcome.REFUSED: refused})

    monkeypatch.setattr(Hunt, "run", run_hunt)
    monkeypatch.setattr(Hunt, "generator_fault", "")
    write_files(tmp_path, {"my.py": SUM, "right.py": SUM})
    result, said = outcome("stress", tmp_path / "my.py", "--brute", tmp_path / "right.py")
    assert result == code and ("no valid inputs: a sample" in said) is (code == 2), said
