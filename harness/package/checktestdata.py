"""Translate input validators in Checktestdata's language (`.ctd`) to Python. Nothing is run here.

The translated program is ctd_reader.py, followed by the lines generated here.
"""

import re
from dataclasses import field
from pathlib import Path

from harness.values import dataclass

CHECKTESTDATA = ".ctd"
_TOKEN = re.compile(
    r'(?P<text>"(?:\\.|[^"\\])*")|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<command>[A-Z]+)'
    r"|(?P<name>[a-z][a-z0-9_]*)|(?P<sign>&&|\|\||[<>=!]=|[-+*/%^()\[\],<>=!])|(?P<nothing>\s+|#[^\n]*)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "\n": ""}
_BLOCKS = ("REP", "REPI", "WHILE", "WHILEI", "IF")
_LEVELS = (("||",), ("&&",), ("<", ">", "<=", ">=", "==", "!="), ("+", "-"), ("*", "/", "%"))
_CALLS = {"/": "divide", "%": "modulo"}


class SourceError(Exception):
    """A syntax error in a `.ctd` file: its place, and what was expected."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def as_python(text: str) -> str:
    """Return a Python program that accepts (exit code 42) the same inputs. Raises SourceError."""
    translator = Translator(tokens=tokens_of(text))
    try:
        lines = translator.program()
    except RecursionError:
        raise SourceError(translator.next.line, "nested too deeply") from None
    reader = Path(__file__).with_name("ctd_reader.py").read_text("utf-8")
    body = "".join(f"    {line}\n" for line in lines)
    return f"{reader}\n\ndef program(read):\n{body}\n\nsys.exit(judge(program))\n"


@dataclass(frozen=True, kw_only=True)
class CtdToken:
    """A token with its line."""

    kind: str
    text: str
    line: int


def tokens_of(text: str) -> list[CtdToken]:
    """Return the tokens of a `.ctd` file, and one for its end. Raises SourceError."""
    tokens, at, line = [], 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SourceError(line, f"`{text[at]}` is nothing in checktestdata's language")
        if match.lastgroup != "nothing":
            tokens.append(CtdToken(kind=str(match.lastgroup), text=match[0], line=line))
        line += match[0].count("\n")
        at = match.end()
    return [*tokens, CtdToken(kind="end", text="end of the file", line=line)]


@dataclass(kw_only=True)
class Translator:
    """A recursive-descent translator of tokens to lines of Python."""

    tokens: list[CtdToken]
    at: int = 0
    lines: list[str] = field(default_factory=list)
    loops: int = 0

    def program(self) -> list[str]:
        """Translate the program. It always checks that the input ends, even without EOF."""
        self.commands("", ())
        if self.next.kind != "end":
            raise self.wrong("the end of the file")
        return [*self.lines, "read.end()"]

    @property
    def next(self) -> CtdToken:
        """Return the next token without taking it."""
        return self.tokens[self.at]

    def wrong(self, wanted: str) -> SourceError:
        """Return the error for the next token."""
        return SourceError(self.next.line, f"expected {wanted}, not `{self.next.text}`")

    def has(self, sign: str) -> bool:
        """Take the next token if it is `sign`; return whether it was."""
        fits = self.next.text == sign and self.next.kind != "text"
        self.at += fits
        return fits

    def want(self, sign: str) -> None:
        """Take `sign`, which must be the next token."""
        if not self.has(sign):
            raise self.wrong(f"`{sign}`")

    def emit(self, indent: str, line: str) -> None:
        """Add a line of Python."""
        self.lines.append(indent + line)

    def commands(self, indent: str, ends: tuple[str, ...]) -> None:
        """Translate commands up to one of `ends`."""
        self.emit(indent, "pass")
        while self.next.kind == "command" and self.next.text not in ends:
            self.command(indent)

    def command(self, indent: str) -> None:
        """Translate a command, with all commands in it if it is a block."""
        name = self.next.text
        self.emit(indent, f"read.line = {self.next.line}")
        self.at += 1
        if name in ("SPACE", "NEWLINE", "EOF"):
            self.emit(
                indent, {"SPACE": 'read.text(" ")', "NEWLINE": r'read.text("\n")', "EOF": "read.end()"}[name]
            )
            return
        self.want("(")
        if name in _BLOCKS:
            self.block(name, indent)
        elif name in ("INT", "FLOAT", "FLOATP", "STRING", "REGEX"):
            self.value_read(name, indent)
        elif name == "ASSERT":
            self.emit(indent, f"read.must({self.expression()})")
            self.want(")")
        elif name in ("SET", "UNSET"):
            self.assignments(name, indent)
        else:
            self.at -= 2
            raise self.wrong("a command")

    def assignments(self, name: str, indent: str) -> None:
        """Translate `SET(a = 1, b[2] = 3)` or `UNSET(a)`."""
        while True:
            variable = self.variable()
            if name == "SET":
                self.want("=")
                self.emit(indent, f"read.keep({self.expression()}, {variable})")
            else:
                self.emit(indent, f"read.forget({variable})")
            if not self.has(","):
                break
        self.want(")")

    def value_read(self, name: str, indent: str) -> None:
        """Translate a command that reads a value, and may store it."""
        arguments = [self.expression()]
        for _ in range({"INT": 1, "FLOAT": 1, "FLOATP": 3}.get(name, 0)):
            self.want(",")
            arguments.append(self.expression())
        kept = None
        while self.has(","):
            if self.next.kind == "command":
                arguments.append(repr(self.next.text))
                self.at += 1
            else:
                kept = self.variable()
        self.want(")")
        call = f"read.{name.lower()}({', '.join(arguments)})"
        self.emit(indent, call if kept is None else f"read.keep({call}, {kept})")

    def block(self, name: str, indent: str) -> None:
        """Translate a loop or a condition, up to its END."""
        self.loops += 1
        number = f"number_{self.loops}"
        kept = self.variable() if name.endswith("I") else None
        if kept is not None:
            self.want(",")
        head = self.expression()
        if name == "IF":
            self.emit(indent, f"if {head}:")
        else:
            endless = name.startswith("WHILE")
            self.emit(indent, f"for {number} in {'count()' if endless else f'range(read.count({head}))'}:")
            if kept is not None:
                self.emit(indent + " ", f"read.keep({number}, {kept})")
            if endless:
                self.emit(indent + " ", f"if not ({head}): break")
        if self.has(","):
            self.emit(indent + " ", f"if {number}:")
            self.command(indent + "  ")
        self.want(")")
        self.commands(indent + " ", ("END", "ELSE"))
        if name == "IF" and self.has("ELSE"):
            self.emit(indent, "else:")
            self.commands(indent + " ", ("END",))
        self.want("END")

    def variable(self) -> str:
        """Translate a variable to arguments: its name and its indices."""
        name = self.next.text
        if self.next.kind != "name":
            raise self.wrong("a variable")
        self.at += 1
        indices = []
        if self.has("["):
            indices.append(self.expression())
            while self.has(","):
                indices.append(self.expression())
            self.want("]")
        return ", ".join([repr(name), *indices])

    def expression(self, level: int = 0) -> str:
        """Translate an expression or a condition, by the precedence of the operators."""
        if level == len(_LEVELS):
            return self.factor()
        left = self.expression(level + 1)
        while self.next.kind == "sign" and self.next.text in _LEVELS[level]:
            sign = self.next.text
            self.at += 1
            right = self.expression(level + 1)
            if sign in _CALLS:
                left = f"{_CALLS[sign]}({left}, {right})"
            else:
                left = f"({left} {({'||': 'or', '&&': 'and'}).get(sign, sign)} {right})"
        return left

    def factor(self) -> str:
        """Translate a value, a negation, a power or an expression in parentheses."""
        if self.has("-"):
            return f"(-{self.factor()})"
        if self.has("!"):
            return f"(not {self.factor()})"
        if self.has("("):
            base = f"({self.expression()})"
            self.want(")")
        else:
            base = self.value()
        return f"power({base}, {self.factor()})" if self.has("^") else base

    def value(self) -> str:
        """Translate a number, a text, a variable or a function."""
        kind, text = self.next.kind, self.next.text
        if kind == "name":
            return f"read.value({self.variable()})"
        self.at += 1
        if kind == "text":
            return repr(unescaped(text[1:-1]))
        if kind == "number":
            return text.lstrip("0") or "0" if text.isdigit() else f"Fraction({text!r})"
        if text == "ISEOF":
            return "read.is_end()"
        if text in ("MATCH", "STRLEN", "INARRAY", "UNIQUE"):
            return self.function(text)
        self.at -= 1
        raise self.wrong("a value")

    def function(self, name: str) -> str:
        """Translate `MATCH("ab")`, `STRLEN(s)`, `INARRAY(value, array)` or `UNIQUE(array, array)`."""
        self.want("(")
        parts: list[str] = []
        while not parts or self.has(","):
            if name == "UNIQUE" or (name == "INARRAY" and parts):
                parts.append(repr(self.next.text))
                self.at += 1
            else:
                parts.append(self.expression())
        self.want(")")
        return f"len({parts[0]})" if name == "STRLEN" else f"read.{name.lower()}({', '.join(parts)})"


def unescaped(text: str) -> str:
    """Return a text without its escapes."""

    def meant(escape: "re.Match[str]") -> str:
        return chr(int(escape[1], 8)) if escape[1] else _LETTERS.get(escape[2], escape[2])

    return _ESCAPE.sub(meant, text)
