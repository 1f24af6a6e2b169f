"""Find the input that a C, C++ or Java program reads, from its loops and reading calls."""

import re
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Generic, TypeVar

from harness.reads.steps import Choice, Count, Line, Read, Repeat, Step
from harness.values import dataclass

_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(
    r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[A-Za-z_]\w*|\d[\w.]*|>>|<<|--|\+\+|<=|>=|==|&&|\|\||[^\s\w]"
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
_STARTS = ("main", "run", "solve")  # `run`: of a thread that `main` starts
_METHODS = re.compile(r"(next|read)\w*|n[ilsd]|[ilsd]scan")  # of readers: `in.nextInt()`
_LISTS = re.compile(r"(?:next|read|get)?_?(int|long)_?(?:array|arr|s)|n[al]+")
_FORMAT = re.compile(r"%\*?\d*(lld|ld|d|i|u|llu|lu|I64d|lf|f|Lf|s|c|\[)")


def steps_of_braces(source: str) -> list[Step]:
    """Return the lines that the program seems to read; for reads word by word the lines are guessed."""
    return _in_lines(_Reading(tokens=tokens_of_braces(source)).main())


def tokens_of_braces(source: str) -> list[str]:
    """Return the tokens of a source in C, C++ or Java, without comments and directives."""
    return _TOKEN.findall(_NOISE.sub(" ", source))


T = TypeVar("T")


@dataclass(kw_only=True)
class Statements(Generic[T]):
    """Walks the statements of a program in C, C++ or Java. Positions are indices of tokens."""

    tokens: list[str]
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)
    called: dict[str, list[T]] = field(default_factory=dict)  # what functions read

    def __post_init__(self) -> None:
        for at, token in enumerate(self.tokens):
            if token == "(" and at and re.match(r"[A-Za-z_]\w*$", self.tokens[at - 1]):
                end = self.closing(at) + 1
                while end < len(self.tokens) and re.match(r"throws|\w*Exception$|Throwable|,", self.tokens[end]):
                    end += 1
                is_defined = end < len(self.tokens) and self.tokens[end] == "{"
                if is_defined and self.tokens[at - 1] not in ("if", "for", "while", "switch", "catch"):
                    self.functions.setdefault(self.tokens[at - 1], (end + 1, self.closing(end)))

    def main(self) -> list[T]:
        """Return what the main function reads."""
        starts = [name for name in _STARTS if name in self.functions]
        return next(filter(None, (self.block(*self.functions[name]) for name in starts)), [])

    def closing(self, at: int) -> int:
        """Return the index of the closing bracket."""
        depth, pairs = 0, {"(": ")", "{": "}", "[": "]"}
        opening, closing = self.tokens[at], pairs[self.tokens[at]]
        for place in range(at, len(self.tokens)):
            depth += (self.tokens[place] == opening) - (self.tokens[place] == closing)
            if depth == 0:
                return place
        return len(self.tokens) - 1

    def block(self, at: int, end: int) -> list[T]:
        """Return what the statements between two indices read."""
        found: list[T] = []
        while at < end:
            inner, at = self.statement(at, end)
            found += inner
            if len(found) > _MOST_READS:
                raise ValueError("too many reads")
        return found

    def statement(self, at: int, end: int) -> tuple[list[T], int]:
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
        return self.reads(self.tokens[at:close], at), close + 1

    def compound(self, token: str, at: int, end: int) -> tuple[list[T], int]:
        """Return what a loop or a condition reads, and the index of the next statement."""
        raise NotImplementedError

    def reads(self, tokens: Sequence[str], begin: int) -> list[T]:
        """Return what a simple statement reads, in order. begin: the index of its first token."""
        raise NotImplementedError

    def call(self, name: str) -> list[T]:
        """Return what a function reads; recursive calls count as reading nothing."""
        if name not in self.called:
            self.called[name] = []
            self.called[name] = self.block(*self.functions[name])
        return self.called[name]

    def assigned(self, tokens: Sequence[str], at: int) -> str:
        """Return the name to which the call at this index is assigned."""
        for place in range(at, -1, -1):
            if tokens[place] == "=" and place:
                name = place - 1
                while name > 0 and tokens[name] == "]":
                    name -= 1
                    while name > 0 and tokens[name] != "[":
                        name -= 1
                    name -= 1
                return tokens[name]
        return ""


