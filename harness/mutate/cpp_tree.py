"""The tree that tree-sitter makes of a C++ source; the one place that needs the package."""

from importlib import import_module
from typing import Any

from harness.mutate.errors import MutationError

MISSING = "mutating C++ needs tree-sitter: pip install tree-sitter tree-sitter-cpp (the extra `mutate`)"

Node = Any  # tree_sitter.Node; the module may be missing


def parse(source: bytes) -> Node:
    """The root of the tree of a C++ source. Raises MutationError when tree-sitter is missing."""
    try:
        library, grammar = import_module("tree_sitter"), import_module("tree_sitter_cpp")
    except ImportError as error:
        raise MutationError(MISSING) from error
    return library.Parser(library.Language(grammar.language())).parse(source).root_node


def text_of(node: Node) -> str:
    """The source text of a node."""
    text: bytes = node.text or b""
    return text.decode(errors="replace")
