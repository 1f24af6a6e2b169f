"""Guesses that an input is blocks of one kind: as many as its first line says, or up to a last line, or to the end."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from harness.shapes.errors import InputError, ShapeError
from harness.shapes.grammar import read_shape
from harness.shapes.guess import Guess
from harness.shapes.guess_ranges import lists_text, quoted_text
from harness.shapes.guess_rules import Instance, Style, are_unlike_forms
from harness.shapes.guess_words import NoGuess
from harness.shapes.kinds import Record, Shape, Times
from harness.shapes.values import parse, write
from harness.values import dataclass

MAX_BLOCK = 300  # lines of a repeated block, at most
_SHORT = 20  # lines of a block that is read in several ways
_MOST = 12  # lines of a draft of a block
_LAST = re.compile(rb"(0|-1)( \1)*|[#.*$@!?-]|END|end")  # lines that say that nothing follows
_READINGS = tuple(product((False, True), repeat=3))  # across, eldest, plain
_SURE, _SURE_OF_ONE = 3, 4  # so many blocks in the only sample, of several items or of one, are no accident


def parses(draft: str, samples: Sequence[bytes]) -> bool:
    """Whether all samples are of a draft."""
    try:
        shape = read_shape(draft)
        for sample in samples:
            parse(shape, sample)
    except (ShapeError, InputError):
        return False
    return True


def drafts_of_blocks(samples: Sequence[bytes]) -> Iterator[str]:
    """The drafts by which samples are blocks of one kind, of each way one at most."""
    for way in _ways(samples):
        draft = _draft(way, samples)
        if draft is not None:
            yield draft


@dataclass(frozen=True, kw_only=True)
class _Way:
    """How blocks come: what stands before them, with their braces, and how many lines are no blocks."""

    head: str
    first: int = 0
    last: int = 0
    taken: frozenset[str] = frozenset()
    must_vary: bool = False


def _ways(samples: Sequence[bytes]) -> Iterator[_Way]:
    yield _Way(head="T: 0..10^9\nT times", first=1, taken=frozenset("T"))
    ends = {sample.split(b"\n")[-2] for sample in samples}
    last = ends.pop()
    if not ends and _LAST.fullmatch(last):
        yield _Way(head=f"until {quoted_text(last)}", last=1)
    yield _Way(head="until end", must_vary=True)


def _draft(way: _Way, samples: Sequence[bytes]) -> str | None:
    """Guess the block from the first so many lines, until all samples are of that shape.

    What fits by the numbers that a block begins with is no accident; what any lines fit may be.
    """
    found: str | None = None
    seen: set[str | None] = set()
    lines = samples[0].split(b"\n")[:-1]
    longest = min(MAX_BLOCK, len(lines) - way.first - way.last)
    style = Style(letters=bytes(sorted(set(b"".join(samples)) - set(b" \n"))))
    for length in range(1, longest + 1):
        if found and length > _SHORT:
            break
        for reading in _READINGS if length <= _SHORT else _READINGS[:1]:
            block = _text([lines[way.first : way.first + length]], way, style, reading)
            draft = f"{way.head} {{\n{block}}}\n"
            fresh = block is not None and block.count("\n") <= _MOST and block not in seen
            seen.add(block)
            if fresh and parses(draft, samples):
                refined = _refined(way, draft, samples)
                if refined is not None and _counts(refined, samples):
                    return refined
                found = found or refined
    return found


def _counts(draft: str, samples: Sequence[bytes]) -> bool:
    """Whether some number within the blocks counts something, and not in a single one."""
    shape = read_shape(draft)
    [*_, times] = shape.block.items
    most = max(len(parse(shape, sample).parts[-1]) for sample in samples)
    return isinstance(times, Times) and bool(times.block.counting) and most > 1


def _text(instances: Sequence[Instance], way: _Way, style: Style, reading: tuple[bool, ...]) -> str | None:
    across, eldest, plain = reading
    try:
        return Guess(
            instances=instances, style=style, taken=set(way.taken), eldest=eldest, plain=plain, across=across
        ).text()
    except NoGuess:
        return None


def _refined(way: _Way, draft: str, samples: Sequence[bytes]) -> str | None:
    """The block guessed once more, from all of its instances."""
    shape = read_shape(draft)
    times = shape.block.items[1]
    values = [parse(shape, sample) for sample in samples]
    if not isinstance(times, Times) or (way.must_vary and not _is_no_accident(values)):
        return None
    inner = Shape(text="", block=times.block)
    blocks = [write(inner, record).split(b"\n")[:-1] for value in values for record in value.parts[1]]
    lines = [line for block in blocks for line in block]
    if len(lines) == len(blocks) and (are_unlike_forms(lines) or lists_text(lines) is not None):
        return None  # lines of several forms, which say more than words in which all of them would go
    head = way.head
    for reading in _READINGS:
        text = _text(blocks, way, Style(), reading)
        if text is None:
            continue
        if way.first:
            head = _text_of_counts(values) + "T times"
        indented = "".join(f"  {line}\n" for line in text.splitlines())
        found = f"{head} {{\n{indented}}}\n"
        if parses(found, samples):
            return found
    return None


def _text_of_counts(values: Sequence[Record]) -> str:
    return Guess(instances=[[b"%d" % value["T"]] for value in values], names=("T",)).text()


def _is_no_accident(values: Sequence[Record]) -> bool:
    """Whether the number of blocks is free: samples differ in it, or the only one has many."""
    counts = {len(value.parts[1]) for value in values}
    if len(counts) > 1:
        return True
    [count] = counts
    least = _SURE if len(values[0].parts[1][0].parts) > 1 else _SURE_OF_ONE
    return len(values) == 1 and count >= least
