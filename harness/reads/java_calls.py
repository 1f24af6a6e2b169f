"""Find what calls of readers in Java read, such as `in.nextInt()` or `reader.readLine().split(" ")`."""

import itertools
import re
from bisect import bisect_left
from collections.abc import Collection, Sequence, Set
from dataclasses import field, replace
from functools import cached_property

from harness.reads.control_flow import ControlFlow
from harness.reads.nodes import Loop, Newline, Node, ReadValue, Space
from harness.reads.program_shapes import value_of
from harness.values import dataclass

_KINDS = (
    (
        re.compile(
            r"(get_?)?(next|read|in)?_?(int|long|ll|i64|integer|short|byte|big(integer|int))"
            r"|n[il]|[il]scan|i(n|nt)?|ll?"
        ),
        "integer",
    ),
    (re.compile(r"(get_?)?(next|read)?_?(double|float|dbl)|nd|dscan"), "decimal"),
)
_TYPES = {
    **dict.fromkeys(("int", "long", "short", "byte", "Integer", "Long", "BigInteger"), "integer"),
    **dict.fromkeys(("double", "float", "Double", "BigDecimal"), "decimal"),
    **dict.fromkeys(("String", "char", "Character", "StringBuilder"), "word"),
}
_NO_VALUES = ("void", "boolean", "new", "return", "")
_READERS = re.compile(r"(next|read)(?!Permutation|Element|Gaussian|Boolean|Prime)\w*|n[ilsd]|[ilsd]scan")
# If the program defines them, and they read.
_OWN_READERS = re.compile(r"get_?([nN]ext|[rR]ead|Int|Long|Double|Str|String|Char|Line)\w*")
_INPUTS = {
    *("System", "InputStream", "InputStreamReader", "DataInputStream", "BufferedReader", "Reader", "Scanner"),
    *("StreamTokenizer", "StringTokenizer", "readLine", "nextToken", "getchar", "fread", "stdin"),
}
_READER_METHODS = re.compile(r"(next|read)(Int|Long|Line|String|Token|Double)?")
_LINES = ("readLine", "nextLine")
_PARSERS = {"parseInt", "parseLong", "valueOf", "mapToInt", "mapToLong"}
_PARSER_LENGTH = 20  # tokens of a function that only converts a word
_MOST_FIELDS = 100  # of a line
_FAR = 600  # tokens after a read in which the line is used
_NO_READERS = re.compile(  # variables with random numbers, or that go through a collection
    r"\bRandom (\w+)|\b(?:List)?Iterator\b[^;={}()]{0,120}?(\w+) [=:]|\b(\w+) = [\w. ]{0,60}\. iterator \("
)
_REPEATED = re.compile(r"\bsetAll \( (\w+) ,|\brange \( \w+ , ([\w.]+) \)")
_TABLE = re.compile("matrix|grid|2d|table", re.IGNORECASE)


