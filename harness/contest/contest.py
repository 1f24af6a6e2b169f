"""The model of a contest: frozen values, independent of the contest's format."""

import re
from collections.abc import Mapping
from pathlib import Path

from harness.errors import Fault
from harness.values import dataclass

# The colours of balloons, by the CSS names that DOMjudge uses.
BALLOONS: Mapping[str, str] = {
    "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00", "orange": "#ffa500",
    "purple": "#800080", "pink": "#ffc0cb", "white": "#ffffff", "black": "#000000", "silver": "#c0c0c0",
    "gold": "#ffd700", "turquoise": "#40e0d0", "lime": "#00ff00", "brown": "#a52a2a", "navy": "#000080",
    "magenta": "#ff00ff", "cyan": "#00ffff", "gray": "#808080", "maroon": "#800000", "beige": "#f5f5dc",
}  # fmt: skip
_RGB = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")


@dataclass(frozen=True, kw_only=True)
class ContestProblem:
    """One problem of a contest.

    label: what teams call it (`A`). slug: its short name, also the name of its folder or zip. root: that folder or
    zip, or None. name: as the contest states it. color: the balloon's colour name; rgb: `#rrggbb`.
    time_limit_s: as the contest states it. origin: file and line of its entry.
    """

    label: str
    slug: str
    root: Path | None
    name: str | None = None
    color: str | None = None
    rgb: str | None = None
    time_limit_s: float | None = None
    origin: str = ""


@dataclass(frozen=True, kw_only=True)
class Contest:
    """One contest. root: its folder.

    start_time: ISO 8601 with the time zone, as written. freeze_s: the scoreboard is frozen for so many seconds at the
    end. languages: codes that teams may use, empty if not stated; languages_at: file and line of them. faults: errors
    that make a part of the contest unusable; warnings: what should be fixed. Usable problems are listed in any case.
    """

    root: Path
    slug: str
    name: str
    problems: tuple[ContestProblem, ...]
    start_time: str | None = None
    duration_s: int | None = None
    freeze_s: int | None = None
    penalty_minutes: int = 20
    languages: tuple[str, ...] = ()
    languages_at: str = ""
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


def rgb_of(text: str) -> str | None:
    """Return the colour `#rrggbb` of `#f00`, `red` or `Forest Green` (by the last word); else None."""
    if _RGB.fullmatch(text):
        digits = text[1:].lower()
        return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))
    words = text.lower().split()
    return BALLOONS.get("".join(words)) or (BALLOONS.get(words[-1]) if words else None)


def color_of(rgb: str) -> str:
    """Return the name of the balloon colour nearest to `#rrggbb`."""
    return min(BALLOONS, key=lambda name: _distance(BALLOONS[name], rgb))


def _distance(left: str, right: str) -> int:
    return sum((int(left[at : at + 2], 16) - int(right[at : at + 2], 16)) ** 2 for at in (1, 3, 5))


def is_dark(rgb: str) -> bool:
    """Return whether white letters are more readable than black ones on this colour."""
    red, green, blue = (int(rgb[at : at + 2], 16) for at in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue < 128_000


def clock(seconds: int) -> str:
    """Format seconds as h:mm:ss, as contest files write a duration."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
