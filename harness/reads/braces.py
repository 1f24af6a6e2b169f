"""Find the input that a C, C++ or Java program reads, from its loops and reading calls."""

import re
from collections.abc import Sequence, Set
from dataclasses import field, replace
from functools import cached_property

from harness.reads.model import Branch, Loop, Newline, Node, Space, Value
from harness.reads.programs import value_of
from harness.reads.writer import names_used
from harness.values import dataclass

# In time linear in the source, also where a comment or a text never ends.
_NOISE = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*)|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(
    r"\"(?:\\.|[^\"\\\n])*+\"?|'(?:\\[^\n]{1,8}?|[^'\\\n])'|[A-Za-z_]\w*|\d[\w.]*"
    r"|>>|<<|--|\+\+|<=|>=|==|&&|\|\||[^\s\w]"
)
_KINDS = (
    (
        re.compile(
            r"(next|read|get|in)?_?(int|long|ll|i64|integer|short|byte|big(integer|int))|n[il]|[il]scan|i(n|nt)?|ll?"
        ),
        "integer",
    ),
    (re.compile(r"(next|read|get)_?(double|float|dbl)|nd|dscan"), "decimal"),
    (
        re.compile(r"(next|read|get)_?(line|string|str|token|word|char|chararray)?|ns|sscan|readline|getline"),
        "word",
    ),
)
_MOST_READS = 10_000  # of a block: functions that call each other may double them
_MOST_TOKENS = 5_000  # of a simple statement or the header of a loop
_STARTS = ("main", "run", "solve")  # `run`: of a thread that `main` starts
_METHODS = re.compile(r"(next|read)\w*|n[ilsd]|[ilsd]scan")  # of readers: `in.nextInt()`
_FORMAT = re.compile(r"%\*?\d*(lld|ld|d|i|u|llu|lu|I64d|lf|f|Lf|s|c|\[)")


def reads_of_braces(source: str) -> list[Node]:
    """Return the lines that the program seems to read; for reads word by word the lines are guessed."""
    nodes = _Reading(tokens=tokens_of_braces(source)).main()
    return _in_lines(_decided(nodes, set(names_used(nodes))))


def tokens_of_braces(source: str) -> list[str]:
    """Return the tokens of a source in C, C++ or Java, without comments and directives."""
    return _TOKEN.findall(_NOISE.sub(" ", source))


@dataclass(kw_only=True)
class Statements:
    """Walks the statements of a program in C, C++ or Java. Positions are indices of tokens."""

    tokens: list[str]
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)
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

    def main(self) -> list[Node]:
        """Return what the main function reads."""
        starts = [name for name in _STARTS if name in self.functions]
        return next(filter(None, (self.block(*self.functions[name]) for name in starts)), [])

    def closing(self, at: int) -> int:
        """Return the index of the bracket that closes the one at this index; the last index if none does."""
        return self._closing.get(at, len(self.tokens) - 1)

    def block(self, at: int, end: int) -> list[Node]:
        """Return what the statements between two indices read."""
        found: list[Node] = []
        while at < end:
            inner, at = self.statement(at, end)
            found += inner
            if len(found) > _MOST_READS:
                raise ValueError("too many reads")
        return found

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
        self._check_length(len(tokens))
        return self.reads(tokens, at), close + 1

    def compound(self, token: str, at: int, end: int) -> tuple[list[Node], int]:
        """Return what a loop or a condition reads, and the index of the next statement."""
        close = self.closing(at + 1)
        self._check_length(close - at)
        inside = self.tokens[at + 2 : close]
        text, head = " ".join(inside), self.reads(inside, at + 2)
        body, after = self.statement(close + 1, end) if close + 1 < end else ([], end)
        if token != "if":
            return self.loop(text, head, body), after
        other: list[Node] = []
        if after < end and self.tokens[after] == "else":
            other, after = self.statement(after + 1, end)
        return self.condition(text, head, body, other), after

    def _check_length(self, length: int) -> None:
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

    def call(self, name: str) -> list[Node]:
        """Return what a function reads; recursive calls count as reading nothing."""
        if name not in self.called:
            self.called[name] = []
            self.called[name] = self.block(*self.functions[name])
        return self.called[name]

    def assigned(self, tokens: Sequence[str], at: int) -> str:
        """Return the name to which the call at this index is assigned."""
        names = re.findall(r"(\w+) (?:\[ [^=]*\] )?= ", " ".join(tokens[: at + 1]))
        return names[-1] if names else ""


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


def branch_of(inside: str, body: Sequence[Node], other: Sequence[Node]) -> Branch | None:
    """Return the branch of a condition that compares a value with a literal; None for other conditions."""
    test = re.fullmatch(r"""(\w+)(?: \[ 0 \])? == (?:['"]([!-~]+)['"]|(-?\d+))""", inside)
    if test is None:
        return None
    return Branch(name=test[1], literal=test[2] or test[3], body=tuple(body), other=tuple(other))


