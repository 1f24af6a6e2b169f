"""Many valid inputs: all tiny ones, random ones of growing size, and what the package's own generators make."""

import hashlib
import itertools
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from harness.errors import MachineError
from harness.files import atomic
from harness.mutate.candidate_inputs import Arena
from harness.sandbox import Sandbox
from harness.shapes import Shape, ShapeError, draw, enumerate_values, write
from harness.values import dataclass

_DRAWN_SIZES = (6, 10, 14, 20, 30, 45, 70)
_LARGEST_BYTES = 4000
_CHUNK = 2500
_TINY_SHARE = 0.95
_SPARE = 1.06  # a few are too slow to be run again and again
_HOPELESS_CHUNKS = 120
_TRUSTED_AFTER = 5000
_MAGIC = b"corpus1\n"
_SOME_SIZE = 4000


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Inputs to compare programs on. complete: there are no others, so that what agrees on all of them is equivalent.

    weight: how many problems they hold in all; one input may hold many.
    """

    inputs: tuple[bytes, ...]
    complete: bool
    weight: int

    @property
    def digest(self) -> str:
        """Of its inputs."""
        return hashlib.sha256(pack(self.inputs)).hexdigest()[:32]


def gather(arena: Arena, shape: Shape, made: Sequence[bytes], wanted: int, seed: int) -> Corpus:
    """At least `wanted` valid inputs, if there are so many; `made` are inputs that generators made, valid already."""
    wanted = int(wanted * _SPARE)
    tiny, complete = _tiny(arena, shape, wanted)
    if complete:
        return Corpus(inputs=tuple(tiny), complete=True, weight=len(tiny))
    found = dict.fromkeys((*tiny, *made))
    missing = max(wanted - len(tiny) - sum(map(weight_of, made)), 0)
    for data in itertools.islice(_drawn(arena, shape, seed, frozenset(found)), missing):
        found[data] = None
    return Corpus(inputs=tuple(found), complete=False, weight=sum(map(weight_of, found)))


def gather_few(arena: Arena, shape: Shape, made: Sequence[bytes], wanted: int, seed: int) -> Corpus:
    """As many valid inputs, if there are so many: a third each of tiny ones, of `made`, and of random ones."""
    tiny, complete = _tiny(arena, shape, wanted)
    if complete:
        found = dict.fromkeys(_spread(tiny, wanted))
    else:
        found = dict.fromkeys((*_spread(tiny, wanted // 3), *_spread(made, wanted // 3)))
        drawn = _drawn(arena, shape, seed, frozenset(found))
        found.update(dict.fromkeys(itertools.islice(drawn, wanted - len(found))))
    return Corpus(inputs=tuple(found), complete=False, weight=len(found))


def _spread(inputs: Sequence[bytes], most: int) -> list[bytes]:
    """At most so many, evenly spread, the first among them."""
    return [inputs[place * len(inputs) // most] for place in range(most)] if len(inputs) > most else list(inputs)


def weight_of(data: bytes) -> int:
    """How many problems an input holds: the number in its first line, if that stands alone and blocks follow."""
    first = re.match(rb"([1-9][0-9]{0,6})\n(?=[^\n]+\n[^\n]+\n)", data)
    lines = data.count(b"\n")
    return int(first[1]) if first and lines > 2 * int(first[1]) else 1


def _tiny(arena: Arena, shape: Shape, wanted: int) -> tuple[list[bytes], bool]:
    """The smallest inputs, and whether these are all there are."""
    cap = int(wanted * _TINY_SHARE)
    values = (write(shape, value) for value in enumerate_values(shape, _SOME_SIZE))
    sieve = _Sieve(arena=arena)
    found: list[bytes] = []
    for _ in range(_HOPELESS_CHUNKS):
        chunk = list(itertools.islice(values, _CHUNK))
        found += sieve.valid(chunk)
        if len(chunk) < _CHUNK:
            return found, True
        if len(found) >= cap:
            break
    return found, False


def _drawn(arena: Arena, shape: Shape, seed: int, known: frozenset[bytes]) -> Iterator[bytes]:
    """Valid random inputs, none twice, until too few of them are valid or new."""
    seen, sieve = set(known), _Sieve(arena=arena)
    for chunk in range(_HOPELESS_CHUNKS * 10):
        source = Random(seed * 1_000_003 + chunk)  # noqa: S311 (inputs, not secrets)
        texts = []
        for size in _DRAWN_SIZES:
            try:
                texts += [write(shape, draw(shape, source, size)) for _ in range(_CHUNK // len(_DRAWN_SIZES))]
            except ShapeError:
                continue
        fresh = [text for text in dict.fromkeys(texts) if text not in seen and len(text) <= _LARGEST_BYTES]
        good = sieve.valid(fresh)
        seen.update(good)
        yield from good
        if chunk >= _HOPELESS_CHUNKS and len(good) < _CHUNK // 100:
            return


@dataclass(kw_only=True)
class _Sieve:
    """Lets valid inputs through. When the first thousands of the shape are all valid, the shape is taken at its word:

    whatever kills a mutant is validated once more, so no invalid input is ever proposed.
    """

    arena: Arena
    tried: int = 0
    refused: int = 0

    def valid(self, texts: Sequence[bytes]) -> list[bytes]:
        """Those that are valid."""
        if self.tried >= _TRUSTED_AFTER and not self.refused:
            return list(texts)
        half = (len(texts) + 1) // 2
        parts = [part for part in (texts[:half], texts[half:]) if part]

        def work(sandbox: Sandbox, part: Sequence[bytes]) -> list[bytes]:
            return self.arena.valid(sandbox, part)

        good = [data for found in self.arena.host.pool.in_order(work, parts) for data in found]
        self.tried += len(texts)
        self.refused += len(texts) - len(good)
        return good


def pack(inputs: Sequence[bytes]) -> bytes:
    """Inputs as the batch programs read them: of each its length in 32 bits, and its bytes."""
    return b"".join(struct.pack("<I", len(data)) + data for data in inputs)


def keep(path: Path, corpus: Corpus) -> None:
    """Write a corpus to a cache."""
    body = _MAGIC + struct.pack("<IQ", corpus.complete, corpus.weight) + pack(corpus.inputs)
    atomic.write(path, body + hashlib.sha256(body).digest())


def recall(path: Path) -> Corpus | None:
    """A corpus that was kept, unless it is damaged."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror}") from error
    body, digest = whole[:-32], whole[-32:]
    if not body.startswith(_MAGIC) or hashlib.sha256(body).digest() != digest:
        return None
    complete, weight = struct.unpack_from("<IQ", body, len(_MAGIC))
    at, inputs = len(_MAGIC) + 12, []
    while at < len(body):
        (length,) = struct.unpack_from("<I", body, at)
        inputs.append(body[at + 4 : at + 4 + length])
        at += 4 + length
    return Corpus(inputs=tuple(inputs), complete=bool(complete), weight=weight)
