"""Find what an input validator in Python reads, and what it demands of the values.

The program is followed once, in order: a variable stands for a line, for the words of a line, or for one value. What
an assertion demands of a value becomes its limit, unless no shape can express it.
"""

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from harness.reads.nodes import UNTIL_END, Unknown, UnreadableError
from harness.reads.python_expressions import Expressions, is_input
from harness.reads.python_trees import ends_of_range, name_of, tree_of
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
    nodes_of,
)
from harness.reads.writer import shape_text
from harness.values import dataclass

_MATCHERS = {"match", "fullmatch", "search"}
_ENDS = {"exit", "quit", "_exit"}
_ACCEPTING = (None, 0, 42)
_END_OF_PATTERN = ("$", "\\n", "\n", "\\Z")
_MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq}
_OPPOSITE = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
_OPPOSITE |= {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In}
_LEAST, _MOST = (ast.GtE, ast.Gt), (ast.LtE, ast.Lt)


def shape_of_checks(source: str, unknown: Unknown) -> str:
    """Return the text of the shape that a validator reads. Raises UnreadableError; SyntaxError: it is no Python."""
    reading = _followed(source)
    steps = reading.steps
    while steps and isinstance(steps[-1], CheckedLine) and not steps[-1].is_read:  # for the end of the input
        steps.pop()
    return shape_text(nodes_of(steps, unknown, reading.unequal), unknown)


def is_certain(source: str) -> bool:
    """Return whether everything that a validator in Python demands was followed, and nothing under a condition."""
    return _followed(source).is_certain


def _followed(source: str) -> "_Reading":
    tree = tree_of(source)
    reading = _Reading(collected=set(_collected(tree)))
    reading.block(tree.body)
    return reading