@dataclass(kw_only=True)
class _Reading(Statements):
    """Finds the reads of a program's main function, entering functions at their calls."""

    sizes: dict[str, str] = field(default_factory=dict)  # of arrays, by their names

    def condition(self, inside: str, head: list[Node], body: list[Node], other: list[Node]) -> list[Node]:
        """Return the reads of two branches, if a number tells them apart; else of the first branch."""
        branch = branch_of(inside, body, other) if body or other else None
        return [*head, *([branch] if branch is not None else body or other)]

    def loop(self, inside: str, head: list[Node], body: list[Node]) -> list[Node]:
        """Return the reads of a loop."""
        if not body or (head and ";" not in inside):  # while (scanf("%d", &n) != EOF)
            return [*head, *body]
        return [Loop(count=self._count(inside), body=tuple(body))]

    def _note_sizes(self, tokens: Sequence[str]) -> None:
        text = " ".join(tokens)
        for match in re.finditer(r"(\w+) (?:= new \w+ )?(?:\[ ([^\]]+) \]|\( ([^,()]+)[,)])", text):
            self.sizes.setdefault(match[1], (match[2] or match[3]).replace(" ", ""))

    def _count(self, inside: str) -> str:
        """Return how often a loop runs, from its header; "" if unknown."""
        parts = inside.replace(" ", "").split(";")
        if len(parts) < 3:
            if over := re.search(r":([A-Za-z_]\w*)$", parts[0]):  # for (int &x : a)
                return self.sizes.get(over[1], "")
            left = re.match(r"([A-Za-z_]\w*)(--|-->0|>0|!=0)?(&&.*)?$", parts[0])
            return left[1] if left else ""
        start = re.search(r"=(\d+)", parts[0])
        bound = re.search(r"\w+(<=|<|!=)([\w.*+()-]+)", parts[1])
        if bound is None:
            return ""
        return f"{bound[2]}{'+1' if bound[1] == '<=' else ''}-{start[1] if start else 0}"

    def reads(self, tokens: Sequence[str], begin: int) -> list[Node]:
        """Return the reads of a statement, in order. begin: the index of its first token."""
        self._note_sizes(tokens)
        if "scanf" in tokens:
            at = tokens.index("scanf")
            text = tokens[at + 2] if len(tokens) > at + 2 else ""
            names = re.findall(r"&?([A-Za-z_]\w*)(?:\[[^,]*)?(?:,|\)|$)", "".join(tokens[at + 3 :]))
            kinds = _FORMAT.findall(text)
            pairs = zip(kinds, [*names, *[""] * len(kinds)], strict=False)
            return [value_of(_scanned(conversion), name) for conversion, name in pairs]
        if line := next((word for word in ("gets", "fgets", "getline", "gets_s") if word in tokens), None):
            at = tokens.index(line) + 2
            at += 2 if tokens[at : at + 1] == ["cin"] else 0  # getline(cin, s)
            return [value_of("word", tokens[at])] if at < len(tokens) else []
        if "cin" in tokens and ">>" in tokens:
            parts = " ".join(tokens[tokens.index("cin") + 1 :]).split(">>")[1:]
            names = [part.split()[0] for part in parts if part.split()]
            return [value_of(self._declared.get(name, "integer"), name) for name in names]
        nodes: list[Node] = []
        for at, token in enumerate(tokens):
            if tokens[at + 1 : at + 2] != ["("] or not re.match(r"[A-Za-z_]", token):
                continue
            name = self.assigned(tokens, at)
            is_reader = _METHODS.fullmatch(token) and (tokens[at - 1 : at] == ["."] or token in self.functions)
            if token == "readLine" and "StringTokenizer" in tokens[:at]:
                continue  # the tokens are read one by one
            if token in ("readLine", "nextLine") and "split" in tokens[at:]:
                fields = self._split_line(name, begin + len(tokens))
                if '""' in tokens[at:]:  # a word in letters
                    count = fields[0].count if isinstance(fields[0], Loop) else "1"
                    fields = [Value(kind="word", length=(count, count))]
                nodes += [Newline(), *fields, Newline()]
                continue
            if is_reader and tokens[at + 2 : at + 3] != [")"]:
                count = "".join(tokens[at + 2 : tokens.index(")", at)])
                nodes += [Newline(), _listed(count, "integer"), Newline()]
            elif is_reader:
                kind = next((kind for pattern, kind in _KINDS if pattern.fullmatch(token.lower())), "word")
                around = set(tokens[:at])
                if kind == "word" and around & {"parseInt", "parseLong", "valueOf"}:
                    kind = "integer"
                nodes.append(value_of(kind, name))
            elif token in self.functions:
                nodes += self.call(token)
        return nodes

    def _split_line(self, name: str, at: int) -> Sequence[Node]:
        """Return a line split at its spaces: its fields are the list's items used before the next line is read."""
        end = next(
            (at + far for far, token in enumerate(self.tokens[at:]) if token in ("readLine", "nextLine")), None
        )
        text = " ".join(self.tokens[at:end])
        kind = "integer" if re.search(rf"parse\w+ \( {name} \[", text) else "word"
        fields = {int(match[2]): match[1] for match in re.finditer(rf"(\w+) = [\w. (]*\b{name} \[ (\d+) \]", text)}
        for match in re.finditer(rf"\b{name} \[ (\d+) \]", text):
            fields.setdefault(int(match[1]), f"x{match[1]}")
        if fields:
            values = [value_of(kind, fields.get(place, f"x{place}")) for place in range(max(fields) + 1)]
            return [node for value in values for node in (Space(), value)][1:]
        ends = re.findall(r"< ([\w.]+) ;", text[: text.find(f"{name} [")])
        count = self.sizes.get(ends[-1].partition(".")[0], ends[-1]) if ends else ""
        return [_listed(count, kind)]

    @cached_property
    def _declared(self) -> dict[str, str]:
        """The kinds of the variables that are declared as text or as floating-point numbers."""
        kinds: dict[str, str] = {}
        for types, kind in (("string|char", "word"), ("double|float", "decimal")):
            for match in re.finditer(rf"\b(?:{types})\b([^;()]*)", " ".join(self.tokens)):
                for name in re.findall(r"\w+", match[1]):
                    kinds.setdefault(name, kind)
        return kinds


