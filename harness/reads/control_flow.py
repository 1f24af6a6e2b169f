"""Follow the statements of a program in C, C++ or Java, token by token."""

import re
from collections.abc import Sequence
from dataclasses import field, replace

from harness.reads.nodes import Condition, Node, with_counts
from harness.values import dataclass

# In time linear in the source, also where a comment or a text never ends.
_NOISE = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*)|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(
    r"\"(?:\\.|[^\"\\\n])*+\"?|'(?:\\[^\n]{1,8}?|[^'\\\n])'|[A-Za-z_]\w*|\d[\w.]*"
    r"|>>|<<|--|\+\+|<=|>=|==|&&|\|\||[^\s\w]"
)
_MOST_READS = 10_000  # of a block: functions that call each other may double them
_MOST_TOKENS = 5_000  # of a simple statement or the header of a loop
_STARTS = ("main", "run", "solve")  # `run`: of a thread that `main` starts


def tokens_of_braces(source: str) -> list[str]:
    """Return the tokens of a source in C, C++ or Java, without comments and directives."""
    return _TOKEN.findall(_NOISE.sub(" ", source))


@dataclass(kw_only=True)
class ControlFlow:
    """Follows the statements of a program in C, C++ or Java. All positions are indices of tokens.

    Abstract: a subclass says in `reads`, `loop` and `condition` what simple statements and the two others read.
    """

    tokens: list[str]
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)  # of what functions return: `int[]`
    parameters: dict[str, list[str]] = field(default_factory=dict)  # the names of those of functions
    called: dict[str, list[Node]] = field(default_factory=dict)  # what functions read

    def __post_init__(self) -> None:
        self._closing = _closing_brackets(self.tokens)
        for at, token in enumerate(self.tokens):
            if token == "(" and at and re.match(r"[A-Za-z_]\w*$", self.tokens[at - 1]):
                end = self.closing(at) + 1
                while end < len(self.tokens) and re.match(r"throws|\w*Exception$|Throwable|,", self.tokens[end]):
                    end += 1
                is_defined = end < len(self.tokens) and self.tokens[end] == "{"
                if is_defined and self.tokens[at - 1] not in ("if", "for", "while", "switch", "catch"):
                    self.functions.setdefault(self.tokens[at - 1], (end + 1, self.closing(end)))
                    self.parameters.setdefault(
                        self.tokens[at - 1], _names_of(self.tokens[at + 1 : self.closing(at)])
                    )
                    self.types.setdefault(self.tokens[at - 1], _type_before(self.tokens[max(0, at - 8) : at - 1]))

    def main(self) -> list[Node]:
        """Return what the main function reads."""
        starts = [name for name in _STARTS if name in self.functions]
        return next(filter(None, (self.block(*self.functions[name]) for name in starts)), [])

    def closing(self, at: int) -> int:
        """Return the index of the bracket that closes the one at this index; the last index if none does."""
        return self._closing.get(at, len(self.tokens) - 1)

    def block(self, at: int, end: int) -> list[Node]:
        """Return what the statements between two indices read."""
        nodes: list[Node] = []
        while at < end:
            begin = at
            inner, at = self.statement(at, end)
            if inner and isinstance(inner[-1], Condition) and self._leaves(begin, at):  # the rest is its `else`
                rest, at = self.block(at, end), end
                inner = [*inner[:-1], replace(inner[-1], other=(*inner[-1].other, *rest))]
            nodes += inner
            if len(nodes) > _MOST_READS:
                raise ValueError("too many reads")
        return nodes

    def _leaves(self, at: int, after: int) -> bool:
        """Return whether a statement, whose tokens stand between two indices, ends with `continue` or `return`."""
        begin = after - (2 if self.tokens[after - 1] == "}" else 1)
        while begin > at and self.tokens[begin - 1] not in (";", "{", "}"):
            begin -= 1
        return self.tokens[begin] in ("continue", "return")

    def statement(self, at: int, end: int) -> tuple[list[Node], int]:
        """Return what a statement reads, and the index of the next statement."""
        token = self.tokens[at]
        if token == "{":
            close = self.closing(at)
            return self.block(at + 1, close), close + 1
        if token in ("for", "while", "if") and self.tokens[at + 1 : at + 2] == ["("]:
            return self.compound(token, at, end)
        if token == "try" and self.tokens[at + 1] == "(":
            at = self.closing(at + 1)
        if token in ("else", "do", "try"):
            return self.statement(at + 1, end) if at + 1 < end else ([], end)
        close = at
        while close < end and self.tokens[close] != ";":
            close = self.closing(close) + 1 if self.tokens[close] in "([{" else close + 1
        tokens = self.tokens[at:close]
        if len(tokens) > _MOST_TOKENS and not {"(", "cin"} & set(tokens):
            return [], close + 1  # a table
        self.check_length(len(tokens))
        return self.reads(tokens, at), close + 1

    def compound(self, token: str, at: int, end: int) -> tuple[list[Node], int]:
        """Return what a loop or a condition reads, and the index of the next statement."""
        close = self.closing(at + 1)
        self.check_length(close - at)
        inside = self.tokens[at + 2 : close]
        text, head = " ".join(inside), self.reads(inside, at + 2)
        body, after = self.statement(close + 1, end) if close + 1 < end else ([], end)
        if token != "if":
            return self.loop(text, head, body), after
        other: list[Node] = []
        if after < end and self.tokens[after] == "else":
            other, after = self.statement(after + 1, end)
        return self.condition(text, head, body, other), after

    def check_length(self, length: int) -> None:
        """Raise ValueError for too many tokens: after an unclosed bracket, reading would take quadratic time."""
        if length > _MOST_TOKENS:
            raise ValueError("too long a statement")

    def condition(self, inside: str, head: list[Node], body: list[Node], other: list[Node]) -> list[Node]:
        """Return what a condition reads. inside: its tokens; head, body, other: what is read in each part."""
        raise NotImplementedError

    def loop(self, inside: str, head: list[Node], body: list[Node]) -> list[Node]:
        """Return what a loop reads. inside: the tokens of its header; head, body: what is read in each part."""
        raise NotImplementedError

    def reads(self, tokens: Sequence[str], begin: int) -> list[Node]:
        """Return what a simple statement reads, in order. begin: the index of its first token."""
        raise NotImplementedError

    def call(self, name: str, arguments: Sequence[str] = ()) -> list[Node]:
        """Return what a function reads with these arguments; recursive calls count as reading nothing."""
        if name not in self.called:
            self.called[name] = []
            self.called[name] = self.block(*self.functions[name])
        pairs = zip(self.parameters[name], arguments, strict=False)
        given = {parameter: argument for parameter, argument in pairs if parameter != argument}
        return [with_counts(node, given) for node in self.called[name]] if given else self.called[name]

    def assigned(self, tokens: Sequence[str], at: int) -> str:
        """Return the name to which the call at this index is assigned."""
        names = re.findall(r"\b(\w+) (?:\[ [^=]*\] )?= ", " ".join(tokens[: at + 1]))
        return names[-1] if names else ""


def _names_of(tokens: Sequence[str]) -> list[str]:
    """Return the names of parameters: the last word of each."""
    words = (re.findall(r"[A-Za-z_]\w*", part.partition("=")[0]) for part in " ".join(tokens).split(","))
    return [each[-1] if each else "" for each in words]


def _type_before(tokens: Sequence[str]) -> str:
    """Return the type at the end of these tokens, such as `int[]`; for a list that of its items with `[]`."""
    text = " ".join(tokens)
    match = re.search(r"\b(\w+)(?: >)?((?: \[ \])*)$", text)
    if match is None:
        return ""
    return match[1] + match[2].replace(" ", "") + "[]" * (" >" in match[0])


def _closing_brackets(tokens: Sequence[str]) -> dict[int, int]:
    """Return the index of the closing bracket for the index of each bracket that is closed."""
    closing: dict[int, int] = {}
    opened: dict[str, list[int]] = {")": [], "}": [], "]": []}
    pairs = {"(": ")", "{": "}", "[": "]"}
    for at, token in enumerate(tokens):
        if token in pairs:
            opened[pairs[token]].append(at)
        elif opened.get(token):
            closing[opened[token].pop()] = at
    return closing
