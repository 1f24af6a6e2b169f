"""Compare mutants with the original on many new inputs; a plain judged run confirms each difference.

For batch problems, one process compares several mutants on all inputs (`BatchComparer`). For interactive and
multi-pass problems each comparison is a judged run, so there are hundreds of inputs, not thousands (`GameComparer`).
"""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.mutate.building import MutantProgram
from harness.mutate.candidate_inputs import InputJudge, pack, run_batch
from harness.mutate.mutants import UnsearchableError
from harness.mutate.outcomes import Comparison
from harness.sandbox.facts import Sandbox
from harness.values import dataclass

GAMES = 300  # inputs on which each mutant of an interactive or multi-pass problem is judged
TOGETHER = 6  # mutants per process; each process also runs the original once
_RUN_MS = 400
# Modes of the batch programs: as the program allows; a process for every run; no slow input left out (Python).
_ANY, _ALONE, _ALL = 0, 1, 2
_FEW, _MANY = 24, 1500  # most differences that are reported for a mutant: if there is one right answer, or several
_UNCONFIRMED_BEFORE_ALONE = 8  # differences that are no kills, until the mutant is compared in separate processes
_PROBED = 12  # inputs, evenly spread, on which the original is timed first
_SLOW_RUN_S = 0.05  # largest mean time of the original; a slower one could be compared on a few dozen inputs only
_SLOW_ALL_S = 400.0  # longest time of the original on all inputs, which each process spends
_SHOWN_BYTES = 60
_ADVICE = "search with faster solutions, or not at all: --inputs 0"


