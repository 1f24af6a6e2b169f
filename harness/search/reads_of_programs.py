"""Find the shapes that a program reads: from its source, or by running it on inputs of some shapes."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from harness.host.run_many import OutOfTimeError
from harness.package import Package, Program
from harness.package.checktestdata import CHECKTESTDATA, SourceError
from harness.package.files import File
from harness.reads.braces import reads_of_braces
from harness.reads.cpp_validators import shape_of_cpp
from harness.reads.ctd import shape_of_ctd
from harness.reads.nodes import Unknown, UnreadableError
from harness.reads.program_shapes import letters_of, shape_texts, words_of
from harness.reads.python import reads_of_python
from harness.search.numbers_in_sources import LETTER
from harness.search.policy import GUESS, HUNT, PROBING
from harness.search.time_guard import ended_by
from harness.shapes import Shape, ShapeError, draw_each, parsed, read_shape, tidy, tidy_for, write
from harness.shapes.limits import spans, with_alphabet
from harness.values import dataclass

_ALPHABETS = (b"0123456789", b"01", b".#", b"ABC", b"abc", b"()")
# The commonest shapes of inputs, the most common first; for programs whose source shows nothing.
_USUAL = (
    "n: 1..10; n * (1..10)",
    "n: 1..10",
    "2 * (1..10)",
    "string(1..10, a..z)",
    "n: 1..10 k: 1..10; n * (1..10)",
    "n: 1..10; string(n, a..z)",
    "n: 1..10; n times { (1..10) (1..10) }",
    "n: 1..10 m: 1..10; m times { u: 1..n v: 1..n }",
    *(f"{count} * (1..10)" for count in range(3, 9)),
    "string(1..10, a..z); string(1..10, a..z)",
    "n: 1..10 m: 1..10; n times { m * (1..10) }",
    "n: 1..10; n times { either { 1 (1..10) } or { 2 (1..10) } or { 3 } }",
    "n: 1..10; n times { either { 1 (1..10) (1..10) } or { 2 (1..10) } }",
)
_READS = re.compile(r"input|stdin|scan|cin|read|get", re.IGNORECASE)
_BRACES = (".c", ".cc", ".cpp", ".cxx", ".java")
UNREADABLE = (
    *(UnreadableError, SourceError, ShapeError, SyntaxError, RecursionError, MemoryError),
    *(ValueError, LookupError, ArithmeticError),
)
_DESCRIBING = (CHECKTESTDATA, ".c", ".cc", ".cpp", ".cxx")
# A source shows every limit if it is the same shape with both.
_NARROW = Unknown(letters=b"a")
_WIDE = Unknown(least=-(10**18), most=10**18, letters=b"b")
_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_LETTERS = (("a..z", re.compile("[a-z]").search), ("A..Z", re.compile("[A-Z]").search))
_CHOICE = re.compile(r'"[a-zA-Z]{2,}"(?:\|"[a-zA-Z]{2,}")+')  # of words in a shape's text
_OWN_HEADER = 2000  # letters: larger headers are mostly of libraries, whose numbers are no limits


def shapes_of_programs(programs: Sequence[Program]) -> list[Shape]:
    """Return the shapes of the first program that has any, the likeliest first.

    The words, or their letters, are taken from all programs. A program whose source takes too long to analyse has none.
    """
    known: tuple[bytes, tuple[bytes, ...]] | None = None
    for program in programs:
        shapes = []
        with suppress(OutOfTimeError), ended_by(time.monotonic() + HUNT.guess_s):
            known = known or (letters_of(sources := sources_of(programs)), words_of(sources))
            for text in dict.fromkeys(text for file in _sources(program) for text in _texts(*file, *known)):
                with suppress(ShapeError):
                    shapes.append(read_shape(text))
        if shapes:
            return shapes
    return []


@dataclass(frozen=True, kw_only=True)
class DescribedShape:
    """A shape that an input validator describes. has_limits: its source shows every limit."""

    shape: Shape
    has_limits: bool


def described_shape(package: Package, inputs: Sequence[bytes]) -> DescribedShape | None:
    """Return a shape that an input validator of the package describes and that all inputs fit; None: there is none.

    Of several, the first whose source shows every limit, else the first. Limits that a source does not show are
    widened until the inputs fit.
    """
    texts = [tidy(data) for data in inputs]
    letters = bytes(sorted(set(b"".join(texts)) - set(b" \n"))) or Unknown.letters
    alphabets = dict.fromkeys((bytes(letter for letter in letters if not chr(letter).isdigit()), letters))
    unknowns = [Unknown(most=most, letters=each) for most in GUESS.unknown_limits for each in alphabets if each]
    described: list[DescribedShape] = []
    end_s = time.monotonic() + HUNT.guess_s
    for name, source in _sources_of_validators(package):
        translate = shape_of_ctd if name.endswith(CHECKTESTDATA) else shape_of_cpp
        until_s = min(end_s, time.monotonic() + HUNT.guess_s / 2)
        with suppress(OutOfTimeError, *UNREADABLE), ended_by(until_s):
            shapes = (read_shape(translate(source, unknown)) for unknown in unknowns)
            fitting = (
                shape
                for shape in shapes
                if all(parsed(shape, tidy_for(shape, text)) is not None for text in texts)
            )
            if (shape := next(fitting, None)) is not None:
                has_limits = translate(source, _NARROW) == translate(source, _WIDE)
                described.append(DescribedShape(shape=shape, has_limits=has_limits))
    return next((each for each in described if each.has_limits), next(iter(described), None))


def _sources_of_validators(package: Package) -> list[tuple[str, str]]:
    """Return the sources of input validators, each as (name, text), that may describe what they read.

    Those in Checktestdata's language are in the package as they were written; as programs they are Python.
    """
    ctd = [validator for validator in package.input_validators if validator.path.endswith(CHECKTESTDATA)]
    files = [
        file for validator in package.input_validators if validator not in ctd for file in _sources(validator)
    ]
    originals = [(each.path, package.files.get(each.path) or File(origin=each.origin)) for each in ctd]
    files += [
        (path, file.read().decode(errors="replace"))
        for path, file in originals
        if file.size() <= GUESS.program_bytes
    ]
    return [(name, text) for name, text in files if name.endswith(_DESCRIBING)]


def usual_shape(handles: Callable[[Sequence[bytes]], Sequence[bool]], draws: int) -> Shape | None:
    """Return the commonest shape of inputs most of whose draws a program handles, but none without its last word.

    handles: returns on which inputs the program exits with 0. draws: of each shape.
    """
    for shape in map(read_shape, _USUAL):
        inputs = _drawn(shape, draws)
        is_handled = len(inputs) == draws and sum(handles(inputs)) >= PROBING.usual_handled * draws
        if is_handled and not any(handles(list(map(_without_last_word, inputs)))):
            return shape
    return None


def _without_last_word(data: bytes) -> bytes:
    return data[: data.rstrip().rfind(data.split()[-1])]


def reads_something(program: Program) -> bool:
    """Return whether the program's source names anything that reads."""
    return any(_READS.search(source) for _, source in _sources(program))


