"""A draft of a shape's text from samples: a guess that parses all of them, with comments on what was guessed."""

from collections.abc import Sequence

from harness.shapes.errors import InputError, ShapeError
from harness.shapes.grammar import read_shape
from harness.shapes.guess import Guess, NoGuess
from harness.shapes.guessrules import Instance, Style
from harness.shapes.model import Shape, Times
from harness.shapes.reading import parse
from harness.shapes.writing import write

MAX_BLOCK = 300  # lines of a repeated block, at most

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


def _tidied(sample: bytes) -> bytes:
    lines = [line.rstrip() for line in sample.replace(b"\r\n", b"\n").split(b"\n")]
    text = b"\n".join(lines).rstrip(b"\n") + b"\n"
    if not text.isascii() or not text.strip():
        raise ShapeError("shape: a sample is empty, or not ASCII")
    return text


def _draft(instances: list[Instance], samples: list[bytes]) -> str:
    flat = _flat(instances)
    if flat is not None and _first_integer_counts(flat) and _parses(flat, samples):
        return flat
    repeated = _repeated(instances, samples)
    for draft in (repeated, flat):
        if draft is not None and _parses(draft, samples):
            return draft
    raise ShapeError("shape: no shape found that all samples are of: write it by hand (docs/shapes.md)")


def _flat(instances: list[Instance]) -> str | None:
    try:
        return Guess(instances=instances).text()
    except NoGuess:
        return None


def _first_integer_counts(draft: str) -> bool:
    first = draft.split(":", maxsplit=1)[0]
    return draft.count(f"{first} times") + draft.count(f"({first}") + draft.count(f"{first} *") > 0


def _parses(draft: str, samples: Sequence[bytes]) -> bool:
    try:
        shape = read_shape(draft)
        return all(write(shape, parse(shape, sample)) == sample for sample in samples)
    except (ShapeError, InputError):
        return False


def _repeated(instances: list[Instance], samples: list[bytes]) -> str | None:
    """`T; T times { … }`: guess the block from the first so many lines, until all samples are of that shape."""
    first = instances[0]
    longest = min(MAX_BLOCK, len(first) - 1)
    style = Style(letters=bytes(sorted(set(b"".join(samples)) - set(b" \n"))))
    for length in range(1, longest + 1):
        try:
            block = Guess(instances=[first[1 : 1 + length]], style=style, taken={"T"}).text()
        except NoGuess:
            continue
        draft = f"T: 0..10^9\nT times {{\n{block}}}\n"
        if _parses(draft, samples):
            return _refined(draft, samples)
    return None


def _refined(draft: str, samples: list[bytes]) -> str | None:
    """The block guessed once more, from all of its instances."""
    shape = read_shape(draft)
    times = shape.block.items[1]
    inner = Shape(text="", block=times.block) if isinstance(times, Times) else shape
    values = [parse(shape, sample) for sample in samples]
    blocks = [write(inner, record).split(b"\n")[:-1] for value in values for record in value.parts[1]]
    try:
        text = Guess(instances=blocks, taken={"T"}).text()
        head = Guess(instances=[[b"%d" % value["T"]] for value in values], names=("T",)).text()
    except NoGuess:
        return None
    indented = "".join(f"  {line}\n" for line in text.splitlines())
    return f"{head}T times {{\n{indented}}}\n"
