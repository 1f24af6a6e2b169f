"""Find the lines that a Python program reads, from its syntax tree."""

import ast
import copy
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import pairwise

from harness.reads.nodes import Forms, Loop, Newline, Node, ReadValue
from harness.reads.program_shapes import completed, in_lines, kinds_of_rows, value_of
from harness.reads.python_trees import (
    arguments_of,
    called_in,
    compared_with,
    constants_of,
    conversions_of,
    count_of_slice,
    ends_of_range,
    fields_of,
    forms_of_row,
    is_made_int,
    name_of,
    parts_of,
    pointed_lists,
    row_fields,
    target_name,
    tree_of,
    used_count,
)
from harness.values import dataclass

_LINE_READERS = {"input", "readline", "raw_input", "readlines"}
_WHOLE_READERS = {"read"}
_STRIPPERS = {"strip", "rstrip", "lstrip"}
_ADDERS = {"append", "add", "appendleft", "extend"}
_INPUTS = {"stdin", "open", "input", "read", "readline"}
_MOST_LETTERS = 500  # of a count: functions that call each other may double it
_INTEGERS = {"int", "int64", "int32"}


def reads_of_python(source: str) -> list[Node]:
    """Return the lines that the program reads, in order. Raises SyntaxError if it is not Python."""
    tree = tree_of(source)
    reading = _Reading(tree=tree)
    nodes = reading.block(tree.body)
    nodes = in_lines(nodes) if reading.streams else nodes
    compared = {variable: kinds_of_rows(chains) for variable, chains in compared_with(tree).items()}
    return completed(nodes, constants_of(tree), compared)


def _streams_of(tree: ast.Module, functions: Mapping[str, ast.AST]) -> dict[str, str]:
    """Return what holds the words of the input, and the kind of the values that are taken from it one by one.

    It is an iterator, from which `next` reads, or a list with a variable for the next index: `data[p]`, then `p += 1`.
    """
    iterators, lists, streams = set[str](), pointed_lists(tree), dict[str, str]()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name), *_]):
                iterators.add(name)
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in iterators:
                words = _words(value)
                called = [_words(functions[word]) for word in sorted(words) if word in functions]
                if any(not _INPUTS.isdisjoint(each) for each in (words, *called)):
                    streams[name] = _kind_of(words)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in lists:
                words = _words(value)  # other lists may have such an index, too
                if words & _WHOLE_READERS and not words & _LINE_READERS:
                    streams[name] = _kind_of(words)
    return streams


def _kind_of(words: Set[str]) -> str:
    """Return the kind of a value that functions with these names convert."""
    return "integer" if _INTEGERS & words else "decimal" if "float" in words else "word"


def _words(node: ast.AST) -> set[str]:
    return {name_of(part) for part in ast.walk(node) if isinstance(part, ast.expr)}


