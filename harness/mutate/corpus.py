"""Collect valid inputs: all tiny ones, random ones of growing size, outputs of the package's generators."""

import base64
import hashlib
import itertools
import math
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from harness.errors import UsageError
from harness.generate.programs import generator_program
from harness.generate.recipe import read_recipe
from harness.mutate.building import build_mutants, can_mutate
from harness.mutate.candidate_inputs import InputJudge, pack, run_batch, shape_of
from harness.mutate.compare import GAMES, BatchComparer
from harness.mutate.mutation_yaml import Notes
from harness.mutate.outcomes import spread
from harness.package.constants import substitute
from harness.package.model import CONVERSATIONS
from harness.package.workspace import SHAPE_FILE
from harness.sandbox.facts import MIB, Sandbox
from harness.shapes import Shape, ShapeError, draw, enumerate_values, write
from harness.store.identity import digest_of_texts, file_identity, harness_identity, programs_identity
from harness.store.memory import Memory
from harness.values import dataclass

_SEED = 1
_DRAWN_SIZES = (6, 10, 14, 20, 30, 45, 70)
_LARGEST_BYTES = 4000  # of a random input
_CHUNK = 2500  # inputs that are made and validated at a time
_TINY_SHARE = 0.95  # of the wanted inputs: enough tiny ones
_SPARE = 1.06  # gather 6 % more: a few inputs are too slow for repeated runs
_HOPELESS_CHUNKS = 120  # chunks of tiny inputs that are tried at most
FULL = 100_000  # inputs of a full search
_TRUSTED_AFTER = 5000  # valid inputs in a row, after which validators are not called any more
_LARGEST_VALUE = 4000  # of the shape's tiny inputs


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Inputs to compare programs on.

    complete: no other input is valid, so programs that agree on all of them are equivalent. weight: the number of
    problem instances in all inputs; an input with test cases holds many.
    """

    inputs: tuple[bytes, ...]
    complete: bool
    weight: int

    @property
    def digest(self) -> str:
        """A digest of the inputs."""
        return hashlib.sha256(pack(self.inputs)).hexdigest()[:32]


def find_corpus(
    judge: InputJudge, notes: Notes, wanted: int, memory: Memory, progress: Callable[[str], None] = lambda _: None
) -> Corpus:
    """Return at least `wanted` inputs, stored or new; fewer if each costs a judged run, or too few inputs are valid.

    progress: may raise to stop.
    """
    package, is_game = judge.package, bool(judge.package.types & CONVERSATIONS)
    effort = min(wanted / FULL, 1.0)
    wanted = min(wanted, GAMES) if is_game else wanted
    quick = [validator.executable.program for validator in judge.quick.validators]
    files = [file_identity(package.files.get(name)) for name in (SHAPE_FILE, "problem.yaml")]
    shape = shape_of(package)
    settings = repr(
        (wanted, is_game, effort, _SEED, notes.search, [case.settings for _, case in judge.representatives()])
    )
    topic = digest_of_texts(harness_identity(), programs_identity(quick), *files, settings, repr(shape))
    stored = memory.recall(f"corpus {topic}").get("inputs")
    if stored is not None:
        return as_corpus(stored)
    if shape is None:
        raise UsageError(f"{package.slug}: no {SHAPE_FILE}")
    gathering = _Gathering(judge=judge, shape=shape, effort=effort, progress=progress)
    generated = list(gathering.generated(notes))
    corpus = (gathering.small_corpus if is_game else gathering.large_corpus)(generated, wanted)
    if SHAPE_FILE not in package.files:  # inputs outside a guessed shape may be valid, too
        corpus = replace(corpus, complete=False)
    corpus = _without_slow(judge, corpus)
    memory.keep(f"corpus {topic}", {"inputs": _as_json(corpus)})
    return corpus


def _as_json(corpus: Corpus) -> dict[str, object]:
    packed = base64.b64encode(zlib.compress(pack(corpus.inputs), 1)).decode()
    return {"packed": packed, "complete": corpus.complete, "weight": corpus.weight}


def as_corpus(value: Mapping[str, Any]) -> Corpus:
    """Unpack a stored corpus."""
    packed, at, inputs = zlib.decompress(base64.b64decode(value["packed"])), 0, []
    while at < len(packed):
        (length,) = struct.unpack_from("<I", packed, at)
        inputs.append(packed[at + 4 : at + 4 + length])
        at += 4 + length
    return Corpus(inputs=tuple(inputs), complete=value["complete"], weight=value["weight"])


def weight_of(data: bytes) -> int:
    """Return the number of problem instances in an input: the single number of line 1 if blocks follow, else 1."""
    first = re.match(rb"([1-9][0-9]{0,6})\n(?=[^\n]+\n[^\n]+\n)", data)
    lines = data.count(b"\n")
    return int(first[1]) if first and lines > 2 * int(first[1]) else 1


@dataclass(kw_only=True)
class _Validity:
    """Calls the validators, but no longer once the first thousands of inputs of a shape were all valid.

    An input that kills a mutant is always validated, so no invalid input is ever proposed.
    """

    judge: InputJudge
    tried: int = 0
    refused: int = 0

    def valid(self, texts: Sequence[bytes]) -> list[bytes]:
        """Return the valid inputs."""
        if self.tried >= _TRUSTED_AFTER and not self.refused:
            return list(texts)
        half = (len(texts) + 1) // 2
        parts = [part for part in (texts[:half], texts[half:]) if part]

        def work(sandbox: Sandbox, part: Sequence[bytes]) -> list[bytes]:
            return self.judge.valid(sandbox, part)

        valid = [data for accepted in self.judge.host.pool.in_order(work, parts) for data in accepted]
        self.tried += len(texts)
        self.refused += len(texts) - len(valid)
        return valid


def _without_slow(judge: InputJudge, corpus: Corpus) -> Corpus:
    """Drop inputs on which the package's own solution is slow, so that many mutants can be compared."""
    solution = judge.solution
    if solution is None or corpus.complete or not can_mutate(solution.program):
        return corpus
    built = build_mutants(
        solution.program, judge.host, judge.package.include, sample=0, older_dialects=judge.package.older_dialects
    )
    comparing = BatchComparer(judge=judge, built=built, inputs=corpus.inputs)
    slow = judge.host.pool.alone(lambda sandbox, comparing: comparing.slow(sandbox), comparing)
    inputs = tuple(data for index, data in enumerate(corpus.inputs) if index not in slow)
    return Corpus(inputs=inputs, complete=False, weight=sum(map(weight_of, inputs)))


