"""Mutant schemata: one C++ source that holds all mutants, each change beside the original, chosen at run time.

An expression becomes `(harness_mutant == 7 ? (changed) : (original))`, a statement an `if`. Every choice begins a line,
so that a compiler error names the mutants that do not type-check.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import field

from harness.mutate.cpp import table_swaps
from harness.mutate.cpp_statements import Node, parse, text_of
from harness.mutate.mutants import Mutant, Operator
from harness.values import dataclass

MARK = "harness_mutant"
PRELUDE = (
    'extern "C" int harness_chosen();\n'
    f"static int {MARK} = harness_chosen();\n"
    f'extern "C" void harness_choose(int number) {{ {MARK} = number; }}\n'
)
_MAIN = re.compile(r"\bmain\s*\(\s*(?:void\s*)?\)")
_COMMENT = re.compile(r"//[^\"]*$")
_CHOICE = re.compile(rf"{MARK} [!=]= (\d+)")
_ERROR = re.compile(r"^[^\s:]*program\.cpp:(\d+):\d+: error:", re.MULTILINE)
_FROM = re.compile(r"^\s*(?:from|required from[^\n]*?)\s+[^\s:]*program\.cpp:(\d+):", re.MULTILINE)

Span = tuple[int, int]


def schema_of(source: bytes, mutants: Iterable[Mutant]) -> str:
    """Write a C++ source that runs as the mutant whose number `harness_chosen()` returns; 0: the original."""
    return PRELUDE + _Writer.of(source, mutants).node(parse(source))


def failing_mutants(schema: str, diagnostics: str) -> set[int]:
    """Return the numbers of the mutants in whose lines the compiler reports errors."""
    lines = schema.splitlines()
    named = set()
    for match in (*_ERROR.finditer(diagnostics), *_FROM.finditer(diagnostics)):
        line = int(match[1][:9])
        if 1 <= line <= len(lines):
            named |= {int(number) for number in _CHOICE.findall(lines[line - 1])}
    return named


@dataclass(kw_only=True)
class _Writer:
    source: bytes
    expressions: dict[Span, list[Mutant]] = field(default_factory=lambda: defaultdict(list))
    statements: dict[Span, list[Mutant]] = field(default_factory=lambda: defaultdict(list))
    swaps: dict[int, list[Mutant]] = field(default_factory=lambda: defaultdict(list))  # by start of the first
    swapped: dict[int, list[Mutant]] = field(default_factory=lambda: defaultdict(list))  # by end of the second

    @classmethod
    def of(cls, source: bytes, mutants: Iterable[Mutant]) -> "_Writer":
        writer = cls(source=source)
        for mutant in mutants:
            span = (mutant.edit.start, mutant.edit.end)
            if mutant.operator is Operator.ORDER:
                writer.swaps[span[0]].append(mutant)
                writer.swapped[span[1]].append(mutant)
            else:
                (writer.statements if mutant.statement else writer.expressions)[span].append(mutant)
        return writer

    def node(self, node: Node) -> str:
        """Write a node with its choices and those of all below."""
        span = (node.start_byte, node.end_byte)
        text = self._main(node, self._inside(node))
        expressions, statements = self.expressions.get(span, ()), self.statements.get(span, ())
        if expressions and node.type not in ("initializer_list", "expression_statement", "if_statement"):
            choices = "".join(
                f"\n{MARK} == {mutant.number} ? ({_flat(mutant.edit.text)}) :" for mutant in expressions
            )
            text = f"({choices}\n({text}))"
        if node.type.endswith("_statement") and node.type != "else_clause":
            text = self._statement(node, text, statements)
        return text

    def _inside(self, node: Node) -> str:
        if not node.child_count:
            return text_of(node)
        table = self._table(node) if node.type == "initializer_list" else {}
        parts, at = [], node.start_byte
        for child in node.children:
            parts.append(self.source[at : child.start_byte].decode(errors="replace"))
            parts.append(table.get(child.start_byte) or self.node(child))
            at = child.end_byte
        return "".join(parts) + self.source[at : node.end_byte].decode(errors="replace")

    def _table(self, node: Node) -> dict[int, str]:
        """Write the entries of a table of directions, each with the choices to be its neighbour; by start byte."""
        mutants = self.expressions.get((node.start_byte, node.end_byte), ())
        numbers = {mutant.edit.text: mutant.number for mutant in mutants}
        entries, choices = node.named_children, defaultdict[int, str](str)
        for first, swapped in enumerate(table_swaps(node)):
            number = numbers.get("{" + ", ".join(swapped) + "}")
            for index in (first, first + 1) if number is not None else ():
                choices[index] += f"\n{MARK} == {number} ? ({swapped[index]}) :"
        return {
            entries[index].start_byte: f"({text}\n({self.node(entries[index])}))"
            for index, text in choices.items()
        }

    def _statement(self, node: Node, text: str, mutants: Sequence[Mutant]) -> str:
        before = "".join(
            f"\nif ({MARK} == {mutant.number}) {{ {_second(self.source, mutant, node.end_byte)} }}\n"
            for mutant in self.swaps.get(node.start_byte, ())
        )
        skipped = "".join(f"if ({MARK} != {mutant.number}) " for mutant in self.swapped.get(node.end_byte, ()))
        choices = "".join(
            f"\nif ({MARK} == {mutant.number}) {{ {_flat(mutant.edit.text)} }} else" for mutant in mutants
        )
        if not (before or skipped or choices):
            return text
        return f"{{ {before}{skipped}\n{{{choices}\n{{ {text} }} }} }}"

    def _main(self, node: Node, text: str) -> str:
        if node.type != "function_definition" or not re.search(r"\bmain\s*\(", text.partition("{")[0]):
            return text
        head, brace, body = text.partition("{")
        named = _MAIN.sub("main(int, char**)", head)
        named = re.sub(r"\bmain\s*\(", "harness_program_main(", named)
        return f"{named}{brace}{body.rstrip().removesuffix('}')}\nreturn 0; }}"


def _second(source: bytes, mutant: Mutant, end_of_first: int) -> str:
    return _flat(source[end_of_first : mutant.edit.end].decode(errors="replace"))


def _flat(text: str) -> str:
    """Put a text on one line, so that compiler errors in it name the line of its choice."""
    return " ".join(_COMMENT.sub("", line) for line in text.splitlines()) if "\n" in text else text