@dataclass(kw_only=True)
class _Reading:
    """Follows the statements in the order of execution, and functions where they are called."""

    tree: ast.Module
    functions: dict[str, ast.FunctionDef | ast.Lambda] = field(default_factory=dict)
    readers: set[str] = field(default_factory=set)
    whole_readers: set[str] = field(default_factory=set)
    streams: dict[str, str] = field(
        default_factory=dict
    )  # iterators over the words of the input: the kind of each
    types: dict[str, str] = field(default_factory=dict)  # the names, such as int, that are passed for parameters
    conversions: list[ast.Call] = field(default_factory=list)  # of words to numbers
    loops: int = 0  # the loops around the statement: only repeated lines have several forms
    entered: list[str] = field(default_factory=list)  # the calls that are followed: no function is entered twice

    def __post_init__(self) -> None:
        """Note the functions that the program defines, and the names that it gives to readers."""
        classes = (node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))
        methods = {id(part) for node in classes for part in ast.walk(node)}
        for node in ast.walk(self.tree):
            match node:
                case ast.FunctionDef(name=name):
                    if id(node) not in methods or name not in _LINE_READERS | _WHOLE_READERS:  # else it is `input`
                        self.functions[name] = node
                case ast.Assign(targets=[ast.Name(id=name), *_], value=ast.Lambda() as value):
                    self.functions[name] = value
                case ast.Assign(targets=[ast.Name(id=name), *_], value=ast.expr() as value):
                    self.readers |= {name} if name_of(value) in _LINE_READERS else set()
                    self.whole_readers |= {name} if name_of(value) in _WHOLE_READERS else set()
        self.streams |= _streams_of(self.tree, self.functions)
        self.conversions += conversions_of(self.tree)

    def block(self, body: Sequence[ast.stmt]) -> list[Node]:
        return [node for statement in self._with_split_lines(body) for node in self.statement(statement)]

    def _with_split_lines(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Return the statements with `a = input().split()` in place of `line = input()` and `a = line.split()`."""
        statements = list(body)
        for at, (first, then) in enumerate(pairwise(body)):
            match first:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value) if self._is_line(value):
                    split = _SplitLine(name=name, line=value)
                    changed = split.in_head(copy.deepcopy(then))
                    if split.is_found:
                        statements[at : at + 2] = [ast.Pass(), changed]
                    elif isinstance(then, ast.Assert) and ast.unparse(then.test) in _no_line(name):
                        statements[at] = ast.Pass()  # a validator that is at the end of the input
        return statements

    def _is_line(self, node: ast.expr) -> bool:
        """Return whether an expression is a line of the input, with or without its end."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STRIPPERS:
            node = node.func.value
        name = name_of(node.func) if isinstance(node, ast.Call) else ""
        return name in self.readers or (name in _LINE_READERS - {"readlines"} and name not in self.functions)

    def statement(self, node: ast.stmt) -> list[Node]:
        """Return the lines that a statement reads."""
        steps: list[Node] = []
        match node:
            case ast.For():
                steps = self._for(node)
            case ast.While():
                steps = _repeated("", self._rounds(node.body))
            case ast.If():
                steps = [*self.expression(node.test, None), *(self.block(node.body) or self.block(node.orelse))]
            case ast.With() | ast.Try():
                steps = self.block(node.body)
            case ast.Assign(targets=[ast.Name(id=name)]) if name in self.streams:
                pass
            case ast.Assign(value=ast.Attribute(attr=name)) if name in _LINE_READERS | _WHOLE_READERS:
                pass
            case (
                ast.Assign(value=value, targets=[target, *_])
                | ast.AugAssign(value=value, target=target)
                | ast.AnnAssign(value=ast.expr() as value, target=target)
            ):
                steps = self.expression(value, target)
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                steps = self.expression(value, None)
        return steps

    def _for(self, node: ast.For) -> list[Node]:
        steps, count, inner = self.expression(node.iter, node.target), _count(node.iter), self._rounds(node.body)
        if count and len(steps) > 1 and isinstance(steps[-2], ReadValue):  # for _ in range(int(input()))
            count = steps[-2].name
        return [*steps, *_repeated(count, inner)]

    def _rounds(self, body: Sequence[ast.stmt]) -> list[Node]:
        """Return the lines that a round of a loop reads."""
        self.loops += 1
        steps = self.block(body)
        self.loops -= 1
        return steps

    def expression(self, node: ast.expr, target: ast.expr | None, around: tuple[ast.expr, ...] = ()) -> list[Node]:
        """Return the lines that an expression reads. target: of its assignment; around: the enclosing expressions."""
        steps: list[Node] | None = None
        match node:
            case ast.Call():
                steps = self._call(node, target, around)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                first = node.generators[0]
                steps = self.expression(first.iter, target, (*around, node))
                steps += _repeated(_count(first.iter), self.expression(node.elt, _row_of(target)))
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(target, (ast.Tuple, ast.List)):
                if len(parts) == len(target.elts):
                    pairs = zip(parts, target.elts, strict=True)
                    steps = [step for part, to in pairs for step in self.expression(part, to, around)]
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.streams:
                words = {word for each in around for word in _words(each)}
                value = value_of(_kind_of(words) if "int" in words else self.streams[name], target_name(target))
                steps = [
                    Loop(count=count_of_slice(index), body=(value,)) if isinstance(index, ast.Slice) else value
                ]
            case ast.Lambda():
                steps = []
        if steps is not None:
            return steps
        return [step for part in parts_of(node) for step in self.expression(part, target, (*around, node))]

    def _call(self, node: ast.Call, target: ast.expr | None, around: tuple[ast.expr, ...]) -> list[Node] | None:
        """Return the lines that a call reads; None: at most its arguments read."""
        name = name_of(node.func)
        if name in _ADDERS and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
            table = node.func.value
            return self.expression(node.args[0], table if name == "extend" else _row_of(table), around)
        if name in self.readers or (name in _LINE_READERS and name not in self.functions):
            return self._line(target, around)
        stream = name_of(node.args[0]) if name == "next" and node.args else ""
        if stream in self.streams:
            kind = _kind_of(called_in(around))
            return [value_of(kind if kind != "word" else self.streams[stream], target_name(target))]
        if name in self.whole_readers or (name in _WHOLE_READERS and isinstance(node.func, ast.Attribute)):
            return self._line(target, around, whole=True)
        if name in self.functions and name not in self.entered:
            steps = [step for part in node.args for step in self.expression(part, None)]
            function = self.functions[name]
            arguments = arguments_of(function, node)
            self.types |= {each: name_of(value) for each, value in arguments.items() if name_of(value)}
            self.entered.append(name)
            inner = self._called(function, target, around)
            self.entered.pop()
            return [*steps, *_with_arguments(inner, arguments)]
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
        """Return the values of a line: the enclosing calls show their kind, the target their number."""
        called = called_in(around)
        passed = {self.types.get(name, name) for node in around for name in _words(node)}
        kind = _kind_of(called | passed)
        if "split" not in called and not whole:
            kind = "digits" if kind == "integer" and called & {"list", "map"} else kind
            return [value_of(kind, target_name(target)), Newline()]
        is_part = any(isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice) for node in around)
        if isinstance(target, (ast.Tuple, ast.List)) and not is_part:
            match target.elts:
                case [ast.Name(id=head), ast.Starred(value=ast.Name(id=rest))]:
                    if self.loops and (forms := forms_of_row(self.tree, rest, head)):
                        return [self._forms(forms, kind, rest, []), Newline()]
            return [*(self._field(part, kind) for part in target.elts), Newline()]
        name = target_name(target)
        is_row = isinstance(target, ast.Subscript)
        if is_row:
            kind = self._kind_in_use(kind, name)
            fields = [value_of(kind, item) for item in row_fields(self.tree, name)]
        else:
            fields = [self._item(kind, name, *item) for item in enumerate(fields_of(self.tree, name))]
            forms = forms_of_row(self.tree, name) if self.loops and not whole else {}
            if forms:
                fields += [
                    self._item(kind, name, at, f"{name}{at}") for at in range(len(fields), max(forms.values()) + 1)
                ]
                return [self._forms(forms, kind, name, fields), Newline()]
        if fields:
            return [*fields, Newline()]
        return [_listed(self.tree, name, self._kind_in_use(kind, name), is_row=is_row), Newline()]

    def _item(self, kind: str, name: str, index: int, item: str) -> ReadValue:
        """Return an item of a list of words: some may be converted to integers, and others not."""
        is_integer = kind == "word" and (
            is_made_int(self.conversions, name, index) or is_made_int(self.conversions, item)
        )
        return value_of("integer" if is_integer else kind, item)

    def _forms(self, forms: Mapping[bytes, int], kind: str, name: str, fields: Sequence[ReadValue]) -> Forms:
        """Return the forms of a line with, for each first word, as many further items as the program uses."""
        widest = max(forms.values())
        items = [
            fields[index] if fields else self._item(kind, name, index - 1, f"{name}{index}")
            for index in range(1, widest + 1)
        ]
        return Forms(forms=tuple((word, tuple(items[:most])) for word, most in forms.items()))

    def _field(self, part: ast.expr, kind: str) -> Node:
        """Return the value of a line that goes to a part of the target, or the values that go to its list."""
        name = target_name(part)
        kind = self._kind_in_use(kind, name)
        return _listed(self.tree, name, kind) if isinstance(part, ast.Starred) else value_of(kind, name)

    def _kind_in_use(self, kind: str, name: str) -> str:
        return "integer" if kind == "word" and is_made_int(self.conversions, name) else kind