@dataclass(frozen=True, kw_only=True)
class _BatchReport:
    """The report of a batch process. Inputs are given by index.

    different: by mutant, the inputs where its output differs. done: by mutant, the number of inputs run. failing: the
    inputs on which the original fails.
    """

    different: Mapping[int, Sequence[int]]
    done: Mapping[int, int]
    failing: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class BatchComparer:
    """Compares the mutants of one solution with it. complete: these inputs are all that exist."""

    judge: InputJudge
    built: MutantProgram
    inputs: tuple[bytes, ...]
    complete: bool = False

    def each(self, numbers: Sequence[int]) -> Iterator[Comparison]:
        """Yield comparisons as they finish. Raises UnsearchableError if the original fails or is too slow."""
        if numbers:
            self.judge.host.pool.alone(lambda sandbox, comparing: comparing._probe(sandbox), self)
        groups = [numbers[start : start + TOGETHER] for start in range(0, len(numbers), TOGETHER)]
        for _, comparisons in self.judge.host.pool.each(self._together, groups):
            yield from comparisons

    def slow(self, sandbox: Sandbox) -> set[int]:
        """Return the indices of inputs on which the original is slow, except the first few."""
        output = self._output(sandbox, (), alone=False).decode("ascii", errors="replace")
        return {int(line.split()[1]) for line in output.splitlines() if line.startswith("slow ")}

    def _together(self, sandbox: Sandbox, numbers: Sequence[int]) -> list[Comparison]:
        report = self._batch(sandbox, numbers, alone=False)
        comparisons = []
        for number in numbers:
            comparison = self._confirm(sandbox, number, report)
            if comparison is None:  # repeated runs in one process may differ where a fresh process does not
                again = self._batch(sandbox, [number], alone=True)
                comparison = self._confirm(sandbox, number, again, last=True)
            if comparison is not None:
                comparisons.append(comparison)
        return comparisons

    def _confirm(
        self, sandbox: Sandbox, number: int, report: _BatchReport, *, last: bool = False
    ) -> Comparison | None:
        """Judge the mutant on the inputs where it differs, until one kills it.

        None: the first few do not, so compare again in a separate process for each run. last: that was done.
        """
        different = report.different[number]
        comparison = Comparison(
            number=number,
            searched=report.done[number],
            failing=len(report.failing),
            failing_on=shown(self.inputs[report.failing[0]]) if report.failing else "",
        )
        for tried, index in enumerate(different, start=1):
            data = self.inputs[index]
            # Most differences are other correct outputs; judging a program is faster than calling all validators.
            if self.judge.kills(sandbox, self.built, number, data) and self.judge.is_valid(sandbox, data):
                return replace(comparison, searched=index, killer=data)
            if tried >= _UNCONFIRMED_BEFORE_ALONE and not last and self._has_one_answer:
                return None
        return replace(comparison, other_outputs=len(different))

    def _probe(self, sandbox: Sandbox) -> None:
        """Run the original on a few inputs first. Raises UnsearchableError if it is too slow."""
        count = len(self.inputs)
        few = tuple(dict.fromkeys(self.inputs[index * count // _PROBED] for index in range(_PROBED) if count))
        output = replace(self, inputs=few)._output(sandbox, (), alone=False)
        _read(output, (), few, patient=False)
        run_s = _spent_s(output) / max(len(few), 1)
        if run_s > _SLOW_RUN_S or run_s * count > _SLOW_ALL_S:
            took = f"the original takes {run_s * 1000:.3g} ms an input (`{shown(few[0])}` is one of {count:,})"
            raise UnsearchableError(f"{took}, which is too slow for a search: {_ADVICE}")

    @property
    def _has_one_answer(self) -> bool:
        return self.judge.package.output_validator is None

    def _batch(self, sandbox: Sandbox, numbers: Sequence[int], *, alone: bool) -> _BatchReport:
        return _read(self._output(sandbox, numbers, alone=alone), numbers, self.inputs)

    def _output(self, sandbox: Sandbox, numbers: Sequence[int], *, alone: bool) -> bytes:
        most = _FEW if self._has_one_answer else _MANY
        mode = _ALONE if alone else _ALL if self.complete else _ANY
        head = struct.pack("<5I", len(numbers), len(self.inputs), most, _RUN_MS, mode)
        stdin = head + struct.pack(f"<{len(numbers)}I", *numbers) + pack(self.inputs)
        executable = self.built.as_batch()
        shares_memory = executable.language.code == "cpp"  # batch.cpp
        command = executable.command(1 << 31)
        return run_batch(self.judge.host, sandbox, executable, command, stdin, shares_memory=shares_memory)


@dataclass(frozen=True, kw_only=True)
class GameComparer:
    """Judges the mutants of one solution on inputs of an interactive or multi-pass problem."""

    judge: InputJudge
    built: MutantProgram
    inputs: tuple[bytes, ...]

    def each(self, numbers: Sequence[int]) -> Iterator[Comparison]:
        """Yield comparisons as they finish."""
        for _, comparison in self.judge.host.pool.each(self._play, numbers):
            yield comparison

    def _play(self, sandbox: Sandbox, number: int) -> Comparison:
        for index, data in enumerate(self.inputs):
            if self._loses_twice(sandbox, number, data) and self.judge.is_valid(sandbox, data):
                return Comparison(number=number, searched=index, killer=data)
        return Comparison(number=number, searched=len(self.inputs))

    def _loses_twice(self, sandbox: Sandbox, number: int, data: bytes) -> bool:
        """Judge twice: an interactor may be random, and a busy machine may delay both sides."""
        return all(self.judge.kills(sandbox, self.built, number, data) for _ in range(2))


def _read(output: bytes, numbers: Sequence[int], inputs: Sequence[bytes], *, patient: bool = True) -> _BatchReport:
    """Read the report of a batch process.

    patient: accept that the original runs too long on a few inputs. Raises UnsearchableError if that happens on many,
    or if the original fails on most.
    """
    different: dict[int, list[int]] = {number: [] for number in numbers}
    done: dict[int, int] = {}
    failing: dict[str, list[int]] = {"late": [], "crashed": []}
    for line in output.decode("ascii", errors="replace").splitlines():
        word, *rest = line.split()
        values = [int(text[:9]) for text in rest if text.isdecimal()]
        match word, values:
            case "different", [number, index] if number in different and index < len(inputs):
                different[number].append(index)
            case "done", [number, count] if number in different:
                done[number] = count
            case (("late" | "crashed"), [index]) if index < len(inputs):
                failing[word].append(index)
    late, failed = failing["late"], sorted(failing["late"] + failing["crashed"])
    stopped = len(done) < len(numbers)
    if late and (stopped or not patient):
        raise UnsearchableError(
            f"the original takes more than {_RUN_MS} ms on the input `{shown(inputs[late[0]])}`: {_ADVICE}"
        )
    if stopped or 2 * len(failed) > len(inputs):
        example = f", `{shown(inputs[failed[0]])}` is one" if failed else ""
        raise UnsearchableError(
            f"the original does not end well on {len(failed):,} of {len(inputs):,} valid inputs{example}: "
            "it is wrong, or the input validator lets too much through"
        )
    return _BatchReport(different=different, done=done, failing=failed)


def _spent_s(output: bytes) -> float:
    """Return the CPU time that the original took on all inputs."""
    spent = re.search(rb"^spent ([0-9]{1,18})$", output, re.MULTILINE)
    return int(spent[1]) / 1e6 if spent else 0.0


def shown(data: bytes) -> str:
    """Put the beginning of an input on one line."""
    text = data[:_SHOWN_BYTES].decode("ascii", errors="backslashreplace").rstrip("\n").replace("\n", "⏎")
    return text if len(data) <= _SHOWN_BYTES else f"{text}… ({len(data)} bytes)"
