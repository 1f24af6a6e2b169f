"""Draft the text of a shape that parses all samples, with comments on what was guessed."""

import math
import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain

from harness.shapes.expressions import Name, Operation
from harness.shapes.grammar import read_shape
from harness.shapes.guess import Guess
from harness.shapes.guess_cases import drafts_of_blocks, parses
from harness.shapes.guess_ranges import is_number, numbers_text, text_of_lines
from harness.shapes.guess_rules import Choices, Instance
from harness.shapes.kinds import Array, Block, Edges, Integer, Item, String, Times
from harness.shapes.reader import ShapeError
from harness.shapes.values import parse, tidy

_HEADS = (0, 2, 3, 100)  # first lines that are no repeated lines: tried in this order
_BEFORE = 4  # drafts before those that take an integer for a constant
_READINGS = 40  # readings of lines as repeated lines, at most
_MOST_HEAD = 4  # lines before the lines that repeat up to the end, at most
_ONE_LINE = 4  # lines of a draft whose blocks are one line each
# Penalties, in items: for `until end`; for counts such as `m-1` of blocks, and of arrays; for edges counted before
# vertices; for edges counted by `n-1` that are no tree; for lines that are not read as rows.
_UP_TO_THE_END, _RECKONED, _BESIDE, _SWAPPED, _NO_TREE, _NO_ROWS = 2, 1.0, 1.5, 0.5, 4.0, 2.0

_HEADER = """\
# A draft from {count}: it parses {them}. Guessed, so check against the statement:
# every range (what was seen stands behind it), every alphabet and word (only what was seen), every number of marks,
# and which integer counts what, where several were equal.
"""


def infer(samples: Sequence[bytes]) -> str:
    """Return the text of a shape that parses all samples. Raises ShapeError if there is none."""
    if not samples:
        raise ShapeError("shape: no sample to infer from")
    draft, texts = _best(samples)
    count = "1 sample" if len(samples) == 1 else f"{len(samples)} samples"
    header = _HEADER.format(count=count, them="it" if len(samples) == 1 else "them")
    if texts != list(samples):
        header += (
            "# Read without carriage returns and spaces at ends of lines; blank lines at the end do not count.\n"
        )
    return header + draft


def readings(samples: Sequence[bytes]) -> list[str]:
    """Return all drafts that parse the samples: first that of `infer`, then the likeliest. Raises ShapeError."""
    draft, texts = _best(samples)
    instances = _lines(texts)
    others = [*_by_heads(instances), *_other_readings(instances), *_other_readings(instances, plain=True)]
    others += [Guess(instances=instances, grids=False).text()]
    likely = list(dict.fromkeys(sorted(filter(None, others), key=_cost)))
    drafts = [draft, *likely[:_BEFORE], *_without_coincidences(draft, texts), *likely[_BEFORE:]]
    return [draft for draft in dict.fromkeys(drafts) if parses(draft, texts)]


def _without_coincidences(draft: str, samples: Sequence[bytes]) -> Iterator[str]:
    """Yield the draft with one use of an integer replaced by its value, if that is equal in all samples."""
    values = [parse(read_shape(draft), sample) for sample in samples]
    for name in values[0].names:
        [number, *others] = {value.part(name) for value in values} if name else {None}
        if isinstance(number, int) and not others:
            for use in re.finditer(rf"(?<!\.\.)\b{name}\b(?!:|\.\.| times)", draft):
                yield f"{draft[: use.start()]}{number}{draft[use.end() :]}"


def on_one_line(draft: str) -> str:
    """Return a draft on one line without its comments, for use as an argument."""
    lines = [line.partition("  # seen ")[0].strip() for line in draft.splitlines() if not line.startswith("#")]
    return "; ".join(lines).replace("{; ", "{ ").replace("; }", " }")


def _tidied(sample: bytes) -> bytes:
    text = tidy(sample)
    if not text.isascii() or not text.strip():
        raise ShapeError("shape: a sample is empty, or not ASCII")
    return text


def _best(samples: Sequence[bytes]) -> tuple[str, list[bytes]]:
    """Return the draft that explains most with the fewest items, and the texts that it parses. Raises ShapeError.

    An empty last line may stand for no items, or may have been dropped where it did: so behind a 0, and where other
    blocks end with an empty line.
    """
    texts = [_tidied(sample) for sample in samples]
    ended = [text + b"\n" if b"0" in text.splitlines()[-1].split() else text for text in texts]
    ways = [texts, ended] if ended != texts else [texts]
    if any(b"\n\n" in text for text in texts):
        ways.append([text + b"\n" for text in texts])
    drafts = [(draft, each) for each in ways if (draft := _draft(each)) is not None]
    if not drafts:
        raise ShapeError("shape: no shape found that all samples are of: write it by hand (docs/shapes.md)")
    return min(drafts, key=lambda each: _weight(each[0]))


def _lines(texts: Sequence[bytes]) -> list[Instance]:
    return [text.split(b"\n")[:-1] for text in texts]


def _draft(samples: list[bytes]) -> str | None:
    """Return the likeliest draft; without blocks, unless those make it shorter. None: no draft parses the samples."""
    instances = _lines(samples)
    flat = _flat(instances, samples)
    blocks = list(drafts_of_blocks(samples))
    if flat is None and not blocks:
        flat = next((draft for draft in _with_rest(instances) if parses(draft, samples)), None)
    best = min(blocks, key=_weight, default=None)
    if flat is None or best is None:
        return flat or best
    weight = _weight(best) + (_explained(flat, samples) if best.startswith("until end") else 0)
    return best if weight <= _cost(flat) - (best.count("\n") <= _ONE_LINE) else flat


