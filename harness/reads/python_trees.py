"""Syntax trees of Python, of programs and of validators: names, ranges, arguments."""

import ast
import warnings
from collections.abc import Iterable


def tree_of(source: str) -> ast.Module:
    """Return the syntax tree of a source. Raises SyntaxError if it is not Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no SyntaxWarning about the source for our user
        return ast.parse(source)


def name_of(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def parts_of(node: ast.expr) -> list[ast.expr]:
    """Return the expressions that an expression directly holds."""
    return [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]


def called_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of the functions that these nodes call."""
    return {name_of(node.func) for node in nodes if isinstance(node, ast.Call)}


def ends_of_range(node: ast.expr) -> tuple[ast.expr | None, ast.expr] | None:
    """Return the first number of a range, None for 0, and the end, which it does not reach; None: it is no range."""
    match node:
        case ast.Call(args=[end]) if name_of(node.func) in ("range", "xrange"):
            return None, end
        case ast.Call(args=[first, end, *_]) if name_of(node.func) in ("range", "xrange"):
            return first, end
    return None


def arguments_of(function: ast.FunctionDef | ast.Lambda, call: ast.Call) -> dict[str, ast.expr]:
    """Return what the parameters of a function stand for, by default or in a call; `self` of a method for nothing."""
    parameters = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    defaults = function.args.defaults
    is_method = len(parameters) > len(call.args) and parameters[0] == "self"
    return {
        **dict(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True)),
        **dict(zip(parameters[is_method:], call.args, strict=False)),
        **{keyword.arg: keyword.value for keyword in call.keywords if keyword.arg},
    }