@dataclass(kw_only=True)
class _Reading(Expressions):
    """Follows the statements. unequal: pairs of values that must differ, each value by its `order`."""

    unequal: list[list[int]] = field(default_factory=list)

    def block(self, body: Sequence[ast.stmt]) -> Symbol:
        """Follow statements; return what they return."""
        for statement in body:
            if isinstance(statement, ast.Return):
                return self.value(statement.value) if statement.value is not None else None
            self._statement(statement)
        return None

    def _statement(self, node: ast.stmt) -> None:
        outer, self._taken = self._taken, {}
        match node:
            case ast.FunctionDef():
                self.functions[node.name] = node
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr():
                self._simple(node)
            case ast.Assert(test=test):
                self._demand(test)
            case _:
                self._compound(node)
        self._taken = outer

    def _simple(self, node: ast.stmt) -> None:
        """Follow an assignment or an expression."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value)
            case ast.AugAssign(target=target, value=value):
                self.value(value)
                self.forget(target)
            case ast.Expr(value=value):
                self.value(value)

    def _compound(self, node: ast.stmt) -> None:
        """Follow a statement that holds others, or skip it."""
        match node:
            case ast.If(test=test, body=[first, *_], orelse=other) if _rejects(first):
                self._demand(test, is_denied=True)
                self.block(other)
            case ast.If(test=test, body=body) if ast.unparse(test) == "__name__ == '__main__'":
                self.block(body)
            case ast.For(target=target, iter=iterated, body=body):
                self._for(target, iterated, body)
                self.block(node.orelse)
            case ast.With(body=body):
                self.block(body)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                self.block([*body, *other, *last])
                self.is_certain = self.is_certain and all(_rejects(each.body[-1]) for each in handlers)
            case _:
                self.skip(node)

    def _for(self, target: ast.expr, iterated: ast.expr, body: Sequence[ast.stmt]) -> None:
        """Follow a loop: over a range, over the lines of the input, or over values."""
        match target, iterated:
            case ast.Name(id=index), _ if (ends := ends_of_range(iterated)) is not None:
                rounds = self._counted(index, *ends)
                self.forget(*body)
                self.symbols[index] = ast.Name(id=index)
                self._rounds(body, rounds)
            case ast.Name(id=line), _ if is_input(iterated) and (kept := _kept_in(body, line)):
                self.symbols[kept] = WholeInput()
            case _ if is_input(iterated):
                each = CheckedLine()
                rounds = Rounds(count=UNTIL_END, steps=[each])
                self.forget(*body)
                self._bind(target, LineText(line=each, more=1))
                self._rounds(body, rounds)
            case _:
                self.forget(*body)
                self._each(target, iterated)
                self._rounds(body, Rounds(count=""))

    def _counted(self, index: str, first: ast.expr | None, end: ast.expr) -> Rounds:
        """Return the rounds of a loop over a range."""
        count = self.text(end)
        match first:
            case None | ast.Constant(value=0):
                return Rounds(count=count, index=index)
            case ast.Constant(value=int(number)):
                return Rounds(count=f"{count}-({number})", index=index, first=number)
        return Rounds(count=f"{count}-({self.text(first)})")

    def _rounds(self, body: Sequence[ast.stmt], rounds: Rounds) -> None:
        """Follow the body of a loop, and keep the loop if it reads."""
        outer = self.steps, self.distinct, self.lines
        self.steps, self.distinct, self.lines = rounds.steps, rounds.distinct, dict(self.lines)
        self.block(body)
        self.steps, self.distinct, self.lines = outer
        if rounds.steps:
            if not rounds.count:
                raise UnreadableError("lines are read for each of some values")
            self.steps.append(rounds)

    def _each(self, target: ast.expr, iterated: ast.expr) -> None:
        """Bind the variable of a loop to any value of what it runs over."""
        match target, iterated:
            case ast.Tuple(elts=[*_, last]), ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                self._each(last, inner)
                return
            case _, ast.Call(func=ast.Name(id="set" | "sorted"), args=[inner]):
                self._each(target, inner)
                return
        symbol: Symbol = None
        match self.value(iterated):
            case LineWords(line=line):
                symbol = line.array()
            case LineText(line=line):
                symbol = Letter(word=line.only())
            case CheckedValue(kind="word", count=None) as word:
                symbol = Letter(word=word)
        self._bind(target, symbol)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        """Let a variable, or several, stand for the value of an expression."""
        match target, value:
            case ((ast.Tuple(elts=parts) | ast.List(elts=parts)), ast.Tuple(elts=values)) if len(parts) == len(
                values
            ):
                numbers = [(self.value(each), self.number(each)) for each in values]
                for part, (symbol, number) in zip(parts, numbers, strict=True):
                    self._bind(part, symbol if symbol is not None else number)
            case _:
                symbol = self.value(value)
                self._bind(target, symbol if symbol is not None else self.number(value))

    def _bind(self, target: ast.expr, symbol: Symbol) -> None:
        """Let a variable, or several, stand for something."""
        match target, symbol:
            case ast.Name(id=name), _:
                if isinstance(symbol, CheckedValue):
                    self.name_of(symbol, name)
                self.symbols[name] = symbol
            case ((ast.Tuple(elts=parts) | ast.List(elts=parts)), LineWords(line=line)):
                for index, part in enumerate(parts):
                    value = line.field(index)
                    if isinstance(part, ast.Starred):
                        value.count = value.count or ""
                    self._bind(part.value if isinstance(part, ast.Starred) else part, value)
            case _:
                self.forget(target)

    def _demand(self, test: ast.expr, *, is_denied: bool = False) -> None:
        """Note what a condition demands of values. is_denied: the condition must not hold."""
        match test:
            case ast.BoolOp(op=operator, values=parts):
                for part in parts if isinstance(operator, ast.Or) is is_denied else ():
                    self._demand(part, is_denied=is_denied)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                self._demand(inner, is_denied=not is_denied)
            case ast.Compare(left=left, ops=ops, comparators=others):
                kinds = [_OPPOSITE.get(type(op), type(op)) if is_denied else type(op) for op in ops]
                if len(ops) == 1 or not is_denied:
                    self._compared([left, *others], kinds)
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as inner]):
                generator = inner.generators[0]
                if is_denied or len(inner.generators) > 1 or generator.ifs:
                    self.is_certain = False
                else:
                    self._each(generator.target, generator.iter)
                    self._demand(inner.elt)
            case ast.Call(func=function, args=[*first, last]) if name_of(function) in _MATCHERS:
                pattern = self.constant(first[0] if first else getattr(function, "value", None)) or ""
                is_whole = name_of(function) == "fullmatch" or pattern.endswith(_END_OF_PATTERN)
                is_whole = is_whole and (name_of(function) != "search" or pattern.startswith("^"))
                if not is_denied and is_whole:
                    _matched(self.value(last), pattern)
            case _:
                symbol = self.value(test)
                if is_denied and isinstance(symbol, LineText):  # assert not sys.stdin.readline()
                    symbol.line.is_end = True

    def _compared(self, operands: Sequence[ast.expr], ops: Sequence[type[ast.cmpop]]) -> None:
        """Note the limits of a comparison, such as `1 <= a < b <= n`."""
        for (left, right), op in zip(itertools.pairwise(operands), ops, strict=True):
            pair = [value for value in map(self.value_of, (left, right)) if value is not None]
            if op is ast.NotEq and len(pair) > 1:
                self.unequal.append(sorted(each.order for each in pair))
            if op in _MOST and len(pair) > 1:
                pair[0].below = pair[1]
            self._limit(left, op, right)
            if op in _MIRRORED:
                self._limit(right, _MIRRORED[op], left)

    def _limit(self, subject: ast.expr, op: type[ast.cmpop], limit: ast.expr) -> None:
        """Note what `subject op limit` demands of the subject."""
        match subject:
            case ast.Call(func=ast.Name(id="len"), args=[measured]):
                self._length(self.value(measured), op, limit)
            case ast.Call(func=ast.Name(id="min" | "max" as end), args=[measured]):
                words = self.value(measured)
                if isinstance(words, LineWords) and op in (_LEAST if end == "min" else _MOST):
                    self._bound(words.line.array(), op, limit)
            case ast.Call(func=ast.Name(id="abs"), args=[measured]):
                value = self.value(measured)
                if isinstance(value, CheckedValue) and op in _MOST and self.is_known(limit):
                    self._bound(value, op, limit)
                    value.low = f"-({value.high})"
            case ast.Tuple(elts=parts):
                values = [self.value_of(part) for part in parts]
                fields = [each for each in values if each is not None]
                if op is ast.NotIn and len(fields) == len(values) and name_of(limit) in self.collected:
                    self.distinct.append(fields)
            case _:
                self._limit_of(self.value(subject), op, limit)

    def _limit_of(self, symbol: Symbol, op: type[ast.cmpop], limit: ast.expr) -> None:
        """Note what `symbol op limit` demands of the symbol."""
        texts = self._texts(limit) if op is ast.In else []
        match symbol:
            case LineText(line=line) if op is ast.Eq and self.constant(limit) == "":
                line.is_end = True
            case LineText() | CheckedValue() if texts:
                _matched(symbol, "|".join(map(re.escape, texts)))
            case CheckedValue():
                self._bound(symbol, op, limit)
            case Letter(word=word) if op is ast.In:
                word.letters = (self.constant(limit) or "".join(texts)).encode() or word.letters

    def _texts(self, node: ast.expr) -> list[str]:
        """Return the constant texts of a list."""
        parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
        texts = [self.constant(part) for part in parts]
        return [text for text in texts if text] if all(texts) else []

    def _length(self, symbol: Symbol, op: type[ast.cmpop], limit: ast.expr) -> None:
        """Note the length of a word or an array."""
        text = self.text(limit)
        match symbol:
            case Different(line=line) if op is ast.Eq and self._is_count(line, limit):
                line.array().is_distinct = True
            case _ if not self.is_known(limit):
                pass
            case LineWords(line=line) if op is ast.Eq and not line.fields and text.isdigit():
                line.field(int(text) - 1)
            case LineWords(line=CheckedLine(fields=[] | [CheckedValue(count=str())]) as line) if op is ast.Eq:
                line.array().count = text
            case LineText(line=line) if op is ast.Eq and text == "0":
                line.is_end = True
            case LineText(line=line, more=more):
                word = line.only()
                word.lengths = _limited(word.lengths, op, f"{text}-{more}" if more else text)
            case CheckedValue(kind="word"):
                symbol.lengths = _limited(symbol.lengths, op, text)

    def _is_count(self, line: CheckedLine, node: ast.expr) -> bool:
        """Return whether an expression is the number of a line's values."""
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[measured]):
                symbol = self.value(measured)
                return isinstance(symbol, LineWords) and symbol.line is line
        return bool(line.fields) and line.fields[0].count == self.text(node)

    def _bound(self, value: CheckedValue, op: type[ast.cmpop], limit: ast.expr) -> None:
        """Note a limit of a value."""
        if op is ast.NotIn and name_of(limit) in self.collected:
            self.distinct.append([value])
        match limit:
            case ast.Call(func=ast.Name(id="range"), args=[*firsts, last]) if op is ast.In and len(firsts) < 2:
                value.low, value.high = self.text(firsts[0]) if firsts else "0", f"{self.text(last)}-1"
        other = self.value_of(limit)
        if not self.is_known(limit) or (other is not None and other.order >= value.order):
            return  # what is read later is no limit
        text, by = self.text(limit), int(value.kind != "decimal")
        if op is not ast.Eq or other is None:
            value.low, value.high = _limited((value.low, value.high), op, text, by)


