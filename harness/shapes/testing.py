"""For users of pytest: compare a function with a correct reference on inputs of a shape.

Needs Hypothesis, as strategies.py does. `same_as` turns a five-line test into a search that ends with a small input.
"""

from collections.abc import Callable

from hypothesis import HealthCheck, example, given, settings

from harness.shapes.kinds import Shape
from harness.shapes.strategies import inputs_of

Solution = Callable[[bytes], object]


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
