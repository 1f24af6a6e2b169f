"""How run time grows with size: the exponent fitted to measured points, and a plot of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

_WORD = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?[\d.]{1,18}")
_UPPER = 16  # only sizes up to so many times smaller than the largest: below, other terms show
_FAR = 50  # what takes so many times less input shows what a start costs
_LEAST_S = 0.004
_ENOUGH = 3


def size_of(data: bytes) -> int:
    """How many numbers an input has, and letters in other words: bytes would grow with the digits, too."""
    return sum(1 if _NUMBER.fullmatch(word) else len(word) for word in _WORD.findall(data))


@dataclass(frozen=True, kw_only=True)
class Point:
    """One measured run: the size and the bytes of its input, CPU seconds of the program and of the reference.

    steps: basic blocks, 0 where they do not tell. stopped: it would have taken longer than cpu_s.
    """

    size: int
    cpu_s: float
    bytes: int = 0
    reference_s: float | None = None
    steps: int = 0
    stopped: bool = False


@dataclass(frozen=True, kw_only=True)
class Fit:
    """cpu = factor × size^exponent, by least squares on logarithms."""

    exponent: float
    factor: float

    def at(self, size: float) -> float:
        """The fitted seconds at a size."""
        return self.factor * exp(self.exponent * log(size))


def fitted(points: Sequence[Point], *, least_s: float = _LEAST_S) -> Fit | None:
    """The growth towards the largest sizes, of steps where they were counted, else of seconds without those of a start.

    None with fewer than two sizes of points that took long enough to mean something, to their end.
    """
    ended = sorted((one for one in points if one.size > 0 and not one.stopped), key=lambda one: one.size)
    if not ended:
        return None
    seconds = _upper([(one.size, one.cpu_s - fixed) for fixed in [_fixed_s(ended)] for one in ended], least_s)
    counted = _upper([(one.size, one.steps) for one in ended if one.steps], 0)
    telling = counted if len(counted) >= _ENOUGH and counted[-1][0] * _UPPER >= ended[-1].size else seconds
    if len({size for size, _ in telling}) < 2:
        return None
    exponent = _slope(telling)
    shown = seconds or [(one.size, max(one.cpu_s, _LEAST_S)) for one in ended[-1:]]
    factor = exp(sum(log(cost) - exponent * log(size) for size, cost in shown) / len(shown))
    return Fit(exponent=exponent, factor=factor)


def _fixed_s(ended: Sequence[Point]) -> float:
    """What a start costs: all that the smallest took, where that is far smaller than the largest."""
    return ended[0].cpu_s if ended[-1].size >= _FAR * ended[0].size else 0.0


def _upper(known: Sequence[tuple[int, float]], least: float) -> list[tuple[int, float]]:
    telling = [(size, cost) for size, cost in known if cost > 0 and cost >= least]
    return [(size, cost) for size, cost in telling if size * _UPPER >= telling[-1][0]]


def _slope(known: Sequence[tuple[int, float]]) -> float:
    """Of the logarithms."""
    places = [(log(size), log(cost)) for size, cost in known]
    middle_x = sum(x for x, _ in places) / len(places)
    middle_y = sum(y for _, y in places) / len(places)
    spread = sum((x - middle_x) ** 2 for x, _ in places)
    return sum((x - middle_x) * (y - middle_y) for x, y in places) / spread


_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 640, 400, 60, 50, 40


def plot(points: Sequence[Point], fit: Fit | None, limit_s: float, title: str) -> str:
    """An SVG with logarithmic axes: the points, those of the reference, the fit and the time limit."""
    sizes = [one.size for one in points]
    times = [value for one in points for value in (one.cpu_s, one.reference_s or one.cpu_s) if value > 0]
    low_x, high_x = log(max(1, min(sizes))), log(max(2, *sizes))
    low_y, high_y = log(max(1e-4, min(times)) / 2), log(max(limit_s, *times) * 1.5)

    def x(size: float) -> float:
        return _LEFT + (log(max(size, 1)) - low_x) / max(high_x - low_x, 1e-9) * (_WIDTH - _LEFT - 20)

    def y(seconds: float) -> float:
        part = (log(max(seconds, 1e-4)) - low_y) / max(high_y - low_y, 1e-9)
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _BOTTOM - _TOP)

    def dots(values: Sequence[tuple[int, float]], colour: str) -> list[str]:
        return [
            f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="4" fill="{colour}"/>' for size, value in values
        ]

    def text(left: float, top: float, words: str, anchor: str = "start") -> str:
        escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return f'<text x="{left:.1f}" y="{top:.1f}" text-anchor="{anchor}" font-size="12">{escaped}</text>'

    right, floor = _WIDTH - 20, _HEIGHT - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        text(_LEFT, 22, title),
        f'<path d="M{_LEFT} {_TOP}V{floor}H{right}" fill="none" stroke="black"/>',
        f'<path d="M{_LEFT} {y(limit_s):.1f}H{right}" stroke="crimson" stroke-dasharray="6 4"/>',
        text(right, y(limit_s) - 5, f"limit {limit_s:g} s", "end"),
    ]
    for size in sorted({min(sizes), max(sizes)}):
        parts.append(text(x(size), floor + 18, f"size {size:,}", "start" if size == min(sizes) else "end"))
    for seconds in (0.001, 0.01, 0.1, 1.0, 10.0):
        if low_y <= log(seconds) <= high_y:
            parts.append(text(_LEFT - 6, y(seconds) + 4, f"{seconds:g} s", "end"))
    if fit is not None:
        ends = [(size, fit.at(size)) for size in (min(sizes), max(sizes))]
        line = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in ends)
        parts += [
            f'<polyline points="{line}" fill="none" stroke="steelblue"/>',
            text(_WIDTH / 2, floor + 36, f"grows as size^{fit.exponent:.2f}", "middle"),
        ]
    parts += dots([(one.size, one.reference_s) for one in points if one.reference_s is not None], "#999")
    parts += dots([(one.size, one.cpu_s) for one in points], "steelblue")
    return "\n".join([*parts, "</svg>", ""])
