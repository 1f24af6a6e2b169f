"""Find the lines that a Python program reads, from its syntax tree."""

import ast
import warnings
from collections.abc import Sequence
from dataclasses import field, replace

from harness.reads.model import Loop, Newline, Node, Value
from harness.reads.programs import value_of
from harness.values import dataclass

_LINE_READERS = {"input", "readline", "raw_input", "readlines"}
_WHOLE_READERS = {"read"}
_ADDERS = {"append", "add", "appendleft", "extend"}
_INTEGERS = {"int", "int64", "int32"}


def reads_of_python(source: str) -> list[Node]:
    """Return the lines that the program reads, in order. Raises SyntaxError if it is not Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no SyntaxWarning about the program for our user
        tree = _with_splits_at_reads(ast.parse(source))
    reading = _Reading(tree=tree)
    methods = {id(part) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            own_reader = id(node) in methods and node.name in _LINE_READERS | _WHOLE_READERS  # reads for `input`
            if not own_reader:
                reading.functions[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Lambda):
                reading.functions[node.targets[0].id] = node.value
            elif _name(node.value) in _LINE_READERS and not isinstance(node.value, ast.Call):
                reading.readers.add(node.targets[0].id)
    return reading.block(tree.body)


def _with_splits_at_reads(tree: ast.Module) -> ast.Module:
    """Return the program with `n = input().split()` in place of `line = input()` and a later `n = line.split()`."""
    for node in ast.walk(tree):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                body[:] = _with_moved_splits(body)
    return tree


def _with_moved_splits(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a block; a statement that splits a line replaces the one that reads the line."""
    left = list(body)
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as read) if _reads_line(read):
                place = left.index(statement)
                for other in left[place + 1 :]:
                    if isinstance(other, ast.Assign) and any(_name(target) == name for target in other.targets):
                        break
                    splits = (node for node in ast.walk(other) if isinstance(node, ast.Attribute))
                    split = next(
                        (node for node in splits if node.attr == "split" and _name(node.value) == name), None
                    )
                    if split is not None:
                        split.value = read
                        left.remove(other)
                        left[place] = other  # statements between the two read later lines
                        break
    return left


def _reads_line(call: ast.Call) -> bool:
    """Return whether the call reads a line, and at most strips it."""
    while isinstance(call.func, ast.Attribute) and call.func.attr.endswith("strip"):
        if not isinstance(call.func.value, ast.Call):
            return False
        call = call.func.value
    return _name(call.func) in _LINE_READERS