class _SplitLine(ast.NodeTransformer):
    """Puts an expression in place of a variable whose words are taken: `line.split()`. is_found: it was used so."""

    def __init__(self, *, name: str, line: ast.expr) -> None:
        self._name, self._line, self.is_found = name, line, False

    def in_head(self, statement: ast.stmt) -> ast.stmt:
        """Replace the variable in a simple statement, or in what a `for` or an `if` reads before its body."""
        match statement:
            case ast.For():
                statement.iter = self.visit(statement.iter)
            case ast.If():
                statement.test = self.visit(statement.test)
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Expr() | ast.Return():
                self.visit(statement)
        return statement

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace the variable in the first such call."""
        match node.func:
            case ast.Attribute(value=ast.Name(id=name), attr="split") if name == self._name and not self.is_found:
                self.is_found, node.func.value = True, self._line
                return node
        return self.generic_visit(node)


def _no_line(name: str) -> tuple[str, ...]:
    """Return the conditions that a variable holds no line, as a syntax tree is written."""
    return f"len({name}) == 0", f"not {name}", f"{name} == ''"


def _with_arguments(nodes: Sequence[Node], arguments: Mapping[str, ast.expr]) -> list[Node]:
    """Return the reads of a called function, with arguments in place of its parameters in counts."""
    texts = {name: _as_part(value) for name, value in arguments.items()}

    def completed(node: Node) -> Node:
        if not isinstance(node, Loop):
            return node
        count = re.sub(r"\b[A-Za-z_]\w*", lambda name: texts.get(name[0], name[0]), node.count)
        return replace(node, count=count[:_MOST_LETTERS], body=tuple(map(completed, node.body)))

    return list(map(completed, nodes))


def _as_part(value: ast.expr) -> str:
    """Return an expression as text, in parentheses if it has several parts."""
    text = ast.unparse(value)
    return text if isinstance(value, ast.Name | ast.Constant) else f"({text})"


def _row_of(table: ast.expr | None) -> ast.expr | None:
    """Return the target of the assignment of a row of a table."""
    return None if table is None else ast.Subscript(value=table, slice=ast.Constant(value=0))


def _listed(tree: ast.Module, name: str, kind: str, *, is_row: bool = False) -> Loop:
    """Return values on a line that are read into a list. is_row: into a row of the table with this name."""
    return Loop(count=used_count(tree, name, is_row=is_row), body=(value_of(kind, name),))


def _count(iterated: ast.expr) -> str:
    """Return how often a loop runs; "" if unknown."""
    ends = ends_of_range(iterated)
    return "-".join(ast.unparse(end) for end in reversed(ends) if end is not None) if ends is not None else ""


def _repeated(count: str, nodes: Sequence[Node]) -> list[Node]:
    return [Loop(count=count, body=tuple(nodes))] if nodes else []
