"""Parse C++ sources; mutate whole statements: omit, change or swap them, or set a visited mark too late."""

import itertools
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from harness.mutate.mutants import MutationError, Operator

MISSING = "mutating C++ needs tree-sitter: pip install tree-sitter tree-sitter-cpp (the extra `mutate`)"

Node = Any  # tree_sitter.Node; the package may be missing
Change = tuple[Operator, str]
SpanChange = tuple[Node, Node, Operator, str]  # first and last node that the text replaces

_UPDATES = {"+=": ("-=", "="), "-=": ("+=",), "*=": ("=",), "|=": ("=",), "&=": ("=",), "^=": ("|=",)}
_RESET = re.compile(r"=\s*(?:0|false|-1|nullptr|\{\})\s*;$|\.clear\(\)|\.assign\(|\bfill\(|\bmemset\(")
_DROPPABLE = frozenset({"expression_statement", "break_statement", "continue_statement"})
_LOOPS = frozenset({"while_statement", "for_statement", "for_range_loop"})
# A place is marked as visited: with 1, true, or the number of the search, which programs call stamp or current.
_MARK = re.compile(r"(?<![\w.>-])([\w.>-]+)\[(\w+)\]\s*=\s*(?:1|true|stamp_?|current)\s*;")
_LOOP_ARGUMENTS = 2
_LOOP_MACRO = re.compile(r"(?:r?rep[\ddnrs]?|for(?:[dnr]|each)?|loop)\(", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_]\w*")


def parse(source: bytes) -> Node:
    """Return the root of the syntax tree. Raises MutationError if tree-sitter is missing."""
    try:
        library, grammar = import_module("tree_sitter"), import_module("tree_sitter_cpp")
    except ImportError as error:
        raise MutationError(MISSING) from error
    return library.Parser(library.Language(grammar.language())).parse(source).root_node


def text_of(node: Node) -> str:
    """Return the source text of a node."""
    text: bytes = node.text or b""
    return text.decode(errors="replace")


def is_loop_macro(node: Node) -> bool:
    """Return whether the node calls a macro like `rep(i, 0, n)` that begins a loop."""
    return (
        node.type == "call_expression"
        and _LOOP_MACRO.match(text_of(node)) is not None
        and len(node.child_by_field_name("arguments").named_children) >= _LOOP_ARGUMENTS
    )


def statement_changes(node: Node) -> Iterator[Change]:
    """Yield the replacements of a statement."""
    text = text_of(node)
    kept = text.startswith(("std::cin", "cin", "scanf", "if (")) or any(map(is_loop_macro, node.named_children))
    if node.type in _DROPPABLE and not kept:
        yield Operator.RESET if _RESET.search(text) else Operator.STATEMENT, ";"
    if node.type == "return_statement" and node.parent.type != "compound_statement":
        yield Operator.STATEMENT, ";"
    if node.type in ("break_statement", "continue_statement"):
        yield Operator.JUMP, "continue;" if node.type == "break_statement" else "break;"
    if node.type == "expression_statement" and node.named_child_count:
        yield from _updates(node.named_children[0])
    if node.type == "if_statement":
        condition = node.child_by_field_name("condition")
        if condition is not None and condition.child_by_field_name("initializer") is None:
            inner = text_of(condition)
            yield Operator.CONDITION, text.replace(inner, f"(!{inner})", 1)


def _updates(node: Node) -> Iterator[Change]:
    if node.type != "assignment_expression":
        return
    left, right = text_of(node.child_by_field_name("left")), text_of(node.child_by_field_name("right"))
    for sign in _UPDATES.get(text_of(node.child_by_field_name("operator")), ()):
        yield Operator.UPDATE, f"{left} {sign} {right};"


def swapped_statements(block: Node) -> Iterator[SpanChange]:
    """Swap neighbouring statements of a block if one writes a name that the other uses."""
    if block.type != "compound_statement":
        return
    statements = [child for child in block.named_children if child.type != "comment"]
    for first, second in itertools.pairwise(statements):
        if first.type == second.type == "expression_statement" and _depend(text_of(first), text_of(second)):
            yield first, second, Operator.ORDER, f"{text_of(second)} {text_of(first)}"


def _depend(first: str, second: str) -> bool:
    return bool(_written(first) & set(_WORD.findall(second)) or _written(second) & set(_WORD.findall(first)))


def _written(statement: str) -> set[str]:
    """Return the name that an assignment, increment or bare method call changes."""
    match = re.match(r"(?:\+\+|--)?([A-Za-z_]\w*)", statement)
    return {match[1]} if match and not statement.startswith("std::cout") else set()


def late_marks(loop: Node) -> Iterator[SpanChange]:
    """Make a graph search mark a cell as visited when the cell leaves the queue instead of when it enters."""
    body = loop.child_by_field_name("body") if loop.type in _LOOPS else None
    if body is None or body.type != "compound_statement":
        return
    text = text_of(body)
    for match in _MARK.finditer(text):
        taken = _taken(body, match[2], text[: match.start()])
        if taken is None:
            continue
        end = len(body.text[: taken.end_byte - body.start_byte].decode(errors="replace"))  # bytes to characters
        if match.start() < end:
            continue
        mark = match[0].replace(f"[{match[2]}]", f"[{_declared(taken)}]")
        late = f"{text[:end]} {mark}{text[end : match.start()]};{text[match.end() :]}"
        yield body, body, Operator.LATE_MARK, late


def _taken(body: Node, put: str, before: str) -> Node | None:
    """Return the declaration, directly in the loop, of the cell that the cell `put` was computed from."""
    made = re.findall(rf"\b{put}\s*=\s*([^;,]*)|for\s*\([^:;()]*\b{put}\s*:\s*([^)]*)\)", before)
    if not made:
        return None
    sources = set(_WORD.findall(" ".join(made[-1])))
    declarations = (child for child in body.named_children if child.type == "declaration")
    return next((node for node in declarations if _declared(node) in sources), None)


def _declared(declaration: Node) -> str:
    match = _WORD.search(text_of(declaration.child_by_field_name("declarator")))
    return match[0] if match else ""
