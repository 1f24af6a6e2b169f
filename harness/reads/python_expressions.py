"""Follow the expressions of an input validator in Python: what they stand for, and which lines they read."""

import ast
import itertools
import re
from collections.abc import Sequence
from dataclasses import field, replace

from harness.reads.nodes import UnreadableError
from harness.reads.python_trees import arguments_of, name_of, parts_of
from harness.reads.python_values import (
    CheckedLine,
    CheckedValue,
    Different,
    Letter,
    LineText,
    LineWords,
    Rounds,
    Symbol,
    WholeInput,
)
from harness.values import dataclass

_READERS = {"readline", "input", "raw_input"}
_WHOLE = {"stdin", "stdin.readlines", "stdin.read"}
_SAME = {"strip", "rstrip", "lstrip", "list", "tuple", "sorted", "iter", "str"}
_KINDS = {"int": "integer", "float": "decimal", "Decimal": "decimal"}
_ARITHMETIC = {"int", "float", "min", "max"}
_MOST_CALLS = 1000  # of functions that the validator defines
_MOST_LETTERS = 1000  # of a constant text
_LEAVING = (ast.Continue, ast.Break, ast.Return)
_DEMANDING = (ast.Assert, ast.Raise)


@dataclass(kw_only=True)
class Expressions:
    """Follows expressions. steps: what is read so far. symbols: what each variable stands for.

    distinct: values whose rows must all differ in the current loop. functions: those that the validator defines.
    lines: of the whole input, by the text of their index. names: those in use for values. collected: lists and sets
    that the validator fills. is_certain: each statement that demands something was followed.
    """

    steps: list[CheckedLine | Rounds] = field(default_factory=list)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    distinct: list[list[CheckedValue]] = field(default_factory=list)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    lines: dict[str, LineText] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    collected: set[str] = field(default_factory=set)
    is_certain: bool = True
    _taken: dict[int, Symbol] = field(default_factory=dict)  # calls of the current statement: each reads once
    _entered: list[str] = field(default_factory=list)  # a function that calls itself is not entered again
    _calls: int = 0

    def block(self, body: Sequence[ast.stmt]) -> Symbol:
        """Follow statements; return what they return."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> Symbol:
        """Return what an expression stands for. Raises UnreadableError."""
        if (constant := self.constant(node)) is not None:
            return constant
        match node:
            case ast.Name(id=name):
                symbol = self.symbols.get(name)
            case ast.Call():
                symbol = self._call(node)
            case ast.Subscript(value=inner, slice=index):
                symbol = self._item(self.value(inner), index)
            case ast.ListComp() | ast.GeneratorExp() if len(node.generators) == 1:
                symbol = self._listed(node.elt, node.generators[0])
            case ast.List(elts=[ast.Starred(value=inner)]) | ast.Tuple(elts=[ast.Starred(value=inner)]):
                symbol = self.value(inner)
            case ast.BoolOp() | ast.IfExp():
                first, *rest = parts_of(node)
                symbol = self.value(first)
                self.skip(*rest)
            case _:
                symbol = None
                for part in parts_of(node):
                    self.value(part)  # it may read
        return symbol

    def value_of(self, node: ast.expr) -> CheckedValue | None:
        """Return the single value that a variable, or an item at a fixed place, stands for."""
        value = self.value(node) if isinstance(node, ast.Name | ast.Subscript) else None
        return value if isinstance(value, CheckedValue) and value.count is None else None

    def name_of(self, value: CheckedValue, name: str) -> str:
        """Return the name of a value; if it has none, name it so, or with `_` added if the name is in use."""
        if not value.name:
            while name in self.names:
                name += "_"
            value.name = name
            self.names.add(name)
        return value.name

    def number(self, node: ast.expr) -> ast.expr | None:
        """Return a number as an expression of the values' names; None if it is unknown, or too long."""
        text = self.text(node) if self.is_known(node) else ""
        return ast.parse(text, mode="eval").body if 0 < len(text) <= _MOST_LETTERS else None

    def skip(self, *nodes: ast.AST) -> None:
        """Skip code that does not always run: what it sets becomes unknown. Raises UnreadableError if it may read."""
        inside = self._reached(nodes)
        if any(map(_reads, inside)):
            raise UnreadableError("lines are read under a condition")
        self.forget(*nodes)
        own = itertools.chain.from_iterable(map(ast.walk, nodes))
        leaves = any(isinstance(part, _LEAVING) for part in own)  # what follows is not always run either
        self.is_certain = self.is_certain and not (leaves or any(isinstance(part, _DEMANDING) for part in inside))

    def forget(self, *nodes: ast.AST) -> None:
        """Forget the variables that are set anywhere in these nodes."""
        for part in (part for node in nodes for part in ast.walk(node)):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.symbols[part.id] = None

    def text(self, node: ast.expr) -> str:
        """Return a number as an expression of the values' names."""
        reading = self

        class Renamed(ast.NodeTransformer):
            def visit_Name(self, name: ast.Name) -> ast.expr:
                symbol = reading.symbols.get(name.id)
                return symbol if isinstance(symbol, ast.expr) else self.visit_Subscript(name)

            def visit_Subscript(self, item: ast.expr) -> ast.expr:
                value = reading.value_of(item)
                return item if value is None else ast.Name(id=reading.name_of(value, "item"))

            def visit_Constant(self, number: ast.Constant) -> ast.expr:
                value = number.value
                is_whole = isinstance(value, float) and value.is_integer()
                return ast.Constant(value=int(value)) if isinstance(value, float) and is_whole else number  # 1e5

        copy = ast.parse(ast.unparse(node), mode="eval").body
        return ast.unparse(Renamed().visit(copy))

    def is_known(self, node: ast.expr) -> bool:
        """Return whether a number depends on nothing but constants and values that were read."""
        match node:
            case ast.Name(id=name) if isinstance(self.symbols.get(name), ast.expr):
                return True
            case ast.Name() | ast.Subscript():
                return self.value_of(node) is not None
            case ast.Call(func=ast.Name(id=name), args=parts) if name in _ARITHMETIC:
                return all(map(self.is_known, parts))
            case ast.Constant() | ast.BinOp() | ast.UnaryOp():
                return all(map(self.is_known, parts_of(node)))
        return False

    def constant(self, node: ast.expr | None) -> str | None:
        """Return the text of an expression that consists of constant texts, such as a pattern; None: it does not."""
        text: str | None = None
        match node:
            case ast.Constant(value=str(whole)):
                text = whole
            case ast.Name(id=name):
                symbol = self.symbols.get(name)
                text = symbol if isinstance(symbol, str) else None
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                text = self._joined("", [left, right])
            case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int(times))):
                once = self.constant(left)
                is_short = once is not None and len(once) * times <= _MOST_LETTERS
                text = once * times if once is not None and is_short else None
            case ast.JoinedStr(values=values):
                parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in values]
                text = self._joined("", parts)
            case ast.Call(
                func=ast.Attribute(attr="join", value=between), args=[ast.Tuple() | ast.List() as items]
            ):
                text = self._joined(self.constant(between), items.elts)
            case ast.Call(func=ast.Attribute(attr="format", value=form), args=filling):
                text = _filled(self.constant(form), [self.constant(part) or "" for part in filling])
            case ast.Call(func=function, args=[pattern, *_]) if name_of(function) == "compile":
                text = self.constant(pattern)
        return text if text is None or len(text) <= _MOST_LETTERS else None

    def _joined(self, between: str | None, parts: Sequence[ast.expr]) -> str | None:
        texts = [self.constant(part) for part in parts]
        constants = [text for text in texts if text is not None]
        return between.join(constants) if between is not None and len(constants) == len(texts) else None

    def _reached(self, nodes: Sequence[ast.AST]) -> list[ast.AST]:
        """Return all nodes within these, and within the functions of the validator that they call."""
        inside, called = [part for node in nodes for part in ast.walk(node)], set[str]()
        for part in inside:  # it grows
            name = name_of(part.func) if isinstance(part, ast.Call) else ""
            if name in self.functions and name not in called:
                called.add(name)
                inside += ast.walk(self.functions[name])
        return inside

    def _listed(self, part: ast.expr, generator: ast.comprehension) -> Symbol:
        """Return what a list such as `[int(x) for x in words]` stands for."""
        symbol = self.value(generator.iter)
        if any(map(_reads, self._reached([part]))):
            raise UnreadableError("lines are read in a list")
        match part, symbol:
            case _ if generator.ifs:
                self.skip(*generator.ifs)
                return None
            case ast.Call(func=ast.Name(id=name), args=[ast.Name()]), LineWords() if name in _KINDS:
                symbol.line.kind = _KINDS[name]
                return symbol
            case ast.Name(), _:
                return symbol
            case ast.Call(func=ast.Attribute(attr=name)), WholeInput() if name in _SAME:
                return symbol
        return None

    def _item(self, symbol: Symbol, index: ast.expr) -> Symbol:
        """Return a part of the input, of a line, of its words, or of an array."""
        item: Symbol = None
        match symbol, index:
            case WholeInput(), _ if not isinstance(index, ast.Slice):
                key = ast.unparse(index)
                if key not in self.lines:
                    self.lines[key] = self._next_line()
                item = self.lines[key]
            case LineText(line=line), ast.Slice() if ast.unparse(index) == ":-1":
                item = LineText(line=line)
            case LineText(line=line), ast.Name():
                item = Letter(word=line.only())
            case LineWords(line=CheckedLine(fields=[CheckedValue(count=str()), *_])), ast.Constant():
                item = None  # it says nothing about the other values of the array
            case LineWords(line=line), ast.Constant(value=int(column)):
                item = line.field(column)
            case LineWords(line=line), ast.Name():
                item = line.array()
        return item

    def _next_line(self, more: int = 0) -> LineText:
        line = CheckedLine()
        self.steps.append(line)
        return LineText(line=line, more=more)

    def _call(self, node: ast.Call) -> Symbol:
        if id(node) not in self._taken:
            self._taken[id(node)] = self._called(node)
        return self._taken[id(node)]

    def _called(self, node: ast.Call) -> Symbol:
        name = name_of(node.func)
        if name in self.functions:
            return self._inlined(self.functions[name], node)
        if name in _READERS:
            return self._next_line(int(name == "readline"))
        inner = node.func.value if isinstance(node.func, ast.Attribute) else [*node.args, node.func][0]
        if name == "next" and is_input(inner):
            return self._next_line(1)
        if is_input(inner) and name == "split" and self.constant([*node.args, None][0]) != "\n":
            raise UnreadableError("the input is read word by word")
        if is_input(node) or (name in ("list", "splitlines", "split") and is_input(inner)):
            return WholeInput()
        arguments = [self.value(argument) for argument in node.args]
        own = self.value(inner) if isinstance(node.func, ast.Attribute) else None
        symbol = own if own is not None else [None, *arguments][-1]
        if name == "map" and isinstance(symbol, LineWords):
            symbol.line.kind = _KINDS.get(name_of(node.args[0]), symbol.line.kind)
            return symbol
        return _converted("split at" if name == "split" and arguments not in ([], [" "]) else name, symbol)

    def _inlined(self, function: ast.FunctionDef, call: ast.Call) -> Symbol:
        """Follow a call of a function that the validator defines."""
        self._calls += 1
        if function.name in self._entered:
            return None
        if self._calls > _MOST_CALLS:
            raise UnreadableError("too many calls")
        outer = self.symbols
        inner = dict(outer)
        for name, value in arguments_of(function, call).items():
            symbol = self.value(value)
            inner[name] = symbol if symbol is not None else self.number(value)
        self.symbols = inner
        self._entered.append(function.name)
        returned = self.block(function.body)
        self._entered.pop()
        self.symbols = outer
        return returned


