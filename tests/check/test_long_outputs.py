"""A long output is judged as a short one, to the letter of the message, in bounded memory and in another process."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.check import default_validator, tokens
from harness.check.default_validator import compare, compare_files, parse_arguments
from harness.check.tokens import ComparisonRules
from harness.errors import JudgeError
from harness.package.files import File

MIB = 1 << 20
TOKEN_OR_SPACE = re.compile(rb"[^ \f\n\r\t\v]+|[ \f\n\r\t\v]+")


def whole(output: bytes, answer: bytes, comparison: ComparisonRules) -> str:
    """The message that comes of looking at all tokens at once; nothing where there is no difference."""
    found, expected = (
        [
            match
            for match in TOKEN_OR_SPACE.finditer(text)
            if comparison.space_change_sensitive or not match[0].isspace()
        ]
        for text in (output, answer)
    )
    for number, want in enumerate(expected, start=1):
        if number > len(found):
            return f"output ends before token {number}, {tokens._shown(want)} was expected"
        got = found[number - 1]
        if not equal(got[0], want[0], comparison):
            line = output[: got.start()].count(b"\n") + 1
            return f"line {line}, token {number}: {tokens._shown(got)}, expected {tokens._shown(want)}"
    if len(found) > len(expected):
        extra = found[len(expected)]
        line = output[: extra.start()].count(b"\n") + 1
        return f"line {line}: {tokens._shown(extra)} after the expected end"
    return ""


def equal(got: bytes, want: bytes, comparison: ComparisonRules) -> bool:
    if comparison.floats and tokens.FLOAT.fullmatch(want):
        return compare(got, want, comparison).message == ""  # the numbers themselves have tests of their own
    return got == want if comparison.case_sensitive else got.lower() == want.lower()


ARGUMENTS = st.sampled_from(
    ["", "case_sensitive", "space_change_sensitive", "float_tolerance 0.5", "float_tolerance 0 case_sensitive"]
)
PIECES = st.lists(
    st.tuples(
        st.sampled_from([b"a", b"A", b"ab", b"1", b"1.0", b"2", b"x" * 9, b"y" * 30, b"\xff\x00", b"1e1"]),
        st.sampled_from([b" ", b"\n", b"  ", b"\r\n", b"\n\n", b"\t \t", b" " * 12]),
    ),
    max_size=12,
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """An answer, and an output that differs in its spaces and in one token at most."""
    pieces = draw(PIECES)
    spaces = draw(
        st.lists(st.sampled_from([b" ", b"\n", b"  ", b" \n" * 5]), min_size=len(pieces), max_size=len(pieces))
    )
    output = [list(pair) for pair in pieces]
    if draw(st.booleans()):
        for pair, space in zip(output, spaces, strict=True):
            pair[1] = space
    if output and draw(st.booleans()):
        output[draw(st.integers(0, len(output) - 1))] = list(draw(PIECES.filter(bool))[0])
    end = draw(st.sampled_from([b"", b"z", b"\n", b" \n \n", b"tail tail"]))
    join = b"".join
    return join(map(join, output)) + end, join(map(join, pieces)) + draw(st.sampled_from([b"", end, b"\n"]))


@example(texts=(b"a " * 9, b"A\n" * 9), arguments="", window=1, number=1)
@example(texts=(b"y" * 40 + b" a", b"y" * 40 + b" b"), arguments="", window=2, number=3)
@example(texts=(b"1 " * 5 + b"\n" * 20, b"1 " * 5), arguments="", window=3, number=2)
@given(texts=pairs(), arguments=ARGUMENTS, window=st.integers(1, 40), number=st.integers(1, 64))
def test_windows_of_every_size_say_what_the_whole_says(
    texts: tuple[bytes, bytes], arguments: str, window: int, number: int
) -> None:
    comparison = parse_arguments(arguments.split())
    said = whole(*texts, comparison)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_WINDOW_BYTES", window)
        if not comparison.floats:
            patch.setattr(tokens, "_NUMBER_BYTES", number)
        assert compare(*texts, comparison).message == said


@pytest.mark.sampled(3)
@pytest.mark.parametrize("arguments", ["", "case_sensitive", "space_change_sensitive", "float_tolerance 1e-3"])
@pytest.mark.parametrize("change", ["", "token", "missing", "extra", "space", "case", "long"])
def test_a_process_of_its_own_says_what_ours_says(
    arguments: str, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [b"line %d Word 1.5" % number for number in range(2000)]
    if change == "long":
        lines[700] = b"L" * 9000
    answer = b"\n".join(lines) + b"\n"
    changed = {
        "token": answer.replace(b"line 1234 Word", b"line 1234 Sword"),
        "missing": answer[: len(answer) // 2],
        "extra": answer + b"more\n",
        "space": answer.replace(b"\n", b" \r\n"),
        "case": answer.replace(b"Word", b"WORD"),
        "long": answer.replace(b"LLL", b"LLl", 7),
    }
    output = tmp_path / "stdout"
    output.write_bytes(changed.get(change, answer))
    (tmp_path / "case.ans").write_bytes(answer)
    comparison = parse_arguments(arguments.split())
    expected = compare(output.read_bytes(), answer, comparison)
    assert expected.message == whole(output.read_bytes(), answer, comparison)
    monkeypatch.setattr(default_validator, "_IN_PROCESS_BYTES", 0)
    for file in (File(origin=tmp_path / "case.ans"), File(origin=tmp_path, content=answer)):
        assert compare_files(output, file, comparison) == expected


def test_no_answer_is_an_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "stdout"
    output.write_bytes(b"\n\nword\n")
    short = compare_files(output, None, parse_arguments(()))
    monkeypatch.setattr(default_validator, "_IN_PROCESS_BYTES", 0)
    assert (
        compare_files(output, None, parse_arguments(()))
        == short
        == compare(b"\n\nword\n", b"", parse_arguments(()))
    )


def test_a_comparison_that_fails_is_the_judges_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default_validator, "_IN_PROCESS_BYTES", -1)
    monkeypatch.setattr(default_validator, "_PROGRAM", tmp_path / "gone.py")
    (tmp_path / "stdout").write_bytes(b"1")
    with pytest.raises(JudgeError, match="comparison of a long output"):
        compare_files(tmp_path / "stdout", None, parse_arguments(()))


PROGRAM = """
import resource, sys
from pathlib import Path
from harness.check.default_validator import compare_files, parse_arguments
from harness.package.files import File
resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20))
print(compare_files(Path(sys.argv[1]), File(origin=Path(sys.argv[2])), parse_arguments(())).message)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("end", [b"", b"x\n"])
def test_a_long_output_is_compared_in_bounded_memory(end: bytes, tmp_path: Path) -> None:
    output, answer = tmp_path / "stdout", tmp_path / "case.ans"
    output.write_bytes(b"1 2 3 4\n" * (4 * MIB) + end)  # 32 MiB; all of its tokens at once take twenty times that
    answer.write_bytes(b"1 2\n3 4\n" * (4 * MIB))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, output, answer],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    message, kib = done.stdout.splitlines()
    assert message == ("line 4194305: `x` after the expected end" if end else "")
    assert int(kib) < 200 * 1024 or resource.getpagesize() > 4096
