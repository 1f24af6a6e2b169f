"""A draft of a shape's text from samples: a guess that parses all of them, with comments on what was guessed."""

from collections.abc import Sequence

from harness.shapes.errors import ShapeError
from harness.shapes.grammar import read_shape
from harness.shapes.guess import Guess
from harness.shapes.guess_cases import drafts_of_blocks, parses
from harness.shapes.guess_rules import Instance
from harness.shapes.guess_words import NoGuess
from harness.shapes.model import Block, Integer, Item, String, counts_in, inner_blocks

_SIMPLE = 3  # items: nothing shorter is to be found
_UP_TO_THE_END = 2  # items
_HEADS = (2, 3)  # lines
_ONE_LINE = 4  # lines of a draft whose blocks are one line each

_HEADER = """\
# A draft from {count}: it parses {them}. Guessed, so check against the statement:
# every range (what was seen stands behind it), every alphabet and word (only what was seen), every number of marks,
# and which integer counts what, where several were equal.
"""


def infer(samples: Sequence[bytes]) -> str:
    """The text of a shape that all samples are of. Raises ShapeError if none is found."""
    if not samples:
        raise ShapeError("shape: no sample to infer from")
    tidy = [_tidied(sample) for sample in samples]
    draft = _draft([text.split(b"\n")[:-1] for text in tidy], tidy)
    count = "1 sample" if len(samples) == 1 else f"{len(samples)} samples"
    header = _HEADER.format(count=count, them="it" if len(samples) == 1 else "them")
    if tidy != list(samples):
        header += "# Read without carriage returns, spaces at ends of lines and blank lines at the end.\n"
    return header + draft


def on_one_line(draft: str) -> str:
    """A draft without its comments, so short that it can be an argument."""
    lines = [line.partition("  # seen ")[0].strip() for line in draft.splitlines() if not line.startswith("#")]
    return "; ".join(lines).replace("{; ", "{ ").replace("; }", " }")


def _tidied(sample: bytes) -> bytes:
    lines = [line.rstrip() for line in sample.replace(b"\r\n", b"\n").split(b"\n")]
    text = b"\n".join(lines).rstrip(b"\n") + b"\n"
    if not text.isascii() or not text.strip():
        raise ShapeError("shape: a sample is empty, or not ASCII")
    return text


def _draft(instances: list[Instance], samples: list[bytes]) -> str:
    """The draft that says most with least; of lines one after the other, where it is no longer than with blocks."""
    flat = _flat(instances, samples)
    if flat is not None and _items(flat) <= _SIMPLE and _first_integer_counts(flat):
        return flat
    blocks = list(drafts_of_blocks(samples))
    if flat is None and not blocks:
        raise ShapeError("shape: no shape found that all samples are of: write it by hand (docs/shapes.md)")
    best = min(blocks, key=_weight, default=None)
    if flat is None or (best is not None and _weight(best) <= _items(flat) - (best.count("\n") <= _ONE_LINE)):
        return best or ""
    return flat


def _weight(draft: str) -> int:
    """Its items; that blocks come up to the end must save more, since no number vouches for it."""
    return _items(draft) + (_UP_TO_THE_END if draft.startswith("until end") else 0)


def _flat(instances: list[Instance], samples: list[bytes]) -> str | None:
    """A draft of lines one after the other; of those with a line between a count and what it counts, a shorter one."""
    first, *others = (_lines(instances, head) for head in (0, *_HEADS))
    # What begins as rows in one sample may be a line in another, as the one edge of a tree is.
    drafts = [first, *(draft for draft in others if first is None or _ends_in_rows(draft))]
    return min(
        (draft for draft in drafts if draft is not None and parses(draft, samples)), key=_items, default=None
    )


def _ends_in_rows(draft: str | None) -> bool:
    return draft is not None and " times " in draft.splitlines()[-1]


def _lines(instances: list[Instance], head: int) -> str | None:
    try:
        return Guess(instances=instances, head=head).text()
    except NoGuess:
        return None


def _first_integer_counts(draft: str) -> bool:
    first = draft.split(":", maxsplit=1)[0]
    return draft.count(f"{first} times") + draft.count(f"({first}") + draft.count(f"{first} *") > 0


def _items(draft: str) -> int:
    """How many items a draft has, those of blocks once."""
    return _count(read_shape(draft).block)


def _unexplained(item: Item) -> int:
    """How many of its counts are plain numbers: what no integer of the input says is chance in a single sample."""
    return 0 if isinstance(item, String) else sum(not count.names for count in counts_in(item))


def _count(block: Block) -> int:
    """Items, and counts that nothing says: those of words up to the end of a line, too, but not those of blocks."""
    return sum(
        1 + sum(map(_count, inner_blocks(item))) + _unexplained(item)
        for line in block.lines
        for item in line
        if not (len(line) == 1 and isinstance(item, Integer) and item.hidden)
    )
