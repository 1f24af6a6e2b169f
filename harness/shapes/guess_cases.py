"""Guess that an input is repeated blocks: counted by its first line, or up to a last line, or up to the end."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from harness.shapes.grammar import read_shape
from harness.shapes.guess import Guess, lines_of_forms
from harness.shapes.guess_ranges import quoted_text, range_text, seen_text
from harness.shapes.guess_rules import Instance, are_unlike_forms
from harness.shapes.kinds import Record, Shape, Times
from harness.shapes.limits import loosest
from harness.shapes.reader import InputError, ShapeError
from harness.shapes.values import parse, parsed, write
from harness.values import dataclass

MAX_BLOCK = 300  # lines of a repeated block, at most
_SHORT = 20  # lines of a block for which all readings are tried
_MOST = 12  # lines of a draft of a block
_LAST = re.compile(rb"(0|-1)( \1)*|[#.*$@!?-]|END|end")  # lines that mark the end
_READINGS = tuple(product((False, True), repeat=2))  # across, plain
_SURE, _SURE_OF_ONE = 3, 4  # blocks of several items, and of one item, of a single sample that are no accident


def parses(draft: str, samples: Sequence[bytes]) -> bool:
    """Return whether a draft parses all samples."""
    try:
        shape = read_shape(draft)
    except ShapeError:
        return False
    return all(parsed(shape, sample) is not None for sample in samples)


def drafts_of_blocks(samples: Sequence[bytes]) -> Iterator[str]:
    """Yield drafts that read the samples as blocks of one kind, at most one draft per `_CaseSplit`."""
    for split in _case_splits(samples):
        draft = _draft(split, samples) or _draft_of_forms(split, samples)
        if draft is not None:
            yield draft


@dataclass(frozen=True, kw_only=True)
class _CaseSplit:
    """How blocks repeat. head: the text before their braces; first, last: the numbers of lines before and after them.

    If there is a first line, it holds the number T of blocks.
    """

    head: str
    first: int = 0
    last: int = 0


def _case_splits(samples: Sequence[bytes]) -> Iterator[_CaseSplit]:
    yield _CaseSplit(head="T: 0..10^9\nT times", first=1)
    ends = {sample.split(b"\n")[-2] for sample in samples}
    last = ends.pop()
    if not ends and _LAST.fullmatch(last):
        yield _CaseSplit(head=f"until {quoted_text(last)}", last=1)
    yield _CaseSplit(head="until end")


def _draft(split: _CaseSplit, samples: Sequence[bytes]) -> str | None:
    """Guess the block from the first 1, 2, … lines, until the draft parses all samples.

    Prefer a block in which a number counts something: another one may fit the lines by chance.
    """
    draft: str | None = None
    seen: set[str | None] = set()
    lines = samples[0].split(b"\n")[:-1]
    longest = min(MAX_BLOCK, len(lines) - split.first - split.last)
    for length in range(1, longest + 1):
        if draft and length > _SHORT:
            break
        for reading in _READINGS if length <= _SHORT else _READINGS[:1]:
            block = _text([lines[split.first : split.first + length]], split, reading)
            fresh = block is not None and block.count("\n") <= _MOST and block not in seen
            seen.add(block)
            refined = _refined(split, f"{split.head} {{\n{block}}}\n", samples) if fresh else None
            if refined is not None:
                if _counts(refined, samples):
                    return refined
                draft = draft or refined
    return draft


def _draft_of_forms(split: _CaseSplit, samples: Sequence[bytes]) -> str | None:
    """Return the draft of blocks that are one line each, of several forms: commands up to `END`."""
    if split.first:
        return None  # a number counts them
    lines = [line for sample in samples for line in sample.split(b"\n")[: -1 - split.last]]
    block = lines_of_forms(lines)
    draft = f"{split.head} {{\n  {block}\n}}\n"
    return draft if block is not None and parses(draft, samples) else None


def _counts(draft: str, samples: Sequence[bytes]) -> bool:
    """Return whether a number within the blocks counts something, and there are several blocks."""
    shape = read_shape(draft)
    [*_, times] = shape.block.items
    most = max(len(parse(shape, sample).parts[-1]) for sample in samples)
    return isinstance(times, Times) and bool(times.block.counting) and most > 1


def _text(instances: Sequence[Instance], split: _CaseSplit, reading: tuple[bool, ...]) -> str | None:
    across, plain = reading
    taken = {"T"} if split.first else set[str]()
    return Guess(instances=instances, taken=taken, plain=plain, across=across).text()


def _refined(split: _CaseSplit, draft: str, samples: Sequence[bytes]) -> str | None:
    """Guess the block of a draft again, from all blocks of the samples; None if these have another structure."""
    try:
        shape = loosest(read_shape(draft))
        values = [parse(shape, sample) for sample in samples]
    except (ShapeError, InputError):
        return None
    times = shape.block.items[1]
    is_sure = split.first or split.last or _is_no_accident(values)
    if not isinstance(times, Times) or not is_sure:
        return None
    inner = Shape(text="", block=times.block)
    blocks = [write(inner, record).split(b"\n")[:-1] for value in values for record in value.parts[1]]
    if all(len(block) == 1 for block in blocks) and are_unlike_forms([line for [line] in blocks]):
        return None  # lines of several forms are more exact than words that fit all lines
    head = split.head
    if split.first:
        counts = [value.part("T") for value in values]
        head = f"T: {range_text(counts)}{seen_text(counts)}\nT times"
    for reading in _READINGS:
        text = _text(blocks, split, reading)
        if text is None:
            continue
        indented = "".join(f"  {line}\n" for line in text.splitlines())
        refined = f"{head} {{\n{indented}}}\n"
        if parses(refined, samples):
            return refined
    return None


def _is_no_accident(values: Sequence[Record]) -> bool:
    """Return whether the number of blocks varies: samples differ in it, or the only sample has many."""
    counts = {len(value.parts[1]) for value in values}
    if len(counts) > 1:
        return True
    [count] = counts
    least = _SURE if len(values[0].parts[1][0].parts) > 1 else _SURE_OF_ONE
    return len(values) == 1 and count >= least
