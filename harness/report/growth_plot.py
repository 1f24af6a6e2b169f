"""Plot a program's time against its input size, as an SVG with logarithmic axes."""

from collections.abc import Callable, Sequence
from html import escape
from math import log

from harness.report.escape import cut_in_the_middle, printable
from harness.search.time_fit import Fit, Point

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _BOTTOM, _TOP = 640, 420, 60, 20, 70, 60
_LETTERS = 88  # letters that fit on a line
_OURS, _THEIRS, _LIMIT, _LINES = "steelblue", "#888", "crimson", "#ddd"
_NO_GROWTH = 0.05
_DECADES_S = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)


def growth_plot(points: Sequence[Point], fit: Fit | None, limit_s: float, *, program: str, inputs: str) -> str:
    """Draw the runs, the reference's runs, the fit and the time limit; a triangle is a stopped run.

    program, inputs: the two lines of the title.
    """
    picture = _Picture(points, limit_s)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_LEFT, 20, _cut(program)),
        _text(_LEFT, 37, _cut(inputs)),
        *picture.axes(),
        *(picture.line_of(fit) if fit is not None else ()),
        *(
            picture.circle(point.size, point.reference_s, _THEIRS)
            for point in points
            if point.reference_s is not None and not point.reference_stopped
        ),
        *(picture.ours(point) for point in points),
        *_legend(points),
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def growth_words(fit: Fit) -> str:
    """Word the exponent of the fit."""
    if fit.exponent < _NO_GROWTH:
        return "larger inputs of this kind are not slower"
    return f"grows as size^{fit.exponent:.2f}"


class _Picture:
    """Coordinates of the plot."""

    def __init__(self, points: Sequence[Point], limit_s: float) -> None:
        times = [
            limit_s,
            *(value for point in points for value in (point.cpu_s, point.reference_s or 0) if value > 0),
        ]
        self._sizes = sorted({point.size for point in points})
        self._limit_s = limit_s
        self.x = _scale(max(1, self._sizes[0]), max(2, self._sizes[-1]), _LEFT + 12, _WIDTH - _RIGHT - 12)
        low_s, high_s = max(1e-4, min(times)) / 2, max(times) * 2
        self._shown_s = [seconds for seconds in _DECADES_S if low_s <= seconds <= high_s]
        self.y = _scale(low_s, high_s, _HEIGHT - _BOTTOM, _TOP)

    def axes(self) -> list[str]:
        """Draw the axes with lines at the decades, smallest and largest size, and the limit."""
        right, floor, limit = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM, self.y(self._limit_s)
        parts = []
        for seconds in self._shown_s:
            level = self.y(seconds)
            parts += [
                f'<path d="M{_LEFT} {level:.1f}H{right}" stroke="{_LINES}"/>',
                _text(_LEFT - 6, level + 4, f"{seconds:g} s", "end"),
            ]
        parts += [
            f'<path d="M{_LEFT} {_TOP}V{floor}H{right}" fill="none" stroke="black"/>',
            f'<path d="M{_LEFT} {limit:.1f}H{right}" stroke="{_LIMIT}" stroke-dasharray="6 4"/>',
            # On the left, because there the points of a slow program are low.
            _text(_LEFT + 6, limit - 5, f"limit {self._limit_s:g} s"),
            _text(self.x(self._sizes[0]), floor + 18, f"size {self._sizes[0]:,}", "middle"),
        ]
        if len(self._sizes) > 1:
            parts.append(_text(right, floor + 18, f"size {self._sizes[-1]:,}", "end"))
        return parts

    def line_of(self, fit: Fit) -> list[str]:
        """Draw the part of the fit that lies in the picture."""
        ends = [(size, fit.at(size)) for size in (self._sizes[0], self._sizes[-1])]
        (left, low), (right, high) = [(self.x(size), self.y(value)) for size, value in ends]
        floor = _HEIGHT - _BOTTOM
        if low > floor > high:
            left, low = left + (right - left) * (low - floor) / (low - high), floor
        return [
            f'<path d="M{left:.1f} {low:.1f}L{right:.1f} {high:.1f}" stroke="{_OURS}"/>',
            _text(_WIDTH / 2, floor + 18, growth_words(fit), "middle"),
        ]

    def ours(self, point: Point) -> str:
        """Draw a run of the program."""
        if not point.stopped:
            return self.circle(point.size, point.cpu_s, _OURS)
        return _triangle(self.x(point.size), self.y(point.cpu_s))

    def circle(self, size: int, seconds: float, colour: str) -> str:
        """Draw a finished run."""
        return _circle(self.x(size), self.y(seconds), colour)


def _legend(points: Sequence[Point]) -> list[str]:
    """Draw the legend, from left to right."""
    entries: list[tuple[Callable[[float, float], str], str]] = []
    if any(not point.stopped for point in points):
        entries.append((lambda x, y: _circle(x, y, _OURS), "the program"))
    if any(point.stopped for point in points):
        entries.append((_triangle, "stopped there"))
    if any(point.reference_s is not None for point in points):
        entries.append((lambda x, y: _circle(x, y, _THEIRS), "the reference"))
    parts, level = [], _HEIGHT - 16
    for index, (mark, words) in enumerate(entries):
        left = _LEFT + 6 + index * 130
        parts += [mark(left, level - 4), _text(left + 10, level, words)]
    return parts


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the logarithmic map from values to coordinates."""
    width = max(log(high) - log(low), 1e-9)
    return lambda value: start + (log(max(value, low)) - log(low)) / width * (end - start)


def _circle(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'


def _triangle(x: float, y: float) -> str:
    return f'<path d="M{x - 6:.1f} {y + 4:.1f}L{x:.1f} {y - 7:.1f}L{x + 6:.1f} {y + 4:.1f}Z" fill="{_OURS}"/>'


def _text(left: float, top: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{left:.1f}" y="{top:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _cut(words: str) -> str:
    """Return a text's beginning and end, printable, because file names are untrusted."""
    return cut_in_the_middle(printable(words), _LETTERS)
