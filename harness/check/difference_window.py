"""Keep the lines of output and answer around the first difference, because the whole may be too large."""

from collections.abc import Iterator
from itertools import islice, zip_longest

from harness.check.tokens import ComparisonRules, first_mismatch
from harness.results.model import KeptLine, LinePair, OutputDifference
from harness.values import dataclass

MOST_BYTES = 8 << 20  # longer texts are not compared a second time
_ROWS = 20
_BEFORE = 3  # rows before the first difference
_WIDTH = 120  # most bytes kept of a line
_LEAD = 40  # bytes of these before the first difference
_CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class _Side:
    """One of the two texts. at: the byte offset that corresponds to the other's `at`. token_at: where they differ."""

    text: bytes
    at: int
    token_at: int

    @property
    def line(self) -> int:
        """The index of the line that contains `at`."""
        return self.text.count(b"\n", 0, self.at)

    @property
    def column(self) -> int:
        """The number of bytes before `token_at` in its line."""
        return self.token_at - self.text.rfind(b"\n", 0, self.token_at) - 1

    @property
    def lines_between(self) -> int:
        """The number of lines from `at` down to `token_at`."""
        return self.text.count(b"\n", self.at, self.token_at)

    def total_lines(self) -> int:
        """The number of lines, counting a last line without newline."""
        return self.text.count(b"\n") + (not self.text.endswith(b"\n") and bool(self.text))

    def lines_from(self, index: int) -> Iterator[bytes]:
        """Yield the lines from `index` on, without newlines."""
        start = self.text.rfind(b"\n", 0, self.at) + 1
        for _ in range(self.line - index):
            start = self.text.rfind(b"\n", 0, start - 1) + 1
        return islice(_lines(self.text, start), max(index - self.line, 0), None)


def output_difference(output: bytes, answer: bytes, comparison: ComparisonRules) -> OutputDifference | None:
    """Keep the lines of both texts around the first token that differs under `comparison`.

    If no token differs, keep the first lines. Return None for texts of more than MOST_BYTES.
    """
    if max(len(output), len(answer)) > MOST_BYTES:
        return None
    start = _equal_lines(output, answer)
    mismatch = first_mismatch(output[start:], answer[start:], comparison)
    if mismatch is None:
        return _window(
            _Side(text=output, at=0, token_at=0), _Side(text=answer, at=0, token_at=0), None, comparison
        )
    got = start + (mismatch.got.start() if mismatch.got is not None else mismatch.output_end)
    want = start + (mismatch.want.start() if mismatch.want is not None else mismatch.answer_end)
    ends = (start + mismatch.output_end, start + mismatch.answer_end)
    output_at, answer_at = (got, want) if mismatch.got is not None and mismatch.want is not None else ends
    printed = _Side(text=output, at=output_at, token_at=got)
    expected = _Side(text=answer, at=answer_at, token_at=want)
    first = printed.line + max(printed.lines_between, expected.lines_between)
    return _window(printed, expected, first, comparison)


def _equal_lines(output: bytes, answer: bytes) -> int:
    """Return the length in bytes of the common prefix of whole lines."""
    at, shorter = 0, min(len(output), len(answer))
    while at < shorter and output[at : at + _CHUNK] == answer[at : at + _CHUNK]:
        at += _CHUNK
    pairs = zip(output[at : at + _CHUNK], answer[at : at + _CHUNK], strict=False)
    end = at + next((index for index, (left, right) in enumerate(pairs) if left != right), _CHUNK)
    return output.rfind(b"\n", 0, min(end, shorter)) + 1


def _lines(text: bytes, start: int) -> Iterator[bytes]:
    while start < len(text):
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _window(printed: _Side, expected: _Side, first: int | None, comparison: ComparisonRules) -> OutputDifference:
    """Return the rows around row `first`. A row has the index, from 0, of its line of the output."""
    shift = expected.line - printed.line  # the answer's line index minus the output's in the same row
    start = max((first or 0) - _BEFORE, -shift, 0)
    pairs = zip_longest(
        islice(printed.lines_from(start), _ROWS), islice(expected.lines_from(start + shift), _ROWS)
    )
    rows = []
    for index, (left, right) in enumerate(pairs, start=start):
        same = first is not None and index < first
        same = same or (index != first and _same(left, right, comparison))
        skipped = _skipped_bytes(printed.column, expected.column) if index == first else (0, 0)
        printed_line, expected_line = _kept(left, skipped[0]), _kept(right, skipped[1])
        rows.append(LinePair(number=index + 1, printed=printed_line, expected=expected_line, same=same))
    return OutputDifference(
        first=None if first is None else first + 1,
        rows=tuple(rows),
        expected_lines=expected.total_lines(),
        printed_lines=printed.total_lines(),
    )


def _skipped_bytes(*columns: int) -> tuple[int, ...]:
    """Return how many bytes to skip at the start of each line; the same number if the columns are near."""
    if max(columns) - min(columns) < _LEAD:
        columns = (min(columns),) * len(columns)
    return tuple(column - _LEAD if column > _WIDTH - _LEAD else 0 for column in columns)


def _same(printed: bytes | None, expected: bytes | None, comparison: ComparisonRules) -> bool:
    if printed is None or expected is None:
        return False
    return first_mismatch(printed, expected, comparison) is None


def _kept(line: bytes | None, skipped: int) -> KeptLine | None:
    """Return the line from byte `skipped` on, or from the start of the character that contains it."""
    if line is None:
        return None
    line = line.removesuffix(b"\r")
    while 0 < skipped < len(line) and line[skipped] & 0xC0 == 0x80:
        skipped -= 1
    text = line[skipped : skipped + _WIDTH].decode(errors="backslashreplace")
    return KeptLine(text=text, start=skipped, cut=skipped + _WIDTH < len(line))
