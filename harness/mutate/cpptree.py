"""The tree that tree-sitter makes of a C++ source; the one place that needs the package."""

from typing import Any

from harness.mutate.errors import MutationError

try:
    import tree_sitter
    import tree_sitter_cpp
except ImportError:
    tree_sitter = None

MISSING = "mutating C++ needs tree-sitter: pip install 'oj-harness[mutate]'"

Node = Any  # tree_sitter.Node; the module may be missing


def parse(source: bytes) -> Node:
    """The root of the tree of a C++ source. Raises MutationError when tree-sitter is missing."""
    if tree_sitter is None:
        raise MutationError(MISSING)
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
    return parser.parse(source).root_node


def text_of(node: Node) -> str:
    """The source text of a node."""
    text: bytes = node.text or b""
    return text.decode(errors="replace")