def _collected(tree: ast.Module) -> Iterator[str]:
    """Yield the variables to which values are added."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="add" | "append", value=ast.Name(id=name))):
                yield name


def _matched(symbol: Symbol, pattern: str | None) -> None:
    """Note the pattern of a line or a value."""
    match symbol:
        case LineText(line=line):
            line.pattern = pattern or line.pattern
        case CheckedValue():
            symbol.pattern = pattern or symbol.pattern


def _limited(limits: tuple[str, str], op: type[ast.cmpop], text: str, by: int = 1) -> tuple[str, str]:
    """Return the limits (least, most), changed as a comparison demands. by: the distance to the next number."""
    least, most = limits
    if op is ast.Eq or op in _LEAST:
        least = _shifted(text, by) if op is ast.Gt else text
    if op is ast.Eq or op in _MOST:
        most = _shifted(text, -by) if op is ast.Lt else text
    return least, most


def _shifted(text: str, by: int) -> str:
    if re.fullmatch(r"-?\d+", text):
        return str(int(text) + by)
    return f"({text}){by:+d}" if by else text


def _rejects(statement: ast.stmt) -> bool:
    """Return whether a statement rejects the input."""
    match statement:
        case ast.Raise() | ast.Assert(test=ast.Constant(value=False | 0)):
            return True
        case ast.Expr(value=ast.Call(func=function, args=[ast.Constant(value=code)])):
            return name_of(function) in _ENDS and code not in _ACCEPTING
    return False


def _kept_in(body: Sequence[ast.stmt], line: str) -> str:
    """Return the list in which a loop keeps each line; "" if there is none."""
    for node in itertools.chain.from_iterable(map(ast.walk, body)):
        match node:
            case ast.Call(func=ast.Attribute(attr="append", value=ast.Name(id=name)), args=[kept]):
                if line in {part.id for part in ast.walk(kept) if isinstance(part, ast.Name)}:
                    return name
    return ""
