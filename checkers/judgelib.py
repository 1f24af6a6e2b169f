"""The one helper of all judge programs: strict reading, and the exit codes of the problem package format.

An input validator reads with `Reader`, byte by byte. An output validator reads tokens: from `TeamOutput`, where a bad
token rejects, and from `JudgeAnswer`, where it is our own fault. Needs Python 3.9 and its standard library only. The
text of this file is put in the place of `from judgelib import …`, so that every judge program is one file.
"""

import os
import re
import sys

EXIT_ACCEPT = 42
EXIT_REJECT = 43
EXIT_JUDGE_ERROR = 1

OUTPUT_BYTES = 64 * 1024 * 1024  # a team's output beyond this is rejected unread
QUOTED_BYTES = 40  # of a stranger's bytes, so many go into a message

_INTEGER = re.compile(rb"-?[0-9]+")
_BLANKS = re.compile(rb"[ \t\n\r\f\v]*")
_TOKEN = re.compile(rb"[^ \t\n\r\f\v]+")


class Invalid(Exception):  # noqa: N818 (an outcome, not an error)
    """The input breaks the format; the message names line and column."""


class Rejected(Exception):  # noqa: N818
    """The team's output is wrong; the message goes to the jury."""


class JudgeError(Exception):
    """The jury's own data or program is wrong: no verdict about the team."""


def quoted(data):
    """Bytes for a message: pure ASCII, escaped, cut to QUOTED_BYTES."""
    text = ascii(bytes(data[:QUOTED_BYTES]))[1:]
    return text + "…" if len(data) > QUOTED_BYTES else text


def bounded_integer(token, low, high):
    """The integer that `token` spells in plain decimal, or None: no plus, no leading zero, low ≤ value ≤ high."""
    longest = max(len(str(low)), len(str(high)))
    if len(token) > longest or not _INTEGER.fullmatch(token):
        return None
    value = int(token)
    return value if low <= value <= high and token == b"%d" % value else None