@dataclass(frozen=True, kw_only=True)
class _Gathering:
    """Gathers inputs. effort: the part, up to 1, of the tries of a full search (FULL inputs)."""

    judge: InputJudge
    shape: Shape
    effort: float
    progress: Callable[[str], None]

    def large_corpus(self, generated: Sequence[bytes], wanted: int) -> Corpus:
        """Gather at least `wanted` valid inputs if they exist. generated: valid inputs of generators."""
        wanted = int(wanted * _SPARE)
        tiny, complete = self._tiny(wanted)
        if complete:
            return Corpus(inputs=tuple(tiny), complete=True, weight=len(tiny))
        inputs = dict.fromkeys((*tiny, *generated))
        missing = max(wanted - len(tiny) - sum(map(weight_of, generated)), 0)
        inputs |= dict.fromkeys(itertools.islice(self._drawn(frozenset(inputs)), missing))
        return Corpus(inputs=tuple(inputs), complete=False, weight=sum(map(weight_of, inputs)))

    def small_corpus(self, generated: Sequence[bytes], wanted: int) -> Corpus:
        """Gather `wanted` valid inputs if they exist: a third each of tiny, generated and random inputs."""
        tiny, complete = self._tiny(wanted)
        if complete:
            inputs = dict.fromkeys(spread(tiny, wanted))
        else:
            inputs = dict.fromkeys((*spread(tiny, wanted // 3), *spread(generated, wanted // 3)))
            drawn = self._drawn(frozenset(inputs))
            inputs |= dict.fromkeys(itertools.islice(drawn, wanted - len(inputs)))
        return Corpus(inputs=tuple(inputs), complete=False, weight=len(inputs))

    @property
    def _hopeless_chunks(self) -> int:
        return math.ceil(_HOPELESS_CHUNKS * self.effort)

    def _tiny(self, wanted: int) -> tuple[list[bytes], bool]:
        """Return the smallest inputs, and whether no other inputs exist."""
        values = (write(self.shape, value) for value in enumerate_values(self.shape, _LARGEST_VALUE))
        validity = _Validity(judge=self.judge)
        inputs: list[bytes] = []
        for number in range(1, self._hopeless_chunks + 1):
            chunk = list(itertools.islice(values, _CHUNK))
            inputs += validity.valid(chunk)
            self.progress(f"gathering inputs: {len(inputs):,} of {number * _CHUNK:,} tiny ones are valid")
            if len(chunk) < _CHUNK:
                return inputs, True
            if len(inputs) >= int(wanted * _TINY_SHARE):
                break
        return inputs, False

    def _drawn(self, earlier: frozenset[bytes]) -> Iterator[bytes]:
        """Yield valid random inputs, all different and not in `earlier`, until too few draws are valid or new."""
        seen, validity = set(earlier), _Validity(judge=self.judge)
        for chunk in range(self._hopeless_chunks * 10):
            source = Random(_SEED * 1_000_003 + chunk)  # noqa: S311 (inputs, not secrets)
            texts = []
            for size in _DRAWN_SIZES:
                try:
                    texts += [
                        write(self.shape, draw(self.shape, source, size))
                        for _ in range(_CHUNK // len(_DRAWN_SIZES))
                    ]
                except ShapeError:
                    continue
            unseen = [text for text in dict.fromkeys(texts) if text not in seen and len(text) <= _LARGEST_BYTES]
            valid = validity.valid(unseen)
            seen.update(valid)
            self.progress(f"gathering inputs: {len(seen):,} valid")
            yield from valid
            if chunk >= self._hopeless_chunks and len(valid) < _CHUNK // 100:
                return

    def generated(self, notes: Notes) -> Iterator[bytes]:
        """Yield the valid inputs that the generators under `search` of mutation.yaml make."""
        package = self.judge.package
        calls = [
            (command.generate, number)
            for command in notes.search
            for number in range(math.ceil(command.count * self.effort))
        ]
        if not calls:
            return
        recipe = read_recipe(package.files, package.constants)
        if recipe is None:
            raise UsageError(f"{package.slug}: mutation.yaml has `search`, but there is no recipe with generators")
        names = sorted({command.split()[0] for command, _ in calls})
        programs = [generator_program(package, recipe, name) for name in names]
        generators = dict(zip(names, self.judge.host.build_judge_programs(programs, package.limits), strict=True))

        def make(sandbox: Sandbox, call: tuple[str, int]) -> list[bytes]:
            command, number = call
            text = substitute(command.encode(), package.constants, package.root).decode()
            name, *arguments = text.replace("{seed}", str(1_000_000 + number)).split()
            run = generators[name].command(1024 * MIB, *arguments)
            made = run_batch(self.judge.host, sandbox, generators[name], run, b"")
            return self.judge.valid(sandbox, [made])

        for inputs in self.judge.host.pool.in_order(make, calls):
            self.progress("gathering inputs of generators")
            yield from inputs
