"""Names that stand for the two axes of a grid, which contestants mix up."""

_PAIRS = (
    ("rows", "columns"),
    ("rows", "cols"),
    ("row", "column"),
    ("row", "col"),
    ("height", "width"),
    ("people", "apples"),
    ("h", "w"),
    ("H", "W"),
    ("R", "C"),
    ("r", "c"),
    ("n", "m"),
    ("N", "M"),
    ("i", "j"),
    ("x", "y"),
    ("dx", "dy"),
    ("dr", "dc"),
    ("di", "dj"),
    ("rising", "falling"),
)


def axis_partner(name: str, known: frozenset[str]) -> str | None:
    """The name of the other axis among the names that the program knows; None for a name of no axis."""
    for one, other in _PAIRS:
        if name == one and other in known:
            return other
        if name == other and one in known:
            return one
    return None