@dataclass(kw_only=True)
class _Reading:
    """Walks statements in the order of execution, entering functions at their calls."""

    tree: ast.Module
    functions: dict[str, ast.FunctionDef | ast.Lambda] = field(default_factory=dict)
    readers: set[str] = field(default_factory=set)
    types: dict[str, str] = field(default_factory=dict)  # what parameters of called functions stand for: int
    entered: list[str] = field(default_factory=list)  # a function that calls itself is not entered again

    def block(self, body: Sequence[ast.stmt]) -> list[Node]:
        return [node for statement in body for node in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[Node]:
        """Return the lines that a statement reads."""
        steps: list[Node] = []
        match node:
            case ast.For():
                steps = self._for(node)
            case ast.While():
                steps = _repeated("", self.block(node.body))
            case ast.If():
                steps = [*self.expression(node.test, None), *(self.block(node.body) or self.block(node.orelse))]
            case ast.With() | ast.Try():
                steps = self.block(node.body)
            case ast.Assign(value=value, targets=[target, *_]):
                steps = self.expression(value, target)
            case (
                ast.AugAssign(value=value, target=target) | ast.AnnAssign(value=ast.expr() as value, target=target)
            ):
                steps = self.expression(value, target)
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                steps = self.expression(value, None)
        return steps

    def _for(self, node: ast.For) -> list[Node]:
        steps, count, inner = self.expression(node.iter, node.target), _count(node.iter), self.block(node.body)
        if count and len(steps) > 1 and isinstance(steps[-2], Value):  # for _ in range(int(input()))
            count = steps[-2].name
        return [*steps, *_repeated(count, inner)]

    def expression(self, node: ast.expr, target: ast.expr | None, around: tuple[ast.expr, ...] = ()) -> list[Node]:
        """Return the lines that an expression reads. target: of its assignment; around: the enclosing expressions."""
        steps: list[Node] | None = None
        match node:
            case ast.Call():
                steps = self._call(node, target, around)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                first = node.generators[0]
                steps = self.expression(first.iter, target, (*around, node))
                names = _row_fields(self.tree, target)
                steps += _repeated(
                    _count(first.iter), _with_fields(self.expression(node.elt, None), names, target)
                )
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(target, (ast.Tuple, ast.List)):
                if len(parts) == len(target.elts):
                    pairs = zip(parts, target.elts, strict=True)
                    steps = [step for part, to in pairs for step in self.expression(part, to, around)]
            case ast.Lambda():
                steps = []
        if steps is not None:
            return steps
        inside = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return [step for part in inside for step in self.expression(part, target, (*around, node))]

    def _call(self, node: ast.Call, target: ast.expr | None, around: tuple[ast.expr, ...]) -> list[Node] | None:
        """Return the lines that a call reads; None: at most its arguments read."""
        name = _name(node.func)
        if name in _ADDERS and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
            names = _row_fields(self.tree, node.func.value)
            steps = self.expression(node.args[0], node.func.value, around)
            return _with_fields(steps, names, None) if names else steps
        if name in self.readers or (name in _LINE_READERS and name not in self.functions):
            return self._line(target, around)
        if name in _WHOLE_READERS and isinstance(node.func, ast.Attribute):
            return self._line(target, around, whole=True)
        if name in self.functions and name not in self.entered:
            steps = [step for part in node.args for step in self.expression(part, None)]
            function = self.functions[name]
            self.types.update(_passed_names(function, node))
            self.entered.append(name)
            steps += self._called(function, target, around)
            self.entered.pop()
            return steps
        return None

    def _called(
        self, function: ast.FunctionDef | ast.Lambda, target: ast.expr | None, around: tuple[ast.expr, ...]
    ) -> list[Node]:
        if isinstance(function, ast.Lambda):
            return self.expression(function.body, target, around)
        *body, last = function.body
        if isinstance(last, ast.Return) and last.value is not None:
            return [*self.block(body), *self.expression(last.value, target, around)]
        return self.block(function.body)

    def _line(self, target: ast.expr | None, around: tuple[ast.expr, ...], *, whole: bool = False) -> list[Node]:
        """Return the reads of a line: their kind follows from the enclosing calls, their number from the target."""
        called = {_name(node.func) for node in around if isinstance(node, ast.Call)}
        names = (_name(part) for node in around for part in ast.walk(node) if isinstance(part, ast.expr))
        passed = {self.types.get(name, name) for name in names}
        kind = "word"
        if _INTEGERS & (called | passed):
            kind = "integer"
        elif "float" in called | passed:
            kind = "decimal"
        if "split" not in called and not whole:
            kind = "digits" if kind == "integer" and called & {"list", "map"} else kind
            return [value_of(kind, _target_name(target)), Newline()]
        subscript = next((node for node in around if isinstance(node, ast.Subscript)), None)
        if isinstance(target, (ast.Tuple, ast.List)) and subscript is None:
            nodes: list[Node] = []
            for part in target.elts:
                name = _target_name(part)
                part_kind = "integer" if kind == "word" and _is_made_int(self.tree, name) else kind
                nodes.append(
                    _listed(self.tree, name, part_kind)
                    if isinstance(part, ast.Starred)
                    else value_of(part_kind, name)
                )
            return [*nodes, Newline()]
        name = _target_name(target)
        kind = "integer" if kind == "word" and _is_made_int(self.tree, name) else kind
        fields = [value_of(kind, field_name) for field_name in _fields_of(self.tree, name)]
        return [*fields, Newline()] if fields else [_listed(self.tree, name, kind), Newline()]


def _listed(tree: ast.Module, name: str, kind: str) -> Loop:
    """Return values on a line that are read into a list."""
    return Loop(count=_used_count(tree, name), body=(value_of(kind, name),))


def _count(iterated: ast.expr) -> str:
    """Return how often a loop runs; "" if unknown."""
    match iterated:
        case ast.Call(args=[most]) if _name(iterated.func) == "range":
            return ast.unparse(most)
        case ast.Call(args=[first, most, *_]) if _name(iterated.func) == "range":
            return f"{ast.unparse(most)}-{ast.unparse(first)}"
    return ""


def _passed_names(function: ast.FunctionDef | ast.Lambda, call: ast.Call) -> dict[str, str]:
    """Return the names that the parameters stand for, by default or in this call: `dtype=int`."""
    parameters = [argument.arg for argument in function.args.args]
    defaults = function.args.defaults
    values = [
        *zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True),
        *zip(parameters, call.args, strict=False),
    ]
    return {parameter: _name(value) for parameter, value in values if _name(value)}


