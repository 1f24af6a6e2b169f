"""Mutants of Python sources, made from the syntax tree of the standard library's `ast`."""

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import field

from harness.mutate.mutants import (
    TABLE_LENGTH,
    Edit,
    Mutant,
    MutationError,
    Operator,
    axis_partner,
    numbered,
    squeezed,
    swaps,
)
from harness.values import dataclass

_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_CONSTANT_SIZE = 10**10


def can_read(source: bytes) -> bool:
    """Return whether the source is Python 3."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def mutants_of(source: bytes) -> tuple[Mutant, ...]:
    """Return every mutant of a Python source. Raises MutationError for a source that is not Python 3."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise MutationError(f"not Python: {error}") from error
    identifiers = frozenset(re.findall(r"[A-Za-z_]\w*", source.decode(errors="replace")))
    walk = _Walk(source=source, starts=_line_starts(source), identifiers=identifiers)
    walk.body(tree.body, "(module)")
    return numbered(walk.mutants, source)


def _line_starts(source: bytes) -> tuple[int, ...]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return tuple(starts)


@dataclass(kw_only=True)
class _Walk:
    """Collects mutants. starts: byte offsets of the lines. identifiers: all names in the source."""

    source: bytes
    starts: tuple[int, ...]
    identifiers: frozenset[str]
    mutants: list[Mutant] = field(default_factory=list)

    def body(self, statements: list[ast.stmt], function: str) -> None:
        """Collect the mutants of a block."""
        for statement, following in zip(statements, [*statements[1:], None], strict=False):
            self.statement(statement, following, function)

    def statement(self, node: ast.stmt, following: ast.stmt | None, function: str) -> None:
        """Collect the mutants of a statement and its children."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.body(_before_the_end(node.body), node.name)
            return
        for operator, text in _statement_changes(node):
            self.add(node, operator, text, function)
        if following is not None and _depend(node, following):
            text = f"{ast.unparse(following)}; {ast.unparse(node)}"
            self.add(node, Operator.ORDER, text, function, last=following)
        if isinstance(node, ast.If):
            self.add(node.test, Operator.CONDITION, f"(not ({ast.unparse(node.test)}))", function)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, function)
        for block in ("body", "orelse", "finalbody"):
            self.body(getattr(node, block, []), function)

    def expression(self, node: ast.expr, function: str) -> None:
        """Collect the mutants of an expression and its children."""
        if isinstance(node, ast.JoinedStr):
            return
        for operator, changed in (*_changes(node), *_axes(node, self.identifiers)):
            self.add(node, operator, f"({ast.unparse(changed)})", function)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, function)
            elif isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    self.expression(part, function)

    def add(
        self,
        node: ast.stmt | ast.expr,
        operator: Operator,
        text: str,
        function: str,
        last: ast.stmt | None = None,
    ) -> None:
        """Add the mutant in which `text` replaces the node, or everything from the node to `last`."""
        end = last or node
        start_byte = self.starts[node.lineno - 1] + node.col_offset
        end_byte = self.starts[(end.end_lineno or 1) - 1] + (end.end_col_offset or 0)
        before = squeezed(self.source[start_byte:end_byte].decode(errors="replace"))
        self.mutants.append(
            Mutant(
                operator=operator,
                function=function,
                line=node.lineno,
                before=before,
                after="(nothing)" if text == "pass" else squeezed(text),
                edit=Edit(start=start_byte, end=end_byte, text=text),
                statement=isinstance(node, ast.stmt),
            )
        )


def _before_the_end(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return a function's statements without a bare `return` at the end, whose removal would change nothing."""
    last = block[-1]
    nothing = isinstance(last, ast.Return) and (
        last.value is None or (isinstance(last.value, ast.Constant) and last.value.value is None)
    )
    return block[:-1] if nothing else block


def _statement_changes(node: ast.stmt) -> Iterator[tuple[Operator, str]]:
    """Yield the replacements of a statement."""
    match node:
        case ast.Assign(value=ast.Constant(value=(0 | False | None | -1))):
            yield Operator.RESET, "pass"
        case ast.Assign(targets=[ast.Subscript()]) | ast.AugAssign():
            yield Operator.STATEMENT, "pass"
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="clear"))):
            yield Operator.RESET, "pass"
        case ast.Expr(value=ast.Call()) | ast.Return():
            yield Operator.STATEMENT, "pass"
        case ast.Continue():
            yield Operator.STATEMENT, "pass"
            yield Operator.JUMP, "break"
        case ast.Break():
            yield Operator.STATEMENT, "pass"
            yield Operator.JUMP, "continue"
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub | ast.BitOr | ast.Mult):
        target, value = ast.unparse(node.target), ast.unparse(node.value)
        yield Operator.UPDATE, f"{target} = {value}"
        if isinstance(node.op, ast.Add | ast.Sub):
            yield Operator.UPDATE, f"{target} {'-=' if isinstance(node.op, ast.Add) else '+='} {value}"


