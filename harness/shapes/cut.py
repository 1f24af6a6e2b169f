"""Dropping along an integer: all that it counts (rows, columns, items, vertices, blocks) loses the same places."""

from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Cut:
    """`count` places from `start` on leave the axis. before, after: the integers known before and after the cut."""

    axis: str
    start: int
    count: int
    before: Env
    after: Env

    def span(self, expression: Expression) -> tuple[int, int]:
        """Return which places leave something that counts `expression`, as start and end; none if independent."""
        old, new = count_of(expression, self.before), count_of(expression, self.after)
        if self.axis not in expression.names or new >= old:
            return 0, 0
        whole = max(1, self.before[self.axis])
        start = self.start if expression == Name(name=self.axis) else self.start * old // whole
        start = max(0, min(start, new))
        return start, start + old - new