def _scanned(conversion: str) -> str:
    """Return the kind of value that scanf reads by a conversion such as `lld` or `s`."""
    words = {"c": "letter", "s": "word", "[": "word"}
    return words.get(conversion, "decimal" if "f" in conversion else "integer")


def _listed(count: str, kind: str) -> Loop:
    """Return values on a line."""
    return Loop(count=count, body=(value_of(kind, ""),), separator=Space())


def _in_lines(nodes: Sequence[Node], *, row: bool = False) -> list[Node]:
    """Add the ends of lines: consecutive numbers share a line; words and repeated numbers have their own.

    row: the lines repeat, and words follow numbers on the same line.
    """
    lines: list[Node] = []
    line: list[Node] = []  # the last, without its end
    for node in nodes:
        if isinstance(node, Branch):
            end = [] if node.name in map(_name, line) else _ended(line)
            lines, line = [*lines, *line, *end, replace(node, body=_form(node.body), other=_form(node.other))], []
            continue
        if not (isinstance(node, Value) and _go_together(line, node, row=row)) and not isinstance(node, Space):
            lines, line = [*lines, *line, *_ended(line)], []
        if isinstance(node, Loop) and node.separator is None:
            lines += _repeated(node, _in_lines(node.body, row=True))
        elif not isinstance(node, Newline):
            line.append(node)
    return [*lines, *line, *_ended(line)]


def _ended(line: Sequence[Node]) -> list[Node]:
    return [Newline()] if line else []


def _repeated(loop: Loop, body: Sequence[Node]) -> list[Node]:
    """Return repeated lines; numbers and letters that are read one by one are on a line."""
    match body:
        case [Value() as value, Newline()] if value.kind != "word" or value.length == ("1", "1"):
            return [replace(loop, body=(value,)), Newline()]
    return [replace(loop, body=tuple(body))] if body else []


def _form(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return the lines of a form, the first of which continues a line if it can."""
    lines = _in_lines(nodes, row=True)
    is_block = isinstance(next(iter(lines), None), Loop) and lines[1:2] != [Newline()]
    return (Newline(), *lines) if is_block else tuple(lines)


def _decided(nodes: Sequence[Node], counting: Set[str], names: Set[str] = frozenset()) -> tuple[Node, ...]:
    """Return the reads with branches only where a number that counts nothing decides; else with the first branch.

    names: of numbers that are read before.
    """
    decided: list[Node] = []
    for node in nodes:
        names |= {_name(node)} - counting
        if isinstance(node, Loop):
            decided.append(replace(node, body=_decided(node.body, counting)))
        elif not isinstance(node, Branch):
            decided.append(node)
        elif node.literal.isdigit() and node.name in names:
            body, other = (_decided(part, counting, names) for part in (node.body, node.other))
            decided.append(replace(node, body=body, other=other))
        else:
            decided += _decided(node.body or node.other, counting, names)
    return tuple(decided)


def _name(node: Node) -> str:
    return node.name if isinstance(node, Value) and node.kind == "integer" else ""


def _go_together(line: Sequence[Node], more: Value, *, row: bool) -> bool:
    """Return whether a value continues the line. row: see `_in_lines`."""
    if line and isinstance(line[-1], Space):  # a line that is split at its spaces
        return True
    values = [node for node in (*line, more) if isinstance(node, Value)]
    has_words = any(value.kind == "word" and not value.length[0] for value in values)
    return len(values) == len(line) + 1 and (not has_words or (row and values[0].kind == "integer"))
