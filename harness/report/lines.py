"""Untrusted bytes as lines for people: printable, long ones and many cut in the middle."""

from collections.abc import Iterator

from harness.report.escape import printable

LINES, WIDTH = 40, 120


def lines_of(data: bytes, most: int = LINES, width: int = WIDTH) -> Iterator[str]:
    """The lines of untrusted bytes, made printable, long ones and many cut in the middle."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    shown = lines if len(lines) <= most else lines[: most - 5]
    yield from (_cut(line, width) for line in shown)
    if len(shown) < len(lines):
        yield f"… {len(lines) - len(shown) - 3} more lines …"
        yield from (_cut(line, width) for line in lines[-3:])
    if data and not data.endswith(b"\n"):
        yield "(no line end)"


def _cut(line: bytes, width: int) -> str:
    text = printable(line[: width + 1].decode("utf-8", errors="backslashreplace"), 4 * width)
    return text if len(line) <= width else f"{text[: width - 3]}… ({len(line)} bytes)"