@dataclass(kw_only=True)
class JavaCalls(ControlFlow):
    """Finds what calls read; braces.py adds the rest. sizes: of arrays, by name. entered: classes, once followed."""

    sizes: dict[str, str] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)

    def main(self) -> list[Node]:
        """Return what the main function reads, after the fields of its class."""
        at = self.functions.get("main", (0, 0))[0]
        around = [name for name, (begin, end) in self._classes.items() if begin <= at < end]
        return [*(self._fields(around[-1]) if around else ()), *super().main()]

    def calls(self, tokens: Sequence[str], begin: int) -> list[Node]:
        """Return the reads of a statement's calls, in order. begin: the index of its first token."""
        if list(tokens[1:]) == [".", "nextLine", "(", ")"] and self._reads_words:
            return []  # the rest of a line whose numbers are read
        arrow = next((at for at, pair in enumerate(itertools.pairwise(tokens)) if pair == ("-", ">")), 0)
        repeated = _REPEATED.search(" ".join(tokens[:arrow]))
        if repeated is not None:
            inside = tokens[arrow + 2 :]
            at = begin + arrow + 2
            body = self.block(at + 1, self.closing(at)) if inside[:1] == ["{"] else self.calls(inside, at)
            count = self.sizes.get(repeated[1], "") if repeated[1] else repeated[2]
            return [Loop(count=count, body=tuple(body))] if body else []
        nodes: list[Node] = []
        for at, token in enumerate(tokens):
            if tokens[at + 1 : at + 2] == ["("] and re.match(r"[A-Za-z_]", token):
                nodes += self._read_of(tokens, at, begin)
            elif token in ("nval", "sval"):
                nodes.append(value_of("integer" if token == "nval" else "word", self.assigned(tokens, at)))
        return nodes

    def _read_of(self, tokens: Sequence[str], at: int, begin: int) -> list[Node]:
        """Return the reads of the call at an index of a statement."""
        token, before = tokens[at], tokens[at - 1] if at else ""
        if (before == "." and tokens[at - 2] in self._no_readers) or token in self._reader_classes:
            return []
        is_line = token in _LINES or token in self._splitting
        if is_line or (token == "next" and _takes_letters(tokens[at:])):
            line = self._line(tokens, at, begin + len(tokens))
            if line is not None:
                return line
        arguments = "".join(tokens[at + 2 : tokens.index(")", at)]).split(",")
        if kind := self._kind_of_read(token, before):
            if arguments == [""]:
                return [value_of(self._converted(kind, tokens[:at]), self.assigned(tokens, at))]
            if token in self.functions and is_of_rows(nodes := self.call(token, arguments)):
                return nodes
            return [] if token in ("read", "next") else _array(token.lower(), arguments, kind)
        fields = self._fields(token) if before == "new" else []
        return [*fields, *self._called(tokens, at, arguments)] if token in self.functions else fields

    def _called(self, tokens: Sequence[str], at: int, arguments: Sequence[str]) -> Sequence[Node]:
        """Return the reads of the called function; a single value has the name to which the call is assigned."""
        nodes, name = self.call(tokens[at], arguments), self.assigned(tokens, at)
        match nodes:
            case [ReadValue() as value] if name:
                return [replace(value, name=name)]
        return nodes

    def _converted(self, kind: str, before: Sequence[str]) -> str:
        """Return the kind of a value that is converted where it is read. before: the tokens before the read."""
        if kind == "word" and not (_PARSERS | self._parsers).isdisjoint(before):
            return "integer"
        return "decimal" if kind == "word" and "parseDouble" in before else kind

    def _kind_of_read(self, token: str, before: str) -> str:
        """Return the kind of value that a method reads; "" if it reads none."""
        is_defined = token in self.functions
        does_read = token in self._own_methods or token in self._own_reads
        if is_defined and (self.types[token] == "void" or not does_read):
            return ""
        is_own = token in self._own_methods or (is_defined and _OWN_READERS.fullmatch(token))
        if not is_own and not (_READERS.fullmatch(token) and (before == "." or is_defined)):
            return ""
        if token == "nextToken" and self._is_tokenized:
            return ""  # the words are taken from the tokenizer
        by_name = next((kind for pattern, kind in _KINDS if pattern.fullmatch(token.lower())), "word")
        return _TYPES.get(self.types.get(token, "").rstrip("[]"), by_name) if token in self.functions else by_name

    def _line(self, tokens: Sequence[str], at: int, end: int) -> list[Node] | None:
        """Return the fields of a line that is split; None: it is not split. end: the index after the statement."""
        token, name, after = tokens[at], self.assigned(tokens, at), tokens[at:]
        if token in _LINES and "StringTokenizer" in tokens[:at]:
            return []  # the words are read one by one
        fields: Sequence[Node] = ()
        if token in self._splitting:
            if after[2:3] == [")"]:
                fields = self._split_line(name, end, _TYPES.get(self.types[token].rstrip("[]"), "word"))
        elif "split" in after:
            fields = self._split_line(name, end, "integer" if _PARSERS & set(tokens) else "word")
            fields = [_word_of_letters(fields)] if _takes_letters(after) else fields
        elif name:
            fields = self._later_split(name, end)
        return [Newline(), *fields, Newline()] if fields else None

    def _fields(self, name: str) -> list[Node]:
        """Return what the initial values of a class's fields read; nothing at the second call."""
        if name in self.entered or name not in self._classes or name in self._reader_classes:
            return []
        self.entered.add(name)
        nodes: list[Node] = []
        begin, end = self._classes[name]
        at = begin
        while at < end:
            if self.tokens[at] in "([{":
                at = self.closing(at)
                begin = at + 1 if self.tokens[at] == "}" else begin
            elif self.tokens[at] == ";":
                self.check_length(at - begin)
                if "=" in self.tokens[begin:at]:
                    nodes += self.reads(self.tokens[begin:at], begin)
                begin = at + 1
            at += 1
        return nodes

    def _split_line(self, name: str, at: int, kind: str) -> Sequence[Node]:
        """Return the fields of a line that is split at its spaces: the items of the list that are used.

        name: of the list, "" if it has none. at: the index after the statement.
        """
        if not name:
            return [_listed("", kind)]
        text = self._uses(name, at)
        converters = "|".join(("parse\\w+", *map(re.escape, sorted(self._parsers))))
        if re.search(
            rf"\b(?:{converters}) \( {name} \[|stream \( {name} \) [^;]*?mapTo|: {name} \)[^;]*?\bparse", text
        ):
            kind = "integer"
        text = re.sub(r"\. get \( (\w+) \)", r"[ \1 ]", text)
        fields = {int(match[2]): match[1] for match in re.finditer(rf"(\w+) = [\w. (]*\b{name} \[ (\d+) \]", text)}
        for match in re.finditer(rf"\b{name} \[ (\d+) \]", text):
            fields.setdefault(int(match[1]), f"x{match[1]}")
        use = re.search(rf"\b{name} \[", text)
        if fields and not re.search(rf"\b{name} \[ (?!\d+ \])", text):
            return _spaced([value_of(kind, fields.get(index, f"x{index}")) for index in _places(fields)])
        ends = re.findall(r"< ([\w.]+) ;", text[: use.start()]) if use else []
        count = self.sizes.get(ends[-1].partition(".")[0], ends[-1]) if ends else ""
        return [_listed(count, kind)]

    def _later_split(self, name: str, at: int) -> Sequence[Node]:
        """Return the fields of a line that a later statement splits; empty if none does. at: index to search from."""
        text = self._uses(name, at)
        match = re.search(rf"(?:(\w+) = )?\b{name} \. split \( (?!\"\" )", text)
        if match is None:
            return []
        kind = "integer" if re.search(rf"parse\w+ \( {name} \. split", text) else "word"
        if match[1]:
            return self._split_line(match[1], at + len(text[: match.end()].split(" ")), kind)
        places = [int(index) for index in re.findall(rf"\b{name} \. split \( [^()]* \) \[ (\d+) \]", text)]
        if not places:
            return [_listed("", "integer" if "parse" in text[match.end() :][:200] else kind)]
        return _spaced([value_of(kind, "") for _ in _places(places)])

    def _uses(self, name: str, at: int) -> str:
        """Return the tokens from an index on, up to where a variable is set again, as text."""
        return re.split(rf"\b{name} = ", " ".join(self.tokens[at : at + _FAR]), maxsplit=1)[0]

    @cached_property
    def _reads_words(self) -> bool:
        return not {"next", "nextInt", "nextLong", "nextDouble"}.isdisjoint(self.tokens)

    @cached_property
    def _is_tokenized(self) -> bool:
        return not {"nval", "sval"}.isdisjoint(self.tokens)

    @cached_property
    def _no_readers(self) -> set[str]:
        matches = _NO_READERS.findall(" ".join(self.tokens))
        return {name for names in matches for name in names if name} | {"ThreadLocalRandom"}

    @cached_property
    def _parsers(self) -> set[str]:
        """Return the functions that only convert a word to an integer."""
        return {
            name
            for name, (begin, end) in self.functions.items()
            if end - begin <= _PARSER_LENGTH and _PARSERS & set(self.tokens[begin:end])
        }

    @cached_property
    def _splitting(self) -> set[str]:
        """Return the functions that return the words of a line."""
        return self._naming({"split"}, 2, "]") - {"split"}  # `int[] nextInts() { return … nexts() … }`

    @cached_property
    def _own_methods(self) -> set[str]:
        """Return the methods of reader classes that return a value."""
        places = [self._classes[name] for name in self._reader_classes]
        methods = ((name, at) for name, (at, _) in self.functions.items() if self.types[name] not in _NO_VALUES)
        return {name for name, at in methods if any(begin <= at < end for begin, end in places)}

    @cached_property
    def _classes(self) -> dict[str, tuple[int, int]]:
        """Return the indexes at which the body of each class begins and ends."""
        classes: dict[str, tuple[int, int]] = {}
        for at, token in enumerate(self.tokens[:-1]):
            if token == "class":
                body = next((at + far for far, each in enumerate(self.tokens[at : at + 60]) if each == "{"), None)
                if body is not None:
                    classes[self.tokens[at + 1]] = (body + 1, self.closing(body))
        return classes

    @cached_property
    def _reader_classes(self) -> set[str]:
        """Return the reader classes: they name an input, and define methods such as `nextInt` for their callers."""
        tokens = self.tokens
        methods = [
            at
            for at, (before, token, after) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False))
            if _READER_METHODS.fullmatch(token) and after == "(" and re.match(r"\w|\]", before)
            if before not in ("return", "new")
        ]
        inputs = [at for at, token in enumerate(tokens) if token in _INPUTS]
        mains = [at for at, token in enumerate(tokens) if token == "main"]
        return {
            name
            for name, (begin, end) in self._classes.items()
            if _any_between(methods, begin, end)
            and _any_between(inputs, begin, end)
            and not _any_between(mains, begin, end)
        }

    @cached_property
    def _own_reads(self) -> set[str]:
        """Return the functions that read something, or call such a function."""
        return self._naming(_INPUTS | {"next", "nextInt", "nextLong", "nextLine", "read"}, 3)

    def _naming(self, words: Set[str], rounds: int, kind: str = "") -> set[str]:
        """Return the functions that name one of the words, or such a function. kind: the end of their types."""
        naming = set[str]()
        for _ in range(rounds):
            for name, (begin, end) in self.functions.items():
                if self.types[name].endswith(kind) and not (words | naming).isdisjoint(self.tokens[begin:end]):
                    naming.add(name)
        return naming


