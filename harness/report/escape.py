"""Untrusted text made harmless: nothing that a program printed may steer a terminal."""


def printable(text: str, most: int = 2000) -> str:
    """`text` with control characters shown as escapes, cut to `most` characters. Newlines and tabs stay."""
    cut = text if len(text) <= most else text[:most] + f"… ({len(text) - most} more characters)"
    return "".join(char if char in "\n\t" or char.isprintable() else _escaped(char) for char in cut)


def one_line(text: str, most: int = 160) -> str:
    """The first line of `text`, printable, cut to `most` characters; an ellipsis stands for what is not shown."""
    first, _, rest = text.strip().partition("\n")
    return printable(first[:most]) + (" …" if rest or len(first) > most else "")


def one_name(text: str) -> str:
    """A file's name, printable: whoever hands a file in has chosen it, a newline in it too."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
