"""Mutants of C++ sources, made from the syntax tree of tree-sitter."""

import re
from collections.abc import Callable, Iterator
from dataclasses import field

from harness.mutate.cpp_statements import (
    Change,
    Node,
    is_loop_macro,
    late_marks,
    parse,
    statement_changes,
    swapped_statements,
    text_of,
)
from harness.mutate.mutants import (
    TABLE_LENGTH,
    Edit,
    Mutant,
    Operator,
    axis_partner,
    numbered,
    squeezed,
    swaps,
)
from harness.values import dataclass

_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ARITHMETIC = {"+": "-", "-": "+", "*": "+"}
_BITS = {"&": "|", "|": "&", "<<": ">>", ">>": "<<"}
_WIDE = re.compile(rb"\b(?:long\s+long|u?int64_t|i64|ll|LL)\b")
_INTEGER = re.compile(r"(\d+)([uUlL]*)")
_FIXED = frozenset((
    "template_argument_list", "array_declarator", "static_assert_declaration", "enumerator_list",
    "preproc_include", "preproc_def", "preproc_function_def", "attribute_declaration",
    "template_parameter_list", "bitfield_clause",
))  # fmt: skip
_WHOLE = frozenset({Operator.CONSTANT, Operator.AXES, Operator.ARGUMENTS, Operator.DIRECTIONS})


def mutants_of(source: bytes) -> tuple[Mutant, ...]:
    """Return every mutant of a C++ source. Raises MutationError when tree-sitter is missing."""
    root = parse(source)
    identifiers = frozenset(re.findall(r"[A-Za-z_]\w*", source.decode(errors="replace")))
    walk = _Walk(source=source, wide=_wide_names(root, source), identifiers=identifiers)
    walk.visit(root, "")
    return numbered(walk.mutants, source)


def _wide_names(root: Node, source: bytes) -> frozenset[str]:
    """Return the names that are declared with 64 bits anywhere in the file."""
    names: set[str] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        stack += node.children
        kind = node.child_by_field_name("type")
        if kind is None or not _WIDE.search(source[kind.start_byte : kind.end_byte]):
            continue
        for index, child in enumerate(node.children):
            if node.field_name_for_child(index) == "declarator":
                names |= set(re.findall(r"\w+", text_of(child).split("=")[0]))
    return frozenset(names)


@dataclass(kw_only=True)
class _Walk:
    """Collects mutants. wide: names declared with 64 bits. identifiers: all names in the source."""

    source: bytes
    wide: frozenset[str]
    identifiers: frozenset[str]
    mutants: list[Mutant] = field(default_factory=list)

    def visit(self, node: Node, function: str) -> None:
        """Collect the mutants of a node and its descendants. function: "" outside of functions."""
        if node.type in _FIXED or _is_constant(node) or _guards_reading(node):
            return
        if node.type == "function_definition":
            function = _name_of(node) or function
        if function:
            for operator, text in _EXPRESSIONS[node.type](node) if node.type in _EXPRESSIONS else ():
                self.add(
                    node, operator, text if operator in _WHOLE or text.isidentifier() else f"({text})", function
                )
            if node.type == "identifier":
                for operator, text in _identifier(node, self.identifiers):
                    self.add(node, operator, text, function)
            if self.is_wide(node):
                self.add(node, Operator.NARROW, _narrowed(node), function)
            for operator, text in statement_changes(node):
                self.add(node, operator, text, function, statement=True)
            for start, end, operator, text in (*swapped_statements(node), *late_marks(node)):
                self.add(node, operator, text, function, statement=True, span=(start, end))
        for child in node.children:
            if not (node.type == "case_statement" and child == node.child_by_field_name("value")):
                self.visit(child, function)

    def add(
        self,
        node: Node,
        operator: Operator,
        text: str,
        function: str,
        *,
        statement: bool = False,
        span: tuple[Node, Node] | None = None,
    ) -> None:
        """Add the mutant in which `text` replaces the node, or all from the first to the last node of `span`."""
        first, last = span or (node, node)
        before = self.source[first.start_byte : last.end_byte].decode(errors="replace")
        mutant = Mutant(
            operator=operator,
            function=function,
            line=first.start_point[0] + 1,
            before=squeezed(before),
            after=squeezed(text) if squeezed(text) != ";" else "(nothing)",
            edit=Edit(start=first.start_byte, end=last.end_byte, text=text),
            statement=statement,
        )
        self.mutants.append(mutant)

    def is_wide(self, node: Node) -> bool:
        """Return whether the node computes a value declared with 64 bits, so that 32 bits would be a mistake."""
        if node.type == "assignment_expression" and node.parent.type == "expression_statement":
            changed = re.match(r"\w+", text_of(node.child_by_field_name("left")))
            return changed is not None and changed[0] in self.wide
        if node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) == "*":
            names = set(re.findall(r"\w+", text_of(node)))
            return bool(names & self.wide) or bool(_WIDE.search(node.text))
        return node.type in ("call_expression", "compound_literal_expression") and bool(
            re.match(rb"(?:static_cast<\s*(?:long long|u?int64_t)\s*>\(|u?int64_t[{(])", node.text)
        )


def _guards_reading(node: Node) -> bool:
    """Return whether the node is `if (scanf(…) != 1) return …`, which never fires on valid input."""
    if node.type != "if_statement":
        return False
    condition = text_of(node.child_by_field_name("condition"))
    leaves = text_of(node.child_by_field_name("consequence")).startswith("return")
    reads = re.search(r"\bscanf\(|!\(?std::cin|!\(?cin", condition)
    return leaves and reads is not None and not re.search(r"\|\||&&", condition)