@dataclass(kw_only=True)
class _Reading(Statements[Step]):
    """Finds the reads of a program's main function, entering functions at their calls."""

    sizes: dict[str, str] = field(default_factory=dict)  # of arrays, by their names

    def compound(self, token: str, at: int, end: int) -> tuple[list[Step], int]:
        """Return the steps of a loop or a condition, and the index of the next statement."""
        close = self.closing(at + 1)
        inside = self.tokens[at + 2 : close]
        body, after = self.statement(close + 1, end) if close + 1 < end else ([], end)
        head = self.reads(inside, at + 2)
        if token == "if":
            other: list[Step] = []
            if after < end and self.tokens[after] == "else":
                other, after = self.statement(after + 1, end)
            return [*head, *_chosen(inside, body, other)], after
        if not body or (token == "while" and head):  # while (scanf("%d", &n) != EOF)
            return [*head, *body], after
        return [Repeat(count=self._count(inside), steps=tuple(body))], after

    def _note_sizes(self, tokens: Sequence[str]) -> None:
        text = " ".join(tokens)
        for match in re.finditer(r"(\w+) (?:= new \w+ )?(?:\[ ([^\]]+) \]|\( ([^,()]+)[,)])", text):
            self.sizes.setdefault(match[1], (match[2] or match[3]).replace(" ", ""))
        if made := re.search(r"(\w+) (?:\[ \] )*= new \w+ \[ ([^\]]+) \]", text):
            self.sizes[made[1]] = made[2].replace(" ", "")

    def _count(self, inside: Sequence[str]) -> Count | None:
        """Return how often a loop runs, from its header."""
        text = "".join(" ; " if token == ";" else token for token in inside)
        parts = text.split(" ; ")
        if len(parts) < 3:
            if over := re.search(r":([A-Za-z_]\w*)$", text):  # for (int &x : a)
                return Count.of(self.sizes.get(over[1], ""))
            left = re.match(r"([A-Za-z_]\w*)(--|-->0|>0|!=0)?(&&.*)?$", text)
            return Count.of(left[1]) if left else None
        start = re.search(r"=(-?\w+)", parts[0])
        bound = re.search(r"\w+(<=|<|!=)([\w.*+()-]+)", parts[1])
        if bound is None:
            down = re.search(r"=([\w+*-]+)$", parts[0])  # for (i = n - 1; i >= 0; i--)
            return Count.of(f"{down[1]}+1") if down else None
        most = re.sub(r"(\w+)\.(length|size\(\))", lambda match: self.sizes.get(match[1], "?"), bound[2])
        first = (start[1] if start else "0") if start is None or start[1].isdigit() else "0"
        return Count.of(
            f"{most}{'+1' if bound[1] == '<=' else ''}-{first}" if first != "0" or bound[1] == "<=" else most
        )

    def reads(self, tokens: Sequence[str], begin: int) -> list[Step]:
        """Return the reads of a statement, in order. begin: the index of its first token."""
        self._note_sizes(tokens)
        if "scanf" in tokens:
            at = tokens.index("scanf")
            text = tokens[at + 2] if len(tokens) > at + 2 else ""
            names = re.findall(r"&?([A-Za-z_]\w*)(?:\[[^,]*)?(?:,|\)|$)", "".join(tokens[at + 3 :]))
            kinds = _FORMAT.findall(text)
            pairs = zip(kinds, [*names, *[""] * len(kinds)], strict=False)
            return [_line(name, _scanned(conversion)) for conversion, name in pairs]
        if line := next((word for word in ("gets", "fgets", "getline", "gets_s") if word in tokens), None):
            at = tokens.index(line) + 2
            at += 2 if tokens[at : at + 1] == ["cin"] else 0  # getline(cin, s)
            return [_line(tokens[at], "word")] if at < len(tokens) else []
        if "cin" in tokens and ">>" in tokens:
            parts = " ".join(tokens[tokens.index("cin") + 1 :]).split(">>")[1:]
            names = [part.split()[0] for part in parts if part.split()]
            return [_line(name, self._declared(name)) for name in names]
        steps: list[Step] = []
        for at, token in enumerate(tokens):
            if tokens[at + 1 : at + 2] != ["("] or not re.match(r"[A-Za-z_]", token):
                continue
            is_method = at > 0 and tokens[at - 1] == "."
            name = self.assigned(tokens, at)
            listed = _LISTS.fullmatch(token.lower())
            is_reader = is_method or token in self.functions
            if token == "readLine" and "StringTokenizer" in tokens[:at]:
                continue  # the tokens are read one by one
            if token in ("readLine", "nextLine") and "split" in tokens[at:]:
                fields = self._split_line(name, begin + len(tokens))
                steps.append(_in_letters(fields) if '""' in tokens[at:] else fields)
                continue
            if (listed or _METHODS.fullmatch(token)) and tokens[at + 2 : at + 3] != [")"] and is_reader:
                count = Count.of("".join(tokens[at + 2 : tokens.index(")", at)]))
                steps.append(Line(reads=(Read(name=name, kind="integer", many=True, count=count),)))
            elif _METHODS.fullmatch(token) and is_reader:
                kind = next((kind for pattern, kind in _KINDS if pattern.fullmatch(token.lower())), "word")
                around = set(tokens[:at])
                if kind == "word" and around & {"parseInt", "parseLong", "valueOf"}:
                    kind = "integer"
                steps.append(_line(name, "letter" if kind == "word" and "charAt" in tokens[at:] else kind))
            elif token in self.functions:
                steps += self.call(token)
        return steps

    def _split_line(self, name: str, at: int) -> Line:
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
            reads = [Read(name=fields.get(place, f"x{place}"), kind=kind) for place in range(max(fields) + 1)]
            return Line(reads=tuple(reads))
        ends = re.findall(r"< ([\w.]+) ;", text[: text.find(f"{name} [")])
        count = Count.of(self.sizes.get(ends[-1].partition(".")[0], ends[-1])) if ends else None
        return Line(reads=(Read(name=name, kind="integer" if "parse" in text else kind, many=True, count=count),))

    def _declared(self, name: str) -> str:
        """Return the kind of a variable, by its type."""
        text = " ".join(self.tokens)
        if re.search(rf"\b(string|char)\b[^;()]*\b{re.escape(name)}\b", text):
            return "word"
        if re.search(rf"\b(double|float)\b[^;()]*\b{re.escape(name)}\b", text):
            return "decimal"
        return "integer"


