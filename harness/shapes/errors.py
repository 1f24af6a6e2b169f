"""What can be wrong with a shape's text, and with bytes that should be of a shape; both name line and column."""

from harness.errors import HarnessError

SHOWN = 40


class ShapeError(HarnessError):
    """The text of a shape makes no sense; the message says where, and what would."""


class InputError(HarnessError):
    """Bytes that are not of the shape; the message says where."""

    def __init__(self, line: int, column: int, message: str) -> None:
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}: {message}")


def quoted(data: bytes) -> str:
    """Bytes for a message: pure ASCII, escaped, cut."""
    text = ascii(bytes(data[:SHOWN]))[1:]
    return text + "…" if len(data) > SHOWN else text
