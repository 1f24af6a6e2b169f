"""Compares mutants with the original on many inputs, in few processes; a plain judged run decides what differs."""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.mutate.building import Schemata
from harness.mutate.candidate_inputs import Arena
from harness.mutate.corpus import Corpus, pack
from harness.mutate.errors import UnsearchableError
from harness.mutate.run_helper import run_batch
from harness.sandbox import Sandbox
from harness.values import dataclass

TOGETHER = 6  # mutants of one process, which also runs the original once
_RUN_MS = 400
_ANY, _ALONE, _ALL = 0, 1, 2  # as the program likes; a process for every run; no slow input left out (Python)
_FEW, _MANY = 24, 1500
_UNCONFIRMED_BEFORE_ALONE = 8
_PROBED = 12  # so many inputs, evenly spread, show how long the original takes
# Of the original, on average: slower, and a process would compare its mutants on a few dozens of inputs only.
_SLOW_RUN_S = 0.05
_SLOW_ALL_S = 400.0  # of the original on all inputs; every process pays that
_SHOWN_BYTES = 60
_MEND = "search with faster solutions, or not at all: --inputs 0"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A mutant on a corpus. searched: on so many inputs it is like the original; killer: an input that kills it.

    other_outputs: on so many it prints something else that is right, too. failing: on so many the original itself
    fails, and they are left out; failing_on: one of them, in a line.
    """

    number: int
    searched: int
    killer: bytes | None = None
    other_outputs: int = 0
    failing: int = 0
    failing_on: str = ""


@dataclass(frozen=True, kw_only=True)
class _Batched:
    """What a batch found out. different: by mutant the inputs on which it differs; done: how many it was run on.

    failing: the inputs on which the original fails.
    """

    different: Mapping[int, Sequence[int]]
    done: Mapping[int, int]
    failing: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """Compares the mutants of one solution with it."""

    arena: Arena
    schemata: Schemata
    corpus: Corpus

    def each(self, numbers: Sequence[int]) -> Iterator[Comparison]:
        """The outcomes, as they come. Raises UnsearchableError where the original fails, or is too slow for it."""
        if numbers:
            self.arena.host.pool.alone(lambda sandbox, one: one._probe(sandbox), self)
        groups = [numbers[start : start + TOGETHER] for start in range(0, len(numbers), TOGETHER)]
        for _, outcomes in self.arena.host.pool.each(self._together, groups):
            yield from outcomes

    def _together(self, sandbox: Sandbox, numbers: Sequence[int]) -> list[Comparison]:
        said = self._batch(sandbox, numbers, alone=False)
        outcomes = []
        for number in numbers:
            outcome = self._confirm(sandbox, number, said)
            if outcome is None:  # what one process does again and again may differ where a fresh one does not
                again = self._batch(sandbox, [number], alone=True)
                outcome = self._confirm(sandbox, number, again, last=True)
            if outcome is not None:
                outcomes.append(outcome)
        return outcomes

    def _confirm(self, sandbox: Sandbox, number: int, said: _Batched, *, last: bool = False) -> Comparison | None:
        """Plain runs on the inputs that differ; None: none of the first few is a kill, ask a process for each run."""
        mutant, original = self.schemata.as_mutant(number), self.schemata.as_mutant(0)
        different = said.different[number]
        failing_on = _shown(self.corpus.inputs[said.failing[0]]) if said.failing else ""
        outcome = Comparison(
            number=number, searched=said.done[number], failing=len(said.failing), failing_on=failing_on
        )
        for tried, place in enumerate(different):
            data = self.corpus.inputs[place]
            if self.arena.is_valid(sandbox, data) and self.arena.tells_apart(sandbox, original, mutant, data):
                return replace(outcome, searched=place, killer=data)
            if tried + 1 >= _UNCONFIRMED_BEFORE_ALONE and not last and self.single_answer:
                return None
        return replace(outcome, other_outputs=len(different))

    def slow(self, sandbox: Sandbox) -> set[int]:
        """Which inputs take the original long; a few of them do not count."""
        said = self._said(sandbox, (), alone=False).decode("ascii", errors="replace")
        return {int(line.split()[1]) for line in said.splitlines() if line.startswith("slow ")}

    def _probe(self, sandbox: Sandbox) -> None:
        """Runs the original on a few inputs first: a slow one would keep everybody waiting for nothing."""
        every = self.corpus.inputs
        few = tuple(dict.fromkeys(every[number * len(every) // _PROBED] for number in range(_PROBED) if every))
        said = replace(self, corpus=replace(self.corpus, inputs=few))._said(sandbox, (), alone=False)
        _read(said, (), few, patient=False)
        run_s = _spent_s(said) / max(len(few), 1)
        if run_s > _SLOW_RUN_S or run_s * len(every) > _SLOW_ALL_S:
            took = (
                f"the original takes {run_s * 1000:.3g} ms an input (`{_shown(few[0])}` is one of {len(every):,})"
            )
            raise UnsearchableError(f"{took}, which is too slow for a search: {_MEND}")

    @property
    def single_answer(self) -> bool:
        """Whether there is one right output to an input."""
        return self.arena.package.output_validator is None

    def _batch(self, sandbox: Sandbox, numbers: Sequence[int], *, alone: bool) -> _Batched:
        return _read(self._said(sandbox, numbers, alone=alone), numbers, self.corpus.inputs)

    def _said(self, sandbox: Sandbox, numbers: Sequence[int], *, alone: bool) -> bytes:
        most = _FEW if self.single_answer else _MANY
        mode = _ALONE if alone else _ALL if self.corpus.complete else _ANY
        head = struct.pack("<5I", len(numbers), len(self.corpus.inputs), most, _RUN_MS, mode)
        given = head + struct.pack(f"<{len(numbers)}I", *numbers) + pack(self.corpus.inputs)
        executable = self.schemata.as_batch()
        shares = executable.language.code == "cpp"  # batch.cpp
        return run_batch(self.arena.host, sandbox, executable.command(1 << 31), given, shares=shares)


def _read(said: bytes, numbers: Sequence[int], inputs: Sequence[bytes], *, patient: bool = True) -> _Batched:
    """What a batch reports. Raises UnsearchableError where the original fails on most inputs, or does not end on many.

    patient: a few inputs on which it does not end may be.
    """
    different: dict[int, list[int]] = {number: [] for number in numbers}
    done: dict[int, int] = {}
    failing: dict[str, list[int]] = {"late": [], "crashed": []}
    for line in said.decode("ascii", errors="replace").splitlines():
        word, *rest = line.split()
        values = [int(one[:9]) for one in rest if one.isdecimal()]
        match word, values:
            case "different", [number, place] if number in different and place < len(inputs):
                different[number].append(place)
            case "done", [number, count] if number in different:
                done[number] = count
            case (("late" | "crashed"), [place]) if place < len(inputs):
                failing[word].append(place)
    late, every = failing["late"], sorted(failing["late"] + failing["crashed"])
    stopped = len(done) < len(numbers)
    if late and (stopped or not patient):
        raise UnsearchableError(
            f"the original takes more than {_RUN_MS} ms on the input `{_shown(inputs[late[0]])}`: {_MEND}"
        )
    if stopped or 2 * len(every) > len(inputs):
        which = f", `{_shown(inputs[every[0]])}` is one" if every else ""
        raise UnsearchableError(
            f"the original does not end well on {len(every):,} of {len(inputs):,} valid inputs{which}: "
            "it is wrong, or the input validator lets too much through"
        )
    return _Batched(different=different, done=done, failing=every)


def _spent_s(said: bytes) -> float:
    """The CPU time that the original took on all inputs."""
    found = re.search(rb"^spent ([0-9]{1,18})$", said, re.MULTILINE)
    return int(found[1]) / 1e6 if found else 0.0


def _shown(data: bytes) -> str:
    """An input within a line."""
    text = data[:_SHOWN_BYTES].decode("ascii", errors="backslashreplace").rstrip("\n").replace("\n", "⏎")
    return text if len(data) <= _SHOWN_BYTES else f"{text}… ({len(data)} bytes)"
