"""Read the arguments of `string(…)`, `fields(…)`, `permutation(…)`, `parents(…)`, `grid(…)`, `tree(…)` and
`graph(…)`."""

from collections.abc import Callable, Set
from typing import Any

from harness.shapes.expressions import Expression, Number, Operation
from harness.shapes.kinds import Count, Field, Integer
from harness.shapes.kinds.integer import integer_between
from harness.shapes.tokens import Token, Tokens
from harness.values import dataclass

Fields = dict[str, Any]
_GRAPH_FLAGS = ("connected", "simple", "directed", "rising", "acyclic", "loopless")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Read the arguments of a call as fields of the item."""

    tokens: Tokens
    known: Set[str]

    def string(self) -> Fields:
        """Read `LENGTH, ALPHABET`."""
        low, high = self._span()
        return {"low": low, "high": high, "alphabet": self._alphabet()}

    def fields(self) -> Fields:
        """Read quoted signs and ranges such as `00..23 ":" 00..59`. The lower limit's text gives the width."""
        start, pieces = self.tokens.here, list[bytes | Field]()
        while not self.tokens.at(")"):
            here = self.tokens.here
            if here.kind == "quoted" and here.text and " " not in here.text:
                pieces.append(self.tokens.text())
            elif here.kind == "number" and self.tokens.next_is("..") and self.tokens.peek(2).kind == "number":
                pieces.append(self._field(here))
            else:
                here.fail(f"expected a quoted sign or a range such as 00..59, found {here.shown}")
            if pieces[-2:-1] and isinstance(pieces[-1], Field) and isinstance(pieces[-2], Field):
                here.fail("between two numbers a sign must stand")
        if not any(isinstance(piece, Field) for piece in pieces):
            start.fail("expected a range, such as 00..59")
        return {"pieces": tuple(pieces)}

    def _field(self, here: Token) -> Field:
        low, high = here.text, self.tokens.peek(2).text
        self.tokens.advance(3)
        if int(low) > int(high):
            here.fail(f"the range is empty: {low} is more than {high}")
        return Field(low=int(low), high=int(high), width=len(low) if low[0] == "0" else 1)

    def permutation(self) -> Fields:
        """Read `COUNT` and perhaps `base=0`."""
        fields: Fields = {"count": self.tokens.expression(self.known), "base": 1}
        while self.tokens.skip(","):
            self._option(fields, flags=(), keys=("base",))
        return fields

    def parents(self) -> Fields:
        """Read `VERTICES` and options. Without a number for the root, the line omits the root."""
        here, vertices = self.tokens.here, self.tokens.expression(self.known)
        fields: Fields = {"vertices": vertices, "base": 1, "root": None}
        while self.tokens.skip(","):
            self._option(fields, flags=("anywhere", "forest"), keys=("base", "root"))
        if fields["root"] == fields["base"] or (fields["root"] is None and "forest" in fields):
            here.fail("roots need a number that no vertex has, such as `root=-1`")
        rooted = fields["root"] is not None
        fields["count"] = vertices if rooted else Operation(sign="-", left=vertices, right=Number(amount=1))
        return fields

    def tree(self) -> Fields:
        """Read `VERTICES` and options."""
        vertices = self.tokens.expression(self.known)
        edges = Operation(sign="-", left=vertices, right=Number(amount=1))
        fields: Fields = {"vertices": vertices, "edges": edges, "tree": True, "connected": True, "simple": True}
        while self.tokens.skip(","):
            self._option(fields, flags=("directed", "rising"), keys=("base", "weight"))
        return fields

    def graph(self) -> Fields:
        """Read `VERTICES, EDGES` and options."""
        fields: Fields = {"vertices": self.tokens.expression(self.known)}
        self.tokens.expect(",")
        fields["edges"] = self.tokens.expression(self.known)
        while self.tokens.skip(","):
            self._option(fields, flags=_GRAPH_FLAGS, keys=("base", "weight"))
        return fields

    def grid(self, call: Token) -> Fields:
        """Read `ROWS, COLUMNS, ALPHABET`, counts and perhaps a border."""
        fields: Fields = {"rows": self.tokens.expression(self.known)}
        self.tokens.expect(",")
        fields["columns"] = self.tokens.expression(self.known)
        fields["alphabet"] = self._alphabet()
        counts: list[Count] = []
        while self.tokens.skip(","):
            if self.tokens.at("border") and self.tokens.next_is("="):
                self.tokens.advance(2)
                fields["border"] = self._letters(fields["alphabet"], 1)
            else:
                counts.append(self._count(fields["alphabet"]))
        return {**fields, "counts": tuple(counts)}

    def _span(self) -> tuple[Expression, Expression]:
        low = self.tokens.expression(self.known)
        return low, self.tokens.expression(self.known) if self.tokens.skip("..") else low

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

    def _option(self, fields: Fields, *, flags: tuple[str, ...], keys: tuple[str, ...]) -> None:
        here = self.tokens.here
        self.tokens.advance()
        if here.kind == "name" and here.text in flags:
            fields[here.text] = True
        elif here.kind == "name" and here.text in keys:
            self.tokens.expect("=")
            readers: dict[str, Callable[[], Any]] = {
                "base": self._base,
                "root": self._root,
                "weight": self._weight,
            }
            fields[here.text] = readers[here.text]()
        else:
            known = ", ".join([*flags, *(f"{key}=…" for key in keys)])
            here.fail(f"expected an option ({known}), found {here.shown}")

    def _base(self) -> int:
        here = self.tokens.here
        if here.text not in ("0", "1"):
            here.fail("numbering begins with 0 or 1")
        self.tokens.advance()
        return int(here.text)

    def _root(self) -> int:
        here, negative = self.tokens.here, self.tokens.skip("-")
        sign = -1 if negative else 1
        root = sign * int(self.tokens.here.text) if self.tokens.here.text in ("0", "1") else None
        if root not in (0, -1):
            here.fail("the root is written as 0 or -1")
        self.tokens.advance()
        return root or 0

    def _weight(self) -> Integer:
        low = self.tokens.limit(self.known)
        return integer_between(low, self.tokens.limit(self.known) if self.tokens.skip("..") else low)
