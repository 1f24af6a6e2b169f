"""Parse a shape's text; docs/shapes.md holds the grammar. Every error names its place and how to fix it."""

import difflib
from dataclasses import field, replace

from harness.shapes.arguments import CALLS, Arguments
from harness.shapes.expressions import Expression, Name, Number, Operation
from harness.shapes.kinds import (
    ORDERS,
    Array,
    Block,
    Choice,
    Fields,
    Integer,
    Item,
    Scalar,
    Shape,
    String,
    Times,
    Word,
)
from harness.shapes.kinds.integer import DEFAULT_HIGH, DEFAULT_LOW, integer_between
from harness.shapes.reader import ShapeError
from harness.shapes.tokens import Token, Tokens, tokens_of
from harness.values import dataclass

LONGEST = 20_000  # characters of a shape's text: packages are not trusted
DEEPEST = 20  # nested parentheses and braces
MOST_BLOCKS = 1000  # drawn for an `until`; parsing has no such limit

_HELP = "arrays are written `n * (-10..10)`; all of it: docs/shapes.md; `harness shape SAMPLE…` guesses a shape"
_WORDS = (*CALLS, *ORDERS)
RESERVED = (*_WORDS, "times", "either", "or", "until")  # words that are no names
_BEFORE_BRACES = ("times", "either", "or", "until")


def read_shape(text: str) -> Shape:
    """Return the shape that `text` describes. Raises ShapeError."""
    if len(text) > LONGEST:
        raise ShapeError(f"shape: longer than {LONGEST} characters")
    try:
        block = _Parser(tokens=Tokens(tokens_of(text))).block(closing="")
    except ShapeError as error:
        raise ShapeError(f"{error}\n{_HELP}") from error
    return Shape(text=text, block=block)


def _check_kind(name: Token, opening: Token) -> None:
    """Raise ShapeError if the word in `name(` or `name {` is not in the grammar."""
    words = _WORDS if opening.text == "(" else _BEFORE_BRACES
    beside = (opening.line, opening.column) == (name.line, name.column + len(name.text))
    opens = opening.kind == "sign" and (opening.text == "{" or (opening.text == "(" and beside))
    if name.kind != "name" or name.text in words or not opens:
        return
    close = [word for word in words if len(name.text) > 1 and word.startswith(name.text)]
    close = close or difflib.get_close_matches(name.text, words, n=1)
    fix = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(words)}"
    name.fail(f"no kind `{name.text}`; {fix}")


def _is_one_word(item: Item) -> bool:
    """Return whether an item is always exactly one word."""
    if isinstance(item, String):
        return isinstance(item.low, Number) and item.low.amount > 0
    return isinstance(item, Integer | Fields) or (
        isinstance(item, Word) and not any(b" " in word for word in item.words)
    )