def _weight(draft: str) -> float:
    """Return the cost of a draft, plus a penalty for `until end`, since no number of the input confirms it."""
    return _cost(draft) + (_UP_TO_THE_END if draft.startswith("until end") else 0)


def _explained(draft: str, samples: list[bytes]) -> int:
    """Return the bonus, in items, for a draft whose own integers give the number of lines of each sample."""
    lengths = {sample.count(b"\n") for sample in samples}
    counted = [item for item in read_shape(draft).block.items if isinstance(item, Times | Edges)]
    return _UP_TO_THE_END * (len(lengths) - 1 + (len(counted) > 1))


def _flat(instances: list[Instance], samples: list[bytes]) -> str | None:
    """Return the best draft without outer blocks; a line between a count and its items counts against a draft."""
    first, *others = _by_heads(instances)
    # What begins as rows in one sample may be a line in another, as the one edge of a tree is.
    best, least = None, math.inf
    for draft in filter(None, (first, *others, *_other_readings(instances))):
        in_rows = draft not in others or " times " in draft.splitlines()[-1]
        cost = _cost(draft) + (0 if in_rows else _NO_ROWS)
        if cost < least and parses(draft, samples):
            best, least = draft, cost
    return best


def _by_heads(instances: list[Instance]) -> Iterator[str | None]:
    """Yield the likeliest draft, then drafts in which the first 2, 3 or 100 lines are no repeated lines."""
    return (Guess(instances=instances, head=head).text() for head in _HEADS)


def _other_readings(instances: list[Instance], *, plain: bool = False) -> Iterator[str | None]:
    """Yield drafts that read some repeated lines differently from the likeliest draft, fewest differences first.

    plain: repeated lines of a few words are no arrays.
    """
    waiting = deque([Choices()])
    for _ in range(_READINGS):
        if not waiting:
            return
        choices = waiting.popleft()
        yield Guess(instances=instances, choices=choices, plain=plain).text()
        waiting.extend(choices.others())


def _cost(draft: str) -> float:
    """Return the number of items plus penalties for unusual items: a low cost means a likely draft."""
    try:
        block = read_shape(draft).block
    except ShapeError:  # an always empty text has no letters
        return math.inf
    return _count(block) + _oddness(block, [])


def _oddness(block: Block, before: list[str]) -> float:
    """Return the penalty for items that problems seldom have, such as counts `m-1`. before: names known before."""
    odd, names = 0.0, list(before)
    for item in block.items:
        if isinstance(item, Edges):
            odd += _oddness_of_edges(item, names)
        elif isinstance(item, Times):
            odd += _RECKONED * isinstance(item.count, Operation)
        elif isinstance(item, Array):
            odd += _BESIDE * isinstance(item.count, Operation)
        odd += sum(_oddness(inner, names) for inner in item.inner)
        names += [item.name] if isinstance(item, Integer) and item.name else []
    return odd


def _oddness_of_edges(item: Edges, names: list[str]) -> float:
    if item.tree:
        return 0.0
    if not isinstance(item.vertices, Name) or not isinstance(item.edges, Name):
        return _NO_TREE
    places = [names.index(count.name) for count in (item.vertices, item.edges) if count.name in names]
    return _SWAPPED if places != sorted(places) else 0.0


def _with_rest(instances: list[Instance]) -> Iterator[str]:
    """Yield last-resort drafts: a few first lines, then lines of one kind up to the end, without a count."""
    most = min(_MOST_HEAD, min(map(len, instances)) - 1)
    for text_of, heads in ((_equal_rows, range(most + 1)), (_numbers, (1, 0)), (_texts, (0,))):
        for head in heads:
            first = Guess(instances=[lines[:head] for lines in instances], head=head).text() if head else ""
            rest = [line for lines in instances for line in lines[head:]]
            is_headed = head == 0 or all(map(is_number, chain(*(lines[0].split(b" ") for lines in instances))))
            row = text_of(rest) if first is not None and is_headed and head <= most else None
            if row is not None:
                yield f"{first}until end {{ {row} }}\n"


def _equal_rows(lines: Sequence[bytes]) -> str | None:
    """Return the text for rows with equally many numbers."""
    rows = [line.split(b" ") for line in lines]
    if len(set(map(len, rows))) > 1 or not all(map(is_number, chain(*rows))):
        return None
    columns = [[row[index] for row in rows] for index in range(len(rows[0]))]
    return " ".join(f"({numbers_text(column)})" for column in columns)


def _texts(lines: Sequence[bytes]) -> str | None:
    """Return the text for whole lines, if few of their words are numbers."""
    words = [word for line in lines for word in line.split()]
    return text_of_lines(lines) if 4 * sum(map(is_number, words)) <= len(words) else None


def _numbers(lines: Sequence[bytes]) -> str | None:
    """Return the text for rows of any number of numbers."""
    rows = [line.split(b" ") for line in lines]
    if not all(map(is_number, chain(*rows))):
        return None
    return f"1..{max(map(len, rows))} * ({numbers_text(list(chain(*rows)))})"


def _unexplained(item: Item) -> int:
    """Count the lengths of an item that are plain numbers: with a single sample they may be chance."""
    return 0 if isinstance(item, String) else sum(not count.names for count in item.lengths)


def _count(block: Block) -> int:
    """Count the items, and the lengths that no number in the input gives; not the hidden counts of blocks."""
    return sum(
        1 + sum(map(_count, item.inner)) + _unexplained(item)
        for line in block.lines
        for item in line
        if not (len(line) == 1 and isinstance(item, Integer) and item.hidden)
    )
