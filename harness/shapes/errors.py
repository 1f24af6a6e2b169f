"""Errors in a shape's text and in inputs that should fit a shape; both name line and column."""

from harness.errors import HarnessError

SHOWN = 40


class ShapeError(HarnessError):
    """The text of a shape is invalid; the message names the place and how to fix it."""


class InputError(HarnessError):
    """An input does not fit the shape; the message names the place."""

    def __init__(self, line: int, column: int, message: str) -> None:
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}: {message}")


def quoted(data: bytes) -> str:
    """Return bytes for a message: pure ASCII, escaped, cut."""
    text = ascii(bytes(data[:SHOWN]))[1:]
    return text + "…" if len(data) > SHOWN else text