def _is_constant(node: Node) -> bool:
    kinds = ("declaration", "function_definition", "field_declaration")
    return node.type in kinds and any(
        text_of(child) in ("constexpr", "consteval", "static_assert") for child in node.children
    )


def _name_of(node: Node) -> str:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type not in ("identifier", "field_identifier"):
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            break
        declarator = inner
    return squeezed(text_of(declarator)) if declarator is not None else ""


def _narrowed(node: Node) -> str:
    if node.type != "assignment_expression":
        return f"static_cast<int>({text_of(node)})"
    left = text_of(node.child_by_field_name("left"))
    return f"({text_of(node)}, {left} = static_cast<int>({left}))"


def _binary(node: Node) -> Iterator[Change]:
    left, right = text_of(node.child_by_field_name("left")), text_of(node.child_by_field_name("right"))
    sign = text_of(node.child_by_field_name("operator"))
    if sign in _BOUNDARY:
        yield Operator.BOUNDARY, f"{left} {_BOUNDARY[sign]} {right}"
    if sign in _OPPOSITE:
        yield Operator.RELATION, f"{left} {_OPPOSITE[sign]} {right}"
    if sign in ("&&", "||", "and", "or"):
        other = "||" if sign in ("&&", "and") else "&&"
        yield from ((Operator.CONJUNCTION, text) for text in (f"({left}) {other} ({right})", left, right))
    if sign in _ARITHMETIC:
        yield Operator.ARITHMETIC, f"{left} {_ARITHMETIC[sign]} {right}"
    if sign in _BITS and "cin" not in left and "cout" not in left:
        yield Operator.ARITHMETIC, f"{left} {_BITS[sign]} {right}"
    if sign == "/":
        yield Operator.DIVISION, f"({left} + {right} - 1) / ({right})"
    if sign == "%":
        yield Operator.DIVISION, f"({left})"


def _number(node: Node) -> Iterator[Change]:
    match = _INTEGER.fullmatch(text_of(node))
    if match is None or len(match[1]) > len("1000000007"):
        return
    value = int(match[1])
    yield Operator.CONSTANT, f"{value + 1}{match[2]}"
    if value > 0:
        yield Operator.CONSTANT, f"{value - 1}{match[2]}"


def _call(node: Node) -> Iterator[Change]:
    name = text_of(node.child_by_field_name("function"))
    arguments = [text_of(child) for child in node.child_by_field_name("arguments").named_children]
    short = name.rpartition("::")[2]
    pair = {"min": "max", "max": "min"}
    if short in pair and len(arguments) == 2:
        yield Operator.MINMAX, f"{name.removesuffix(short)}{pair[short]}({', '.join(arguments)})"
        yield from ((Operator.MINMAX, argument) for argument in arguments)
    elif not (short.endswith(("printf", "scanf")) or is_loop_macro(node)):
        for swapped in swaps(arguments):
            yield Operator.ARGUMENTS, f"{name}({', '.join(swapped)})"


def _subscript(node: Node) -> Iterator[Change]:
    inner = node.child_by_field_name("argument")
    if inner is not None and inner.type == "subscript_expression":
        outer_index = text_of(node.child_by_field_name("indices"))
        inner_index = text_of(inner.child_by_field_name("indices"))
        yield Operator.AXES, text_of(inner.child_by_field_name("argument")) + outer_index + inner_index


def _identifier(node: Node, identifiers: frozenset[str]) -> Iterator[Change]:
    """Replace the name of an axis of a grid by that of the other axis."""
    partner = axis_partner(text_of(node), identifiers)
    parents = (
        "binary_expression",
        "subscript_argument_list",
        "argument_list",
        "return_statement",
        "init_declarator",
    )
    parent = node.parent
    declared = parent.type == "init_declarator" and node == parent.child_by_field_name("declarator")
    if partner is not None and parent.type in parents and not declared:
        yield Operator.AXES, partner


def _table(node: Node) -> Iterator[Change]:
    """Swap neighbours of a table of directions."""
    for swapped in table_swaps(node):
        yield Operator.DIRECTIONS, "{" + ", ".join(swapped) + "}"


def table_swaps(node: Node) -> list[list[str]]:
    """Return a table of directions with each pair of neighbours swapped in turn; empty for other nodes."""
    entries = node.named_children
    plain = all(entry.type != "initializer_list" for entry in entries)
    return swaps([text_of(entry) for entry in entries]) if plain and len(entries) >= TABLE_LENGTH else []


def _not(node: Node) -> Iterator[Change]:
    if text_of(node.child_by_field_name("operator")) == "!":
        yield Operator.CONDITION, text_of(node.child_by_field_name("argument"))


def _condition(node: Node) -> Iterator[Change]:
    condition = text_of(node.child_by_field_name("condition"))
    yield Operator.CONDITION, f"!({condition})" + text_of(node).partition(condition)[2]


# Replacements of an expression, by the type of its node.
_EXPRESSIONS: dict[str, Callable[[Node], Iterator[Change]]] = {
    "binary_expression": _binary,
    "number_literal": _number,
    "call_expression": _call,
    "subscript_expression": _subscript,
    "initializer_list": _table,
    "unary_expression": _not,
    "conditional_expression": _condition,
}
