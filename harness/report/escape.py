"""Make untrusted text safe for a terminal: escape control characters, cut long text."""

from collections.abc import Iterator, Sequence
from itertools import groupby

LINES, WIDTH = 40, 120
_ALIKE = 4  # so many equal lines in a row are shown once if not all lines fit


def printable(text: str, most: int = 2000) -> str:
    """Escape control characters except newlines and tabs, and cut the text to `most` characters."""
    cut = text if len(text) <= most else text[:most] + f"… ({len(text) - most} more characters)"
    return "".join(char if char in "\n\t" or char.isprintable() else _escaped(char) for char in cut)


def one_line(text: str, most: int = 160) -> str:
    """Return the first line, printable, cut to `most` characters; an ellipsis marks a cut."""
    first, _, rest = text.strip().partition("\n")
    return printable(first[:most]) + (" …" if rest or len(first) > most else "")


def one_name(text: str) -> str:
    """Make a file name printable. It is untrusted and may hold newlines."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def cut_in_the_middle(text: str, most: int) -> str:
    """Return a text of more than `most` characters as its beginning and end, so many in all."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def lines_of(data: bytes, most: int = LINES, width: int = WIDTH) -> Iterator[str]:
    """Yield lines of untrusted bytes, printable; long lines, and too many lines, are cut in the middle.

    If not all lines fit, a repeated line is shown once.
    """
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    is_whole = len(lines) <= most and all(len(line) <= width for line in lines)
    runs: list[tuple[bytes | None, int]] = [(line, 1) for line in lines] if is_whole else list(_runs(lines))
    shown = runs if len(runs) <= most else runs[: most - 5]
    yield from (_words(run, width) for run in shown)
    if len(shown) < len(runs):
        yield f"… {sum(count for _, count in runs[len(shown) : -3])} more lines …"
        yield from (_words(run, width) for run in runs[-3:])
    if data and not data.endswith(b"\n"):
        yield "(no line end)"


def last_lines(text: str, most: int) -> Iterator[str]:
    """Yield the number of omitted lines, then the last lines of untrusted text, printable and cut."""
    lines = text.strip("\n").split("\n") if text.strip() else []
    if len(lines) > most:
        yield f"… {len(lines) - most} lines before …"
    for line in lines[-most:]:
        yield _cut(line.encode(errors="backslashreplace"), WIDTH)


def _runs(lines: Sequence[bytes]) -> Iterator[tuple[bytes | None, int]]:
    """Yield (line, 1) for each line; (None, count) for the rest of a longer run of equal lines."""
    for line, group in groupby(lines):
        count = sum(1 for _ in group)
        if count < _ALIKE:
            yield from [(line, 1)] * count
        else:
            yield line, 1
            yield None, count - 1


def _words(run: tuple[bytes | None, int], width: int) -> str:
    line, count = run
    return _cut(line, width) if line is not None else f"… the same {count} times more …"


def _cut(line: bytes, width: int) -> str:
    text = printable(line[: width + 1].decode("utf-8", errors="backslashreplace"), 4 * width)
    return text if len(line) <= width else f"{text[: width - 3]}… ({len(line)} bytes)"