class Reader:
    """A cursor over the bytes of an input; the first byte that is not as asked for raises Invalid."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def fail(self, message, back=0):
        """Raise Invalid at the byte that stands `back` bytes before the cursor."""
        at = self._at - back
        line = self._data.count(b"\n", 0, at) + 1
        column = at - self._data.rfind(b"\n", 0, at)
        raise Invalid("line %d, column %d: %s" % (line, column, message))

    def expected(self, what):
        """Raise Invalid: `what` should stand at the cursor."""
        rest = self._data[self._at : self._at + QUOTED_BYTES + 1]
        shown = rest[: rest.find(b"\n") + 1] or rest
        self.fail("expected %s, found %s" % (what, quoted(shown) if rest else "the end of the file"))

    def exactly(self, text):
        """Read these bytes."""
        if not self._data.startswith(text, self._at):
            self.expected(quoted(text))
        self._at += len(text)

    def space(self):
        """Read one space."""
        self.exactly(b" ")

    def newline(self):
        """Read one line feed (a carriage return is none)."""
        self.exactly(b"\n")

    def integer(self, name, low, high):
        """Read an integer in plain decimal: no plus, no leading zero, low ≤ value ≤ high."""
        longest = max(len(str(low)), len(str(high)))
        found = _INTEGER.match(self._data, self._at, self._at + longest + 1)
        value = bounded_integer(found.group(), low, high) if found else None
        if value is None:
            self.expected("%s, an integer from %d to %d" % (name, low, high))
        self._at = found.end()
        return value

    def word(self, name, low, high, alphabet):
        """Read the longest run of bytes of `alphabet`, low to high of them."""
        head = self._data[self._at : self._at + high + 1]
        length = len(head) - len(head.lstrip(alphabet))
        if not low <= length <= high:
            self.expected("%s, %d to %d characters of %s" % (name, low, high, quoted(alphabet)))
        self._at += length
        return head[:length]

    def line_of(self, name, length, alphabet):
        """Read a line of exactly `length` bytes of `alphabet`, and its line feed; return it without."""
        line = self._data[self._at : self._at + length]
        strangers = line.translate(None, alphabet)
        if strangers or len(line) < length:
            self._at += line.find(strangers[:1]) if strangers else len(line)
            self.expected("%s, %d characters of %s" % (name, length, quoted(alphabet)))
        self._at += length
        self.newline()
        return line

    def end(self):
        """The input must end here."""
        if self._at != len(self._data):
            self.expected("the end of the file")


class _Tokens:
    """Tokens between white space, read lazily; `fault` is what a bad one raises."""

    fault = Rejected

    def __init__(self, data):
        self._data = data
        self._at = 0

    def fail(self, message):
        """Raise the fault of this stream."""
        raise self.fault(message)

    def token(self, name):
        """The next token, bytes of any length."""
        found = _TOKEN.match(self._data, _BLANKS.match(self._data, self._at).end())
        if not found:
            self.fail("expected %s, found the end of the output" % name)
        self._at = found.end()
        return found.group()

    def integer(self, name, low, high):
        """The next token as an integer in plain decimal, low ≤ value ≤ high."""
        token = self.token(name)
        value = bounded_integer(token, low, high)
        if value is None:
            self.fail("expected %s, an integer from %d to %d, found %s" % (name, low, high, quoted(token)))
        return value

    def choice(self, name, allowed):
        """The next token, one of `allowed` (bytes, exact case)."""
        token = self.token(name)
        if token not in allowed:
            words = " or ".join(quoted(word) for word in allowed)
            self.fail("expected %s, %s, found %s" % (name, words, quoted(token)))
        return token

    def word(self, name, low, high, alphabet):
        """The next token, low to high bytes of `alphabet`."""
        token = self.token(name)
        if not low <= len(token) <= high or token.translate(None, alphabet):
            wanted = "%s, %d to %d characters of %s" % (name, low, high, quoted(alphabet))
            self.fail("expected %s, found %s" % (wanted, quoted(token)))
        return token

    def end(self):
        """No token may follow."""
        found = _TOKEN.match(self._data, _BLANKS.match(self._data, self._at).end())
        if found:
            self.fail("expected the end of the output, found %s" % quoted(found.group()))


class TeamOutput(_Tokens):
    """What the team printed: hostile; a bad token rejects."""

    fault = Rejected


class JudgeAnswer(_Tokens):
    """What the jury wrote (input or answer): a bad token is a judge error."""

    fault = JudgeError


def accept(feedback_dir, score_multiplier=None):
    """Leave with `accepted`; with a score of 0 to 1 where the test group has one."""
    if score_multiplier is not None:
        if not 0 <= score_multiplier <= 1:
            raise JudgeError("score multiplier %r is not between 0 and 1" % score_multiplier)
        _write(feedback_dir, "score_multiplier.txt", "%.12f" % score_multiplier)
    sys.exit(EXIT_ACCEPT)


def reject(feedback_dir, message):
    """Leave with `wrong answer`; the message is for the jury."""
    _write(feedback_dir, "judgemessage.txt", message)
    sys.exit(EXIT_REJECT)


def judge_error(feedback_dir, message):
    """Leave without a verdict."""
    _write(feedback_dir, "judgemessage.txt", message)
    sys.stderr.write(message + "\n")
    sys.exit(EXIT_JUDGE_ERROR)


def run_input_validator(check):
    """Read standard input, give `check` a Reader, leave with 42, or say what is wrong and leave with 43."""
    try:
        check(Reader(sys.stdin.buffer.read()))
    except Invalid as error:
        sys.stdout.buffer.write(("%s\n" % error).encode())
        sys.exit(EXIT_REJECT)
    sys.exit(EXIT_ACCEPT)


def run_output_validator(check):
    """Call check(case, answer, output) on `prog X.in X.ans feedback_dir`, and leave with its verdict.

    `check` returns None, or the score multiplier; it raises Rejected or JudgeError, mostly through its streams.
    """
    case_path, answer_path, feedback_dir = sys.argv[1:4]
    try:
        case, answer = (JudgeAnswer(_bytes_of(path)) for path in (case_path, answer_path))
        score = check(case, answer, TeamOutput(_team_output()))
        accept(feedback_dir, score)
    except Rejected as error:
        reject(feedback_dir, str(error))
    except JudgeError as error:
        judge_error(feedback_dir, str(error))


def _team_output():
    data = sys.stdin.buffer.read(OUTPUT_BYTES + 1)
    if len(data) > OUTPUT_BYTES:
        raise Rejected("more than %d bytes of output" % OUTPUT_BYTES)
    return data


def _bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def _write(feedback_dir, name, text):
    with open(os.path.join(feedback_dir, name), "w", encoding="utf-8") as file:
        file.write(text + "\n")
