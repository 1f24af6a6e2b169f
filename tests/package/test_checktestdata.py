"""Input validators in checktestdata's language accept what their text says, and nothing else."""

import io
import sys

import pytest

from harness.package.checktestdata import SourceError, as_python

ROUNDS = """
# rounds with counts, words and a limit that is computed
SET(most = 10^3/2)
INT(1, 3, t) NEWLINE
REPI(k, t)
    INT(1, most, n[k]) SPACE FLOAT(-1.5, 2, x, FIXED) NEWLINE
    REP(n[k], SPACE) INT(-n[k], (n[k]+1)*2) END NEWLINE
    REPI(i, n[k], STRING(", ")) REGEX("[a-z]{1,3}", w[i]) END
    IF (MATCH("!?")) STRING("!") ELSE STRING(".") END NEWLINE
    ASSERT(UNIQUE(w) && !INARRAY("no", w) || STRLEN(w[0]) == 3)
    UNSET(w)
END
WHILE(!ISEOF) STRING("a\\tb\\041") NEWLINE END
"""
RIGHT = "2\n2 1.25\n-2 6\nab, c!\n1 -1\n0\nno.\na\tb!\n".replace("no.", "yes.")


def verdict(text: str, data: str, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
    with pytest.raises(SystemExit) as ended:
        exec(compile(as_python(text), "validator", "exec"), {})
    return ended.value.code


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        *(("", "", 42), ("1.25", "-1.5", 42), ("1.25", "1e0", 43), ("-2 6", "-2 7", 43), ("-2 6", "-2  6", 43)),
        *(("-2 6", "-02 6", 43), ("ab, c", "c, c", 43), ("ab, c", "abc, abc", 42), ("yes", "no", 43)),
        *(("!\n1", "?\n1", 43), ("2\n2", "4\n2", 43), ("2\n2", "2\n501", 43), ("b!\n", "b!", 43)),
        ("b!\n", "b!\n\n", 43),
    ],
)
def test_accepts_what_its_text_says(old: str, new: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(ROUNDS, RIGHT.replace(old, new, 1) if old else RIGHT, monkeypatch) == code


@pytest.mark.parametrize(
    ("text", "data", "code"),
    [
        *(
            ("INT(-7/2, -7%2)", "-3", 42),
            ("INT(-7/2, 0)", "-4", 43),
            ("INT(1, 2^70)", "1180591620717411303424", 42),
        ),
        *(("FLOAT(0, 0.3)", "0.3", 42), ("FLOATP(0, 1, 1, 2)", "1", 43), ("FLOATP(0, 1, 1, 2)", "0.25", 42)),
        *(("INT(1, n)", "1", 1), ("INT(1, 1/0)", "1", 1), ("INT(0, 9) EOF", "-0", 43)),
    ],
)
def test_numbers_are_exact(text: str, data: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(text, data, monkeypatch) == code


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("\nINT(1 2)", 2, "`,`"),
        ("FOO(1)", 1, "a command"),
        ("REP(3)\nSPACE\n", 3, "`END`"),
        ("@", 1, "nothing in"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(SourceError, match=says) as raised:
        as_python(text)
    assert raised.value.line == line