def is_input(node: ast.expr) -> bool:
    """Return whether an expression is the whole input."""
    return ast.unparse(node).removeprefix("sys.").removesuffix("()") in _WHOLE


def _reads(node: ast.AST) -> bool:
    """Return whether a node is a call that reads."""
    return isinstance(node, ast.Call) and name_of(node.func) in (*_READERS, "next", "read", "readlines")


def _converted(name: str, symbol: Symbol) -> Symbol:
    """Return a line, its words or a value after a call of a conversion."""
    match symbol:
        case LineText(line=line) if name in _KINDS:
            line.kind = _KINDS[name]
            return line.only()
        case LineText(line=line) if name == "split":
            line.is_split = True
            return LineWords(line=line)
        case LineWords(line=line) if name == "set":
            return Different(line=line)
        case CheckedValue() if name in _KINDS:
            symbol.kind = _KINDS[name]
            return symbol
        case LineText() if name in _SAME:
            return replace(symbol, more=0)
    return symbol if name in _SAME and isinstance(symbol, CheckedValue | LineWords) else None


def _filled(form: str | None, texts: Sequence[str]) -> str | None:
    """Return a format with its `{}` or `{0}` filled in."""
    places = itertools.count()

    def filling(match: re.Match[str]) -> str:
        index = int(match[1] or next(places))
        return texts[index] if index < len(texts) else ""

    return re.sub(r"\{(\d?)\}", filling, form) if form is not None else None