def _changes(node: ast.expr) -> Iterator[tuple[Operator, ast.expr]]:  # noqa: PLR0912 (a table of cases)
    """Yield the replacements of an expression."""
    match node:
        case ast.Compare(ops=[*ops]):
            for index, compared in enumerate(ops):
                for operator, table in ((Operator.BOUNDARY, _BOUNDARY), (Operator.RELATION, _OPPOSITE)):
                    if type(compared) in table:
                        changed = copy.deepcopy(node)
                        changed.ops[index] = table[type(compared)]()
                        yield operator, changed
        case ast.BoolOp(op=sign, values=values):
            other: ast.boolop = ast.Or() if isinstance(sign, ast.And) else ast.And()
            yield Operator.CONJUNCTION, ast.BoolOp(op=other, values=values)
            for index in range(len(values)):
                left = values[:index] + values[index + 1 :]
                yield Operator.CONJUNCTION, left[0] if len(left) == 1 else ast.BoolOp(op=sign, values=left)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Operator.CONDITION, operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield Operator.CONDITION, ast.IfExp(test=test, body=orelse, orelse=body)
        case ast.BinOp():
            yield from _binary(node)
        case ast.Constant(value=int(value)) if not isinstance(value, bool) and abs(value) < _CONSTANT_SIZE:
            yield Operator.CONSTANT, ast.Constant(value=value + 1)
            if value > 0:
                yield Operator.CONSTANT, ast.Constant(value=value - 1)
        case ast.Call():
            yield from _call(node)
        case ast.List(elts=entries) | ast.Tuple(elts=entries) if len(entries) >= TABLE_LENGTH:
            for swapped in swaps(entries):
                yield Operator.DIRECTIONS, type(node)(elts=swapped)


def _binary(node: ast.BinOp) -> Iterator[tuple[Operator, ast.expr]]:
    if type(node.op) in _ARITHMETIC and not isinstance(node.left, ast.List | ast.Constant):
        yield Operator.ARITHMETIC, ast.BinOp(left=node.left, op=_ARITHMETIC[type(node.op)](), right=node.right)
    if isinstance(node.op, ast.FloorDiv):
        negative = ast.UnaryOp(op=ast.USub(), operand=node.left)
        upwards = ast.BinOp(left=negative, op=ast.FloorDiv(), right=node.right)
        yield Operator.DIVISION, ast.UnaryOp(op=ast.USub(), operand=upwards)
    if isinstance(node.op, ast.Mod) and not isinstance(node.left, ast.Constant):
        yield Operator.DIVISION, node.left


def _call(node: ast.Call) -> Iterator[tuple[Operator, ast.expr]]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    if name in ("min", "max") and len(node.args) > 1:
        other = ast.Name(id="max" if name == "min" else "min")
        yield Operator.MINMAX, ast.Call(func=other, args=node.args, keywords=node.keywords)
        yield from ((Operator.MINMAX, argument) for argument in node.args)
    elif name not in ("print", "range", "isinstance"):
        for arguments in swaps(node.args):
            yield Operator.ARGUMENTS, ast.Call(func=node.func, args=arguments, keywords=node.keywords)


def _axes(node: ast.expr, identifiers: frozenset[str]) -> Iterator[tuple[Operator, ast.expr]]:
    """Mix up the axes of a grid: yield the other axis's name, or the two indices exchanged."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        partner = axis_partner(node.id, identifiers)
        if partner is not None:
            yield Operator.AXES, ast.Name(id=partner)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        inner = ast.Subscript(value=node.value.value, slice=node.slice)
        yield Operator.AXES, ast.Subscript(value=inner, slice=node.value.slice)


def _depend(first: ast.stmt, second: ast.stmt) -> bool:
    """Return whether two statements are simple and one writes a name that the other uses."""
    simple = ast.Assign | ast.AugAssign | ast.Expr
    if not isinstance(first, simple) or not isinstance(second, simple):
        return False
    return bool(_written(first) & _names(second) or _written(second) & _names(first))


def _names(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def _written(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign):
        return {name for target in node.targets for name in _names(target)}
    if isinstance(node, ast.AugAssign):
        return _names(node.target)
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return _names(call.func.value)
    return set()