def _any_between(places: Sequence[int], begin: int, end: int) -> bool:
    """Return whether one of these sorted numbers is at least `begin` and below `end`."""
    at = bisect_left(places, begin)
    return at < len(places) and places[at] < end


def is_of_rows(nodes: Sequence[Node]) -> bool:
    """Return whether what is read has rows of several values."""
    loops = [node for node in nodes if isinstance(node, Loop)]
    return any(sum(isinstance(inner, ReadValue) for inner in loop.body) > 1 for loop in loops)


def _places(used: Collection[int]) -> range:
    """Return the indexes of all fields of a line, up to the last used one. Raises ValueError if they are too many."""
    if max(used) > _MOST_FIELDS:
        raise ValueError("too many fields")
    return range(max(used) + 1)


def _spaced(values: Sequence[ReadValue]) -> Sequence[Node]:
    """Return values with spaces between them."""
    return [node for value in values for node in (Space(), value)][1:]


def _takes_letters(tokens: Sequence[str]) -> bool:
    """Return whether a word is split into its letters."""
    return any(three == ("split", "(", '""') for three in zip(tokens, tokens[1:], tokens[2:], strict=False))


def _word_of_letters(fields: Sequence[Node]) -> ReadValue:
    """Return the word whose letters a program takes as a list of fields."""
    length = fields[0].count if isinstance(fields[0], Loop) else "1"
    inside = itertools.chain.from_iterable(node.body if isinstance(node, Loop) else (node,) for node in fields)
    has_digits = any(isinstance(value, ReadValue) and value.kind == "integer" for value in inside)
    word = value_of("digits" if has_digits else "word", "")
    return ReadValue(kind="word", letters=word.letters, length=(length, length))


def _array(method: str, arguments: Sequence[str], kind: str) -> list[Node]:
    """Return what a method with arguments reads: an array or a table. arguments: sizes, or first and last indices."""
    match arguments:
        case [first, last, left, right]:
            rows, columns = f"{last}-{first}+1", f"{right}-{left}+1"
        case [rows, columns, *_] if _TABLE.search(method):
            pass
        case ["0" | "1", size, *_] | [size, *_]:
            rows, columns = "", size
    if kind == "word" and ("str" in method or "char" in method):
        return [Loop(count=rows or columns, body=(value_of("word", ""),))]
    row: list[Node] = [Newline(), _listed(columns, "integer"), Newline()]
    return [Loop(count=rows, body=tuple(row))] if rows else row


def _listed(count: str, kind: str) -> Loop:
    """Return values on a line."""
    return Loop(count=count, body=(value_of(kind, ""),), separator=Space())
