"""Find the input that a C, C++ or Java program reads, from its loops and reading calls."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from harness.reads.control_flow import tokens_of_braces
from harness.reads.forms import with_forms
from harness.reads.java_calls import JavaCalls
from harness.reads.nodes import Condition, Loop, Node
from harness.reads.program_shapes import completed, in_lines, kinds_of_rows, value_of
from harness.values import dataclass

_HAS_NEXT = re.compile(r"\w+ \. (?:hasNext\w*|ready) \( \)")
_ONE_TEST = re.compile(r"= \w+ \? 1 :")  # `int tests = singleTest ? 1 : in.nextInt();`
_FEW = 10  # first tokens of a statement in which `_ONE_TEST` is sought
_LITERAL = re.compile(  # `t == 1`, `c.equals("add")`: the forms of lines may differ
    r"""(\w+) (?:== (?:(\d+)|['"]([!-~]{2,})['"])|\. equals \( "([!-~]{2,})" \))"""
)
_EQUALITY = re.compile(r"if \( (\w+) == (\d{1,3}) \)")
_LONG = 1000  # tokens of a switch that are looked at
_NEAR = 100  # tokens of a statement after a condition that are looked at
_FORMAT = re.compile(r"%\*?\d*(lld|ld|d|i|u|llu|lu|I64d|lf|f|Lf|s|c|\[)")


def reads_of_braces(source: str) -> list[Node]:
    """Return the lines that a program seems to read. Where it reads word by word, the ends of lines are guessed."""
    reading = _Reading(tokens=tokens_of_braces(source))
    compared = {variable: kinds_of_rows(chains) for variable, chains in reading.compared().items()}
    return completed(in_lines(with_forms(reading.main(), compared)), reading.constants(), compared)


@dataclass(kw_only=True)
class _Reading(JavaCalls):
    """Finds the reads of the main function: those of C and C++ here, those of calls as in Java by JavaCalls."""

    def condition(self, inside: str, head: list[Node], body: list[Node], other: list[Node]) -> list[Node]:
        """Return the reads of the first branch that reads; a Condition if a literal decides what is read."""
        constant = self._flags.get(inside.removeprefix("! "))
        if constant is not None:
            return [*head, *(body if constant != inside.startswith("!") else other)]
        literal = _LITERAL.fullmatch(inside)
        if body != other and literal is not None:
            word = next(filter(None, literal.groups()[1:])).encode()
            return [*head, Condition(variable=literal[1], word=word, body=tuple(body), other=tuple(other))]
        return [*head, *(body or other)]

    def loop(self, inside: str, head: list[Node], body: list[Node]) -> list[Node]:
        """Return the reads of a loop."""
        if not body or (head and ";" not in inside) or _HAS_NEXT.match(inside):  # while (scanf("%d", &n) != EOF)
            return [*head, *body]
        return [Loop(count=self._count(inside), body=tuple(body))]

    def _note_sizes(self, tokens: Sequence[str]) -> None:
        text = " ".join(tokens)
        for match in re.finditer(r"\b(\w+) (?:= new \w+ )?(?:\[ ([^\]]+) \]|\( ([^,()]+)[,)])", text):
            self.sizes.setdefault(match[1], (match[2] or match[3]).replace(" ", ""))

    def _count(self, inside: str) -> str:
        """Return how often a loop runs, as an expression of its header; "" if unknown."""
        parts = inside.replace(" ", "").split(";")
        if len(parts) < 3:
            if over := re.search(r":([A-Za-z_]\w*)$", parts[0]):  # for (int &x : a)
                return self.sizes.get(over[1], "")
            left = re.match(r"([A-Za-z_]\w*)(--|-->0|--!=0|>0|!=0)?(&&.*)?$", parts[0])
            return left[1] if left else ""
        start = re.search(r"=(\d+)", parts[0])
        bound = re.search(r"\b\w+(<=|<|!=)([\w.*+()-]+)", parts[1])
        if bound is None:
            return ""
        return f"{bound[2]}{'+1' if bound[1] == '<=' else ''}-{start[1] if start else 0}"

    def constants(self) -> dict[str, str]:
        """Return the numbers of the variables that are set only once, to a number: `int t = 1;`."""
        return {name: value for name, value in self._set_once.items() if value.isdigit()}

    def reads(self, tokens: Sequence[str], begin: int) -> list[Node]:
        """Return the reads of a statement, in order. begin: the index of its first token."""
        self._note_sizes(tokens)
        if _ONE_TEST.search(" ".join(tokens[:_FEW])):
            return []
        if "scanf" in tokens:
            at = tokens.index("scanf")
            text = tokens[at + 2] if len(tokens) > at + 2 else ""
            names = re.findall(r"\b([A-Za-z_]\w*)(?:\[[^,]*)?(?:,|\)|$)", "".join(tokens[at + 3 :]))
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
        return self.calls(tokens, begin)

    def compared(self) -> dict[str, list[list[int | None]]]:
        """Return the numbers with which each chain of `if`, or `switch`, compares a variable; None: `else`."""
        chains: dict[str, list[list[int | None]]] = {}
        for at, token in enumerate(self.tokens):
            test = _EQUALITY.fullmatch(" ".join(self.tokens[at : at + 6])) if token == "if" else None
            if test is not None:
                chain = chains.setdefault(test[1], [])
                if self.tokens[at - 1] != "else" or not chain:
                    chain.append([])
                chain[-1].append(int(test[2]))
                end = self._end_of_statement(at + 6)
                after = self.tokens[end : end + 4]
                if after[:1] == ["else"] and after[1:] != ["if", "(", test[1]]:
                    chain[-1].append(None)
            elif token == "switch" and self.tokens[at + 3 : at + 5] == [")", "{"]:
                inside = self.tokens[at + 5 : min(at + _LONG, self.closing(at + 4))]
                cases = [case for word, case in itertools.pairwise(inside) if word == "case" and case.isdigit()]
                numbers = [*(int(case[:9]) for case in cases), *([None] if "default" in inside else [])]
                chains.setdefault(self.tokens[at + 2], []).append(numbers)
        return chains

    def _end_of_statement(self, at: int) -> int:
        """Return the index after the statement at this index, which must not begin with a condition."""
        if self.tokens[at : at + 1] == ["{"]:
            return self.closing(at) + 1
        near = enumerate(self.tokens[at : at + _NEAR], at + 1)
        return next((after for after, token in near if token == ";"), len(self.tokens))

    @cached_property
    def _flags(self) -> dict[str, bool]:
        """Return the variables that are always true, or always false."""
        return {name: value == "true" for name, value in self._set_once.items() if value in ("true", "false")}

    @cached_property
    def _set_once(self) -> dict[str, str]:
        """Return the variables, no parameters, that are set only once, to a number or truth value, and that."""
        text = " ".join(self.tokens)
        parameters = set(re.findall(r"\b(?:int|long|ll|auto|boolean|bool) (?:& )?(\w+) [,)]", text))
        times_set = Counter(re.findall(r"\b(\w+) (?:(?:[-+*/%&|^]|<<|>>) )?(?:= |\+\+)", text))
        values = re.findall(r"\b(\w+) = (?:(\d+|true|false) [;,]|\w+ \? (1) : )", text)
        value_of = {name: value or flag for name, value, flag in values if times_set[name] == 1}
        return {name: value for name, value in value_of.items() if name not in parameters}

    @cached_property
    def _declared(self) -> dict[str, str]:
        """Return the kinds of the variables that are declared as text or as floating-point numbers."""
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