@dataclass(kw_only=True)
class _Parser:
    tokens: Tokens
    taken: set[str] = field(default_factory=set)  # names of any kind that are in use here
    unsaid: list[Integer] = field(default_factory=list)  # the hidden count of the array that was just read
    depth: int = 0

    def block(self, closing: str) -> Block:
        """Read lines up to the closing brace or the end."""
        start = self.tokens.here
        lines: list[tuple[Item, ...]] = []
        while not self._closes(closing):
            if self.tokens.at("until") and not self.tokens.next_is(":"):
                lines += self._until(closing)
            elif not self.tokens.skip(";"):
                lines.append(self._line(closing))
        if not lines:
            start.fail("expected at least one line, such as `n: 1..10`")
        return Block(lines=tuple(lines))

    def _until(self, closing: str) -> list[tuple[Item, ...]]:
        """Read `until "0 0" { … }` or `until end { … }`: a hidden count and the blocks that it counts."""
        start, last = self.tokens.here, self.tokens.peek(1)
        self.tokens.advance()
        ending = self._ending(last)
        name = f"blocks before {start.line}:{start.column}"  # no name that a shape can use
        count = Integer(name=name, low=Number(amount=1), high=Number(amount=MOST_BLOCKS), hidden=True)
        times = Times(count=Name(name=name), block=self._inner(), until=ending)
        while self.tokens.skip(";"):
            pass
        if not ending and (closing or not self._closes(closing)):
            last.fail("nothing may follow `until end { … }`, and it stands in no other block")
        return [(count,), (times,)]

    def _ending(self, last: Token) -> bytes:
        """Return the line that ends the blocks; empty for the end of the input."""
        if self.tokens.skip("end"):
            return b""
        ending = self.tokens.text() if last.kind == "quoted" else b""
        if ending != ending.strip() or not ending:
            last.fail('expected the last line, such as `until "0 0" { … }`, or `until end { … }`')
        return ending

    def _closes(self, closing: str) -> bool:
        return self.tokens.here.kind == "end" or (closing != "" and self.tokens.at(closing))

    def _line(self, closing: str) -> tuple[Item, ...]:
        items: list[Item] = []
        while not self.tokens.at(";") and not self._closes(closing):
            start = self.tokens.here
            items.append(self._item())
            self._check_place(items, start)
            items[-1:-1] = self.unsaid
            self.unsaid.clear()
        return tuple(items)

    def _check_place(self, items: list[Item], start: Token) -> None:
        several = [item for item in items if item.fills_lines]
        if several and len(items) > 1:
            start.fail("what fills several lines stands alone: write `;` or a new line before it and after it")
        if len(items) > 1 and isinstance(items[-2], String) and isinstance(items[-2].low, Number):
            before = items[-2]
            if before.low == Number(amount=0) != before.high:
                start.fail("nothing may follow a string that may be empty: give it a least length of 1")
        if any(isinstance(item, Integer) and item.hidden for item in items[:-1]) and not _is_one_word(items[-1]):
            start.fail(
                "only single words, such as `1..9`, may follow `1..5 * (…)`, which takes all others of its line"
            )

    def _item(self) -> Item:
        here = self.tokens.here
        _check_kind(self.tokens.peek(1), self.tokens.peek(2))  # `n tims { … }`
        if here.kind == "name" and self.tokens.next_is(":"):
            return self._named(here)
        _check_kind(here, self.tokens.peek(1))
        if here.kind == "name" and here.text not in RESERVED and self._is_bare_name():
            self._take(here)
            self.tokens.advance()
            self.tokens.known.add(here.text)
            return Integer(name=here.text, low=Number(amount=DEFAULT_LOW), high=Number(amount=DEFAULT_HIGH))
        return self._definition()

    def _is_bare_name(self) -> bool:
        """Return whether a name stands alone: `n`, but not `n * (…)`, `n times {…}`, `Yes|No`."""
        following = self.tokens.peek(1)
        return following.text not in ("*", "+", "-", "^", "|", "times", "..") or following.kind == "quoted"

    def _named(self, name: Token) -> Item:
        self._take(name)
        self.tokens.advance(2)
        start = self.tokens.here
        item = self._definition()
        if isinstance(item, Times | Choice):
            start.fail("a block has no name")
        if isinstance(item, Integer) and not item.decimals:
            self.tokens.known.add(name.text)
        return replace(item, name=name.text)

    def _take(self, name: Token) -> None:
        if name.text in RESERVED:
            name.fail(f"`{name.text}` is a word of the grammar: choose another name")
        if name.text in self.taken:
            name.fail(f"`{name.text}` is defined already: choose another name")
        self.taken.add(name.text)

    def _definition(self) -> Item:
        here = self.tokens.here
        _check_kind(here, self.tokens.peek(1))
        if here.kind == "quoted" or (here.kind == "name" and self.tokens.next_is("|")):
            return self._word()
        if here.kind == "name" and here.text in _WORDS:
            return self._call(here)
        if self.tokens.skip("either"):
            return self._choice()
        if self.tokens.skip("("):
            scalar = self._scalar()
            self.tokens.expect(")")
            return scalar
        if here.kind in ("name", "number", "decimal") or self.tokens.at("-"):
            return self._counted_or_range()
        if self.tokens.at(","):
            here.fail(
                "a comma has no meaning between items: those of a line stand side by side, as `n: 1..9 m: 1..9`"
            )
        return here.fail(
            f'expected an item such as `n: 1..10`, `5 * (0..9)` or `grid(n, m, ".#")`, found {here.shown}'
        )

    def _counted_or_range(self) -> Item:
        here, first = self.tokens.here, self.tokens.limit()
        if self.tokens.skip(".."):
            span = self._range(first)
            return self._uncounted(here, span) if self.tokens.at("*") else span
        if isinstance(first, Number) and first.decimals:
            here.fail("decimals are only for the limits of a range, such as `0.00..9.99`")
        if self.tokens.at("*"):
            return self._array(first)
        if self.tokens.skip("times"):
            return self._times(first)
        if isinstance(first, Operation) and first.sign == "-" and not first.names and first.value({}) < 0:
            here.fail("a range is written with two points, such as `1..10`")
        return Integer(low=first, high=first)

    def _array(self, count: Expression) -> Array:
        self.tokens.expect("*")
        self.tokens.expect("(")
        item = self._scalar()
        self.tokens.expect(")")
        return Array(count=count, item=item)

    def _uncounted(self, start: Token, count: Integer) -> Array:
        """Read `1..5 * (…)`: items up to the end of the line, with a hidden count."""
        if count.decimals:
            start.fail("expected whole numbers of items, such as `1..5 * (…)`")
        name = f"items from {start.line}:{start.column}"  # no name that a shape can use
        array = self._array(Name(name=name))
        self.unsaid.append(replace(count, name=name, hidden=True))
        return array

    def _range(self, low: Expression) -> Integer:
        start = self.tokens.here
        item = integer_between(low, self.tokens.limit())
        low, high = item.low, item.high
        if isinstance(low, Number) and isinstance(high, Number) and low.amount > high.amount:
            least, most = (item.text(limit.amount).decode() for limit in (low, high))
            start.fail(f"the range is empty: {least} is more than {most}")
        return item

    def _deeper(self, steps: int) -> None:
        self.depth += steps
        if self.depth > DEEPEST:
            self.tokens.here.fail(f"more than {DEEPEST} parentheses and braces within one another")

    def _times(self, count: Expression) -> Times:
        """Read `{ … }`, or `as i { … }`, where i is the row number."""
        if not self.tokens.skip("as"):
            return Times(count=count, block=self._inner())
        name = self.tokens.here
        if name.kind != "name":
            name.fail(f"expected a name for the number of the row, found {name.shown}")
        self._take(name)
        self.tokens.advance()
        self.tokens.known.add(name.text)
        block = self._inner()
        self.tokens.known.discard(name.text)
        self.taken.discard(name.text)
        return Times(count=count, block=block, row=name.text)

    def _choice(self) -> Choice:
        blocks = [self._inner()]
        while self.tokens.skip("or"):
            blocks.append(self._inner())
        return Choice(blocks=tuple(blocks))

    def _inner(self) -> Block:
        known, taken = set(self.tokens.known), set(self.taken)
        self.tokens.expect("{")
        self._deeper(1)
        block = self.block(closing="}")
        self._deeper(-1)
        self.tokens.expect("}")
        self.tokens.known, self.taken = known, taken
        return block

    def _scalar(self) -> Scalar:
        start = self.tokens.here
        self._deeper(1)
        item = self._definition()
        self._deeper(-1)
        if not isinstance(item, Scalar):
            start.fail("expected a range, words, fields or a string within the parentheses")
        if isinstance(item, String) and item.low == Number(amount=0):
            start.fail("a string among others needs a least length of 1, or there would be two spaces")
        return item

    def _word(self) -> Word:
        words: list[bytes] = []
        while True:
            here = self.tokens.here
            if here.kind not in ("name", "quoted"):
                here.fail(f"expected a word after `|`, found {here.shown}")
            words.append(self.tokens.text())
            if words[-1] in words[:-1]:
                here.fail(f"the word `{here.text}` stands twice")
            if not self.tokens.skip("|"):
                return Word(words=tuple(words))

    def _ordered(self, name: Token) -> Array | Times:
        """Read an array of integers, or a repeated block, that is ordered or has nothing twice."""
        item = self._definition()
        if isinstance(item, Times) and not item.row:
            first = item.block.items[0]
            is_word = isinstance(first, String) or (isinstance(first, Integer) and not first.hidden)
            if name.text != "distinct" and not is_word:
                name.fail(f"`{name.text}` blocks begin with an integer or a string")
            return replace(item, order=name.text)
        if not isinstance(item, Array) or not isinstance(item.item, Integer):
            name.fail(
                f"expected an array of integers, such as `{name.text}(n * (1..9))`, or a repeated block without `as`"
            )
        return replace(item, order=name.text)

    def _call(self, name: Token) -> Item:
        self.tokens.advance()
        self.tokens.expect("(")
        ordered = name.text in ORDERS
        item = self._ordered(name) if ordered else Arguments(tokens=self.tokens).item(name.text)
        self.tokens.expect(")")
        return item