def _scanned(conversion: str) -> str:
    """Return the kind of value that scanf reads by a conversion such as `lld` or `s`."""
    words = {"c": "letter", "s": "word", "[": "word"}
    return words.get(conversion, "decimal" if "f" in conversion else "integer")


def _line(name: str, kind: str) -> Line:
    return Line(reads=(Read(name=name, kind=kind),))


def _in_letters(line: Line) -> Line:
    """Return a line that is split at every letter, which is a word."""
    return Line(reads=tuple(replace(read, kind="letter", many=False) for read in line.reads[:1]))


def _chosen(inside: Sequence[str], body: list[Step], other: list[Step]) -> list[Step]:
    """Return the steps of two branches: forms, if a number distinguishes them; else the first branch."""
    test = re.fullmatch(r"\w+==(\d+)", "".join(inside))
    if test is None or not (body or other):
        return body or other
    forms = [(test[1], tuple(body))]
    if len(other) == 1 and isinstance(other[0], Choice):
        forms += other[0].forms
    elif other:
        forms.append((str(int(test[1]) + 1), tuple(other)))
    return [Choice(forms=tuple(forms))]


def _in_lines(steps: Sequence[Step], *, row: bool = False) -> list[Step]:
    """Group reads into lines: consecutive numbers share a line; words and repeated numbers have their own.

    row: the lines repeat, and words follow numbers on the same line.
    """
    lines: list[Step] = []
    for step in steps:
        if isinstance(step, Repeat):
            inner = _in_lines(step.steps, row=True)
            flat = [read for line in inner if isinstance(line, Line) for read in line.reads]
            if len(inner) == len(flat) == 1 and flat[0].kind != "word" and not flat[0].many and not flat[0].count:
                read = flat[0]
                many = read.kind != "letter"  # letters read one by one are a word
                lines.append(Line(reads=(replace(read, many=many, count=step.count),)))
            elif inner:
                lines.append(Repeat(count=step.count, steps=tuple(inner)))
        elif isinstance(step, Choice):
            forms = tuple((token, tuple(_in_lines(form, row=True))) for token, form in step.forms)
            last = lines[-1] if lines else None
            if isinstance(last, Line) and all(read.kind == "integer" for read in last.reads):
                rest = last.reads[:-1]  # without the number that distinguishes the forms
                lines[-1:] = [Line(reads=rest)] if rest else []
            lines.append(Choice(forms=forms))
        elif lines and isinstance(lines[-1], Line) and _go_together(lines[-1], step, row=row):
            lines[-1] = Line(reads=(*lines[-1].reads, *step.reads))
        else:
            lines.append(step)
    return lines


def _go_together(line: Line, more: Line, *, row: bool) -> bool:
    """Return whether the reads of `more` continue the line. row: see `_in_lines`."""
    has_words = any(read.kind == "word" for read in (*line.reads, *more.reads))
    has_numbers = line.reads[0].kind == "integer"
    return not any(read.many for read in (*line.reads, *more.reads)) and (not has_words or (row and has_numbers))
