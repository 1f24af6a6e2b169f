"""Mutants of C++ in which statements come in another order: swapped, or a mark that is set too late."""

import itertools
import re
from collections.abc import Iterator

from harness.mutate.cpp_tree import Node, text_of
from harness.mutate.model import Operator

Place = tuple[Node, Node, Operator, str]

_LOOPS = frozenset({"while_statement", "for_statement", "for_range_loop"})
_MARK = re.compile(r"([\w.>-]+)\[(\w+)\]\s*=\s*(?:1|true|stamp_?|current)\s*;")
_WORD = re.compile(r"[A-Za-z_]\w*")


def swaps(block: Node) -> Iterator[Place]:
    """Neighbouring statements of a block of which one writes what the other uses, each pair swapped."""
    if block.type != "compound_statement":
        return
    statements = [child for child in block.named_children if child.type != "comment"]
    for one, other in itertools.pairwise(statements):
        if one.type == other.type == "expression_statement" and _depend(text_of(one), text_of(other)):
            yield one, other, Operator.ORDER, f"{text_of(other)} {text_of(one)}"


def _depend(one: str, other: str) -> bool:
    written, names = _written(one), set(_WORD.findall(other))
    return bool(written & names) or bool(_written(other) & set(_WORD.findall(one)))


def _written(statement: str) -> set[str]:
    """The name that a statement changes: of an assignment, an increment, or a method call without a result."""
    match = re.match(r"(?:\+\+|--)?([A-Za-z_]\w*)", statement)
    return {match[1]} if match and not statement.startswith("std::cout") else set()


def late_marks(loop: Node) -> Iterator[Place]:
    """A search that marks what it takes out of its queue instead of what it puts in."""
    body = loop.child_by_field_name("body") if loop.type in _LOOPS else None
    if body is None or body.type != "compound_statement":
        return
    text = text_of(body)
    for match in _MARK.finditer(text):
        taken = _taken(body, match[2], text[: match.start()])
        if taken is None or match.start() < taken.end_byte - body.start_byte:
            continue
        here = len(text.encode()[: taken.end_byte - body.start_byte].decode(errors="replace"))
        mark = match[0].replace(f"[{match[2]}]", f"[{_declared(taken)}]")
        late = f"{text[:here]} {mark}{text[here : match.start()]};{text[match.end() :]}"
        yield body, body, Operator.LATE_MARK, late


def _taken(body: Node, put: str, before: str) -> Node | None:
    """The declaration, directly in the loop, of the cell from which the cell `put` was made."""
    made = re.findall(rf"\b{put}\s*=\s*([^;,]*)|for\s*\([^:;()]*\b{put}\s*:\s*([^)]*)\)", before)
    if not made:
        return None
    sources = set(_WORD.findall(" ".join(made[-1])))
    declarations = (child for child in body.named_children if child.type == "declaration")
    return next((one for one in declarations if _declared(one) in sources), None)


def _declared(declaration: Node) -> str:
    declarator = declaration.child_by_field_name("declarator")
    match = _WORD.search(text_of(declarator))
    return match[0] if match else ""