def best_handled(
    shapes: Sequence[Shape], handles: Callable[[Sequence[bytes]], Sequence[bool]], draws: int
) -> tuple[Shape | None, float]:
    """Return the shape of whose draws a program handles the largest part, and that part, 0 to 1. Of equals the first.

    handles: returns on which inputs the program exits with 0. draws: of each shape.
    """
    best, best_share = next(iter(shapes), None), 0.0
    for shape in shapes:
        inputs = _drawn(shape, draws)
        share = sum(handles(inputs)) / draws if inputs else 0.0
        if share > best_share:
            best, best_share = shape, share
        if share == 1:
            break
    return best, best_share


def with_other_letters(shape: Shape) -> list[Shape]:
    """Return the shape with each of the usual alphabets for its words, to be compared by running the program."""
    places = [span.index for span in spans(shape) if span.alphabet]
    shapes = []
    for letters in _ALPHABETS if places else ():
        other = shape
        for index in places:
            other = with_alphabet(other, index, letters)
        shapes.append(other)
    return shapes


def _drawn(shape: Shape, count: int) -> list[bytes]:
    """Return small draws of the shape."""
    return [write(shape, value) for value in draw_each(shape, [PROBING.draw_size] * count)]


def sources_of(programs: Sequence[Program], *, headers: bool = True) -> list[str]:
    """Return the texts of the programs' files, except large ones. headers: with large headers, mostly libraries."""
    files = [file for program in programs for file in _sources(program)]
    return [text for name, text in files if headers or not name.endswith(_HEADERS) or len(text) <= _OWN_HEADER]


def with_names(shape: str, sources: Sequence[str]) -> str:
    """Replace a choice between words by a string, if no source tells the words apart: then they are names.

    A source tells words apart if it holds one of them, or one of their letters as a literal.
    """
    if not sources:
        return shape
    literals = {letter for source in sources for letter in LETTER.findall(source)}

    def freed(choice: re.Match[str]) -> str:
        words = re.findall(r"\w+", choice[0])
        is_named = literals & set("".join(words)) or any(word in source for word in words for source in sources)
        letters = " ".join(kind for kind, of_kind in _LETTERS if any(map(of_kind, words)))
        return choice[0] if is_named else f"(string(1..{max(map(len, words))}, {letters}))"

    return _CHOICE.sub(freed, shape)


def _sources(program: Program) -> list[tuple[str, str]]:
    files = [
        (name, file)
        for name, file in program.files.items()
        if file.size() <= (GUESS.header_bytes if name.endswith(_HEADERS) else GUESS.program_bytes)
    ]
    return [(name, file.read().decode(errors="replace")) for name, file in files]


def _texts(name: str, source: str, letters: bytes, words: tuple[bytes, ...]) -> list[str]:
    """Return the texts of shapes that a source file shows; empty if it cannot be analysed. letters: of its words."""
    if not name.endswith((".py", *_BRACES)):
        return []
    try:
        return shape_texts((reads_of_python if name.endswith(".py") else reads_of_braces)(source), letters, words)
    except UNREADABLE:
        return []