def _name(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _target_name(target: ast.expr | None) -> str:
    while isinstance(target, (ast.Subscript, ast.Starred)):
        target = target.value
    return _name(target) if target is not None else ""


def _is_made_int(tree: ast.Module, name: str) -> bool:
    """Return whether a word, or the items of a list of words, are converted to integers somewhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in ("int", "map") and node.args and name:
            if _name(node.func) == "map" and _name(node.args[0]) != "int":
                continue
            if _target_name(node.args[-1]) == name:
                return True
    return False


def _used_count(tree: ast.Module, name: str) -> str:
    """Return the number of items that a list must have: the end of the loop over its index."""
    ends: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.comprehension)):
            match node.target, node.iter:
                case ast.Name(id=variable), ast.Call(func=ast.Name(id="range"), args=[*_, last]):
                    ends[variable] = ast.unparse(last)
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=value, slice=ast.Name(id=variable)) if _name(value) == name:
                if "len" not in ends.get(variable, "len"):
                    return ends[variable]
            case ast.Subscript(value=value, slice=ast.Slice(upper=ast.BinOp(op=ast.Mult()) as end)):
                if _name(value) == name:
                    return ast.unparse(end)
    return ""


def _fields_of(tree: ast.Module, name: str) -> list[str]:
    """Return the names of a list's items that are read by constant indices: `n = line[0]`."""
    names: dict[int, str] = {}
    has_other_indices = not name
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value) if _name(value) == name:
                return [_target_name(part) for part in parts]
            case ast.Assign(targets=[ast.Name(id=variable)], value=value):
                while isinstance(value, ast.Call) and len(value.args) == 1:
                    value = value.args[0]
                if (place := _index_in(value, name)) is not None:
                    names[place] = variable
            case ast.Subscript(value=row) if _name(row) == name:
                place = _index_in(node, name)
                has_other_indices = has_other_indices or place is None
                names.setdefault(place or 0, f"{name}{place}")
    if has_other_indices or not names:
        return []
    return [names.get(place, f"{name}{place}") for place in range(max(names) + 1)]


def _index_in(node: ast.expr, name: str) -> int | None:
    """Return the constant index at which a list is read."""
    match node:
        case ast.Subscript(value=row, slice=ast.Constant(value=int() as place)) if _name(row) == name:
            return place
    return None


def _row_fields(tree: ast.Module, target: ast.expr | None) -> Sequence[str]:
    """Return the names of the fields of a table's rows, from the statement that unpacks the rows."""
    table, widest = _target_name(target), 0
    for node in ast.walk(tree) if table else ():
        match node:
            case ast.For(target=parts, iter=rows) | ast.comprehension(target=parts, iter=rows):
                if isinstance(parts, ast.Tuple) and _name(rows) == table:
                    return [_target_name(part) for part in parts.elts]
            case ast.Subscript(value=ast.Subscript(value=value), slice=ast.Constant(value=int() as place)):
                widest = max(widest, place + 1) if _name(value) == table else widest
    return [f"x{place}" for place in range(widest)]


def _repeated(count: str, nodes: Sequence[Node]) -> list[Node]:
    return [Loop(count=count, body=tuple(nodes))] if nodes else []


def _with_fields(nodes: Sequence[Node], names: Sequence[str], target: ast.expr | None) -> list[Node]:
    """Return a row with its fields, if it is a single list of numbers."""
    match nodes:
        case [Value() as value, Newline()]:
            return [replace(value, name=_target_name(target)), Newline()]
        case [Loop(body=(Value() as value,)), Newline()] if names:
            fields: list[Node] = [replace(value, name=name) for name in names]
            return [*fields, Newline()]
    return [*nodes]
