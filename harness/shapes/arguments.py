"""Read `string(…)`, `grid(…)`, `tree(…)` and the like: each word is a method that returns the item."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.shapes.expressions import Expression, Number, Operation
from harness.shapes.kinds import (
    Count,
    Edges,
    Field,
    Fields,
    Grid,
    Integer,
    Item,
    Letters,
    Parents,
    Permutation,
    String,
)
from harness.shapes.kinds.brackets import pairs_of
from harness.shapes.kinds.integer import integer_between
from harness.shapes.tokens import Token, Tokens
from harness.values import dataclass

CALLS = ("string", "brackets", "fields", "permutation", "parents", "grid", "tree", "graph")
_GRAPH_FLAGS = ("connected", "simple", "directed", "rising", "acyclic", "loopless")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Reads the arguments of the calls in CALLS."""

    tokens: Tokens

    def item(self, word: str) -> Item:
        """Read the arguments of `word(…)`."""
        item: Item = getattr(self, word)()
        return item

    def string(self) -> String:
        """Read `LENGTH, ALPHABET`."""
        low, high = self._span()
        return String(low=low, high=high, alphabet=self._alphabet())

    def brackets(self) -> String:
        """Read `LENGTH, ALPHABET` of whole pairs of brackets."""
        read, here = self.string(), self.tokens.here
        if not pairs_of(read.alphabet):
            here.fail('expected pairs of brackets before it, such as "()" or "()[]"')
        return replace(read, matching=True)

    def fields(self) -> Fields:
        """Read quoted signs, ranges and strings, such as `00..23 ":" 00..59` or `string(1..9, a..z) "@" 1..9`.

        The text of a lower limit gives the width.
        """
        start, pieces = self.tokens.here, list[bytes | Field | Letters]()
        while not self.tokens.at(")"):
            here = self.tokens.here
            if here.kind == "quoted" and here.text and " " not in here.text:
                pieces.append(self.tokens.text())
            elif here.kind == "number" and self.tokens.next_is("..") and self.tokens.peek(2).kind == "number":
                pieces.append(self._field(here))
            elif here.text == "string" and self.tokens.next_is("("):
                pieces.append(self._letters_of_field(here))
            else:
                here.fail(f"expected a quoted sign, a range such as 00..59, or `string(…)`, found {here.shown}")
            _check_neighbours(pieces, here)
        if all(isinstance(piece, bytes) for piece in pieces):
            start.fail("expected a range, such as 00..59")
        return Fields(pieces=tuple(pieces))

    def _letters_of_field(self, here: Token) -> Letters:
        self.tokens.advance(2)
        string = self.string()
        letters = Letters(low=string.low, high=string.high, alphabet=string.alphabet)
        self.tokens.expect(")")
        if not (isinstance(letters.low, Number) and isinstance(letters.high, Number)) or letters.low.amount < 1:
            here.fail("within a word, the number of letters is between two numbers, at least 1")
        return letters

    def _field(self, here: Token) -> Field:
        low, high = here.text, self.tokens.peek(2).text
        self.tokens.advance(3)
        if int(low) > int(high):
            here.fail(f"the range is empty: {low} is more than {high}")
        least, most = Number(amount=int(low)), Number(amount=int(high))
        return Field(low=least, high=most, width=len(low) if low[0] == "0" else 1)

    def permutation(self) -> Permutation:
        """Read `COUNT` and perhaps `base=0`."""
        item = Permutation(count=self.tokens.expression())
        return replace(item, **self._options(keys=("base",)))

    def parents(self) -> Parents:
        """Read `VERTICES` and options. Without the option `root` the printed line omits the root."""
        here, vertices = self.tokens.here, self.tokens.expression()
        item = Parents(vertices=vertices, count=vertices)
        item = replace(item, **self._options(flags=("anywhere", "forest"), keys=("base", "root")))
        if item.root == item.base or (item.root is None and item.forest):
            here.fail("roots need a number that no vertex has, such as `root=-1`")
        return replace(item, count=_less_one(vertices)) if item.root is None else item

    def tree(self) -> Edges:
        """Read `VERTICES` and options."""
        vertices = self.tokens.expression()
        item = Edges(vertices=vertices, edges=_less_one(vertices), tree=True, connected=True, simple=True)
        return replace(item, **self._options(flags=("directed", "rising"), keys=("base", "weight")))

    def graph(self) -> Edges:
        """Read `VERTICES, EDGES` and options."""
        vertices, edges = self._two()
        item = Edges(vertices=vertices, edges=edges)
        return replace(item, **self._options(flags=_GRAPH_FLAGS, keys=("base", "weight")))

    def grid(self) -> Grid:
        """Read `ROWS, COLUMNS, ALPHABET`, counts and perhaps a border."""
        rows, columns = self._two()
        alphabet, border, counts = self._alphabet(), b"", list[Count]()
        while self.tokens.skip(","):
            if self.tokens.at("border") and self.tokens.next_is("="):
                self.tokens.advance(2)
                border = self._letters(alphabet, 1)
            else:
                counts.append(self._count(alphabet))
        return Grid(rows=rows, columns=columns, alphabet=alphabet, border=border, counts=tuple(counts))

    def _two(self) -> tuple[Expression, Expression]:
        first = self.tokens.expression()
        self.tokens.expect(",")
        return first, self.tokens.expression()

    def _span(self) -> tuple[Expression, Expression]:
        low = self.tokens.expression()
        return low, self.tokens.expression() if self.tokens.skip("..") else low

    def _alphabet(self) -> bytes:
        """Read, after a comma, quoted letters and spans such as `a..z`; the first letter is the simplest."""
        self.tokens.expect(",")
        start, letters = self.tokens.here, b""
        while self.tokens.here.kind in ("quoted", "name", "number"):
            letters += self._letter_span() if self.tokens.next_is("..") else self._quoted()
        if not letters:
            start.fail('expected an alphabet, such as ".#" or a..z')
        if len(set(letters)) < len(letters):
            start.fail("a letter stands twice in the alphabet")
        return letters

    def _quoted(self) -> bytes:
        if self.tokens.here.kind != "quoted":
            self.tokens.here.fail('an alphabet is quoted, such as ".#", or a span, such as a..z')
        return self.tokens.text()

    def _letter_span(self) -> bytes:
        start = self.tokens.here
        first = self.tokens.text()
        self.tokens.advance()
        last = self.tokens.text()
        if len(first) != 1 or len(last) != 1 or first > last:
            start.fail("a span of letters goes from one character up to another, such as a..z")
        return bytes(range(first[0], last[0] + 1))

    def _letters(self, alphabet: bytes, most: int) -> bytes:
        here = self.tokens.here
        if here.kind not in ("name", "quoted"):
            here.fail(f'expected letters of the grid, such as X or "@+", found {here.shown}')
        letters = self.tokens.text()
        strangers = letters.translate(None, alphabet)
        if strangers or not letters:
            here.fail(f"`{here.text}` has letters that the alphabet lacks, or none")
        if len(letters) > most or len(set(letters)) < len(letters):
            here.fail(f"expected {'one letter' if most == 1 else 'distinct letters'}")
        return letters

    def _count(self, alphabet: bytes) -> Count:
        letters = self._letters(alphabet, len(alphabet))
        self.tokens.expect("=")
        if self.tokens.here.kind == "quoted":
            nothing = Number(amount=0)
            same = self._letters(alphabet, len(alphabet))
            return Count(letters=letters, low=nothing, high=nothing, same=same)
        low, high = self._span()
        return Count(letters=letters, low=low, high=high)

    def _options(self, *, flags: Sequence[str] = (), keys: Sequence[str]) -> dict[str, Any]:
        """Read, each after a comma, flags and keys with a value."""
        fields: dict[str, Any] = {}
        while self.tokens.skip(","):
            here = self.tokens.here
            self.tokens.advance()
            if here.kind == "name" and here.text in flags:
                fields[here.text] = True
            elif here.kind == "name" and here.text in keys:
                self.tokens.expect("=")
                fields[here.text] = self._weight() if here.text == "weight" else self._number_of(here.text)
            else:
                options = ", ".join([*flags, *(f"{key}=…" for key in keys)])
                here.fail(f"expected an option ({options}), found {here.shown}")
        return fields

    def _number_of(self, key: str) -> int:
        here, text = self.tokens.here, "-" if self.tokens.skip("-") else ""
        text += self.tokens.here.text
        if key == "base" and text not in ("0", "1"):
            here.fail("numbering begins with 0 or 1")
        if key == "root" and text not in ("0", "-1"):
            here.fail("the root is written as 0 or -1")
        self.tokens.advance()
        return int(text)

    def _weight(self) -> Integer:
        low = self.tokens.limit()
        return integer_between(low, self.tokens.limit() if self.tokens.skip("..") else low)


def _check_neighbours(pieces: Sequence[bytes | Field | Letters], here: Token) -> None:
    """Raise ShapeError if the last piece of a word could not be told from the one before it."""
    *_, before, last = (b"", *pieces)
    if not isinstance(before, bytes) and not isinstance(last, bytes):
        here.fail("between two numbers, or letters, a sign must stand")
    if isinstance(before, Letters) and isinstance(last, bytes) and last[0] in before.alphabet:
        here.fail("the sign behind letters must be none of them")


def _less_one(count: Expression) -> Expression:
    return Operation(sign="-", left=count, right=Number(amount=1))
