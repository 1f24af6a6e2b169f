"""For users of pytest: Hypothesis strategies for shapes, and the comparison of a function with a correct reference.

Needs Hypothesis. Values are drawn as in a search, but Hypothesis makes each choice, so that it can shrink a failure.
"""

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from harness.shapes.drawing import Bits, Bytes, Drawer, Infeasible
from harness.shapes.grammar import read_shape
from harness.shapes.kinds import Record, Shape
from harness.shapes.values import write
from harness.values import dataclass

Solution = Callable[[bytes], object]
_RUNS = 60  # of equal letters in a grid, at most


def values_of(shape: Shape | str, max_size: int = 100) -> SearchStrategy[Record]:
    """Return the strategy for values of a shape of at most about `max_size` cells, letters, items and edges."""
    read = read_shape(shape) if isinstance(shape, str) else shape

    @st.composite
    def values(draw: DrawFn) -> Record:
        drawer = Drawer(bits=_Choices(source=Random(0), ask=draw), size=max_size, steady=False, full=False, many=1)
        try:
            return read.block.draw(drawer, {}, max_size)
        except Infeasible:
            assume(False)
            raise

    return values()


def inputs_of(shape: Shape | str, max_size: int = 100) -> SearchStrategy[bytes]:
    """Return the strategy for inputs of a shape, of the sizes of `values_of`."""
    read = read_shape(shape) if isinstance(shape, str) else shape
    return values_of(read, max_size).map(lambda value: write(read, value))


@dataclass(frozen=True, kw_only=True)
class _Choices(Bits):
    """Choices of Hypothesis, whose simplest are False, the first and the number nearest to 0."""

    ask: DrawFn

    def below(self, end: int) -> int:
        return self.between(0, end - 1)

    def between(self, low: int, high: int) -> int:
        return int(self.ask(st.integers(low, high)))

    def one_in(self, times: int) -> bool:
        return self.between(0, times - 1) == times - 1

    def bytes(self, count: int) -> bytes:
        """Return bytes that are 255 (in grids the simplest letter), except for some runs of other bytes."""
        text, index = bytearray(b"\xff" * count), st.integers(0, max(0, count - 1))
        for start, length, byte in self.ask(
            st.lists(st.tuples(index, index, st.integers(0, 255)), max_size=_RUNS)
        ):
            text[start : start + length + 1] = bytes([255 - byte]) * min(length + 1, count - start)
        return bytes(text[:count])

    def many_between(self, low: int, high: int, count: int) -> list[int]:
        return [self.between(low, high) for _ in range(count)]

    def letters(self, alphabet: Bytes, count: int) -> Bytes:
        return Bytes(alphabet[self.below(len(alphabet))] for _ in range(count))

    def sample(self, end: int, count: int) -> list[int]:
        free = list(range(end))
        return [free.pop(self.below(len(free))) for _ in range(count)]


def same_as(
    reference: Solution,
    shape: Shape | str,
    *,
    max_size: int = 100,
    examples: int = 200,
    samples: tuple[bytes, ...] = (),
    valid: Callable[[bytes], bool] | None = None,
) -> Callable[[Solution], Callable[[], None]]:
    """Turn a function from input bytes to an answer into a test that compares it with `reference`.

    samples: inputs tried first. valid: a filter of inputs, for rules that the shape cannot express. Bytes and
    texts are compared token by token, everything else with `==`.
    """

    def decorate(mine: Solution) -> Callable[[], None]:
        def test(data: bytes) -> None:
            if valid is not None and not valid(data):
                return
            answer, right = _comparable(mine(data)), _comparable(reference(data))
            if answer != right:
                raise AssertionError(f"{_shown(data)}\nyour answer: {answer!r}\nright is:    {right!r}")

        checked = given(inputs_of(shape, max_size))(test)
        for sample in samples:
            checked = example(sample)(checked)
        slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
        named = settings(max_examples=examples, deadline=None, suppress_health_check=slow)(checked)
        named.__name__, named.__doc__ = getattr(mine, "__name__", "test"), mine.__doc__
        return named

    return decorate


def _comparable(answer: object) -> object:
    """Return the tokens of a text; any other answer unchanged."""
    if isinstance(answer, str):
        return answer.split()
    return answer.decode(errors="replace").split() if isinstance(answer, bytes) else answer


def _shown(data: bytes) -> str:
    return "on this input:\n" + data.decode("ascii", errors="backslashreplace")
