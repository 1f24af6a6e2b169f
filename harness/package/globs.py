"""The globs of submissions.yaml: `*` stops at `/`, braces expand, no `**`, no `[]` (2025-09, "submissions.yaml").

A pattern is matched by walking it with the *set* of places that it may have come to, so that neither braces nor stars
can make it slow: time is the pattern's length times the path's.
"""

from collections.abc import Iterable, Sequence, Set

from harness.values import dataclass

LONGEST = 2000
_DEEPEST = 40


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """The alternatives of `{a,b}`."""

    patterns: tuple["_Pattern", ...]


_Pattern = Sequence["str | _Choice"]


def matches(pattern: str, path: str) -> bool:
    """Return whether the glob matches `path` or a folder above it."""
    return any(end == len(path) or path[end] == "/" for end in _ends(pattern, path) if end > 0)


def names(pattern: str, path: str) -> bool:
    """Return whether the glob matches `path` itself."""
    return len(path) in _ends(pattern, path)


def _ends(pattern: str, path: str) -> Set[int]:
    """Return the offsets in `path` at which the glob may end."""
    pattern = pattern.strip("/")
    if len(pattern) > LONGEST:
        return frozenset()
    parsed, _ = _parse(pattern, 0, _braces(pattern))
    return _walk(parsed, path, {0})


def _braces(pattern: str) -> Set[int]:
    """Return the offsets of paired braces that are not nested too deeply; other braces are plain letters."""
    opened: list[int] = []
    paired: set[int] = set()
    for at, char in enumerate(pattern):
        if char == "{":
            opened.append(at)
        elif char == "}" and opened:
            start = opened.pop()
            if len(opened) < _DEEPEST:
                paired |= {start, at}
    return paired


def _parse(pattern: str, at: int, braces: Set[int], *, inside: bool = False) -> tuple[_Pattern, int]:
    """Parse from `at` to the end, or inside braces to the closing `,` or `}`; return the pattern and its end."""
    parts: list[str | _Choice] = []
    while at < len(pattern):
        if at in braces and pattern[at] == "{":
            choice, at = _parse_choice(pattern, at, braces)
            parts.append(choice)
        elif inside and (pattern[at] == "," or (at in braces and pattern[at] == "}")):
            break
        else:
            parts.append(pattern[at])
            at += 1
    return parts, at


def _parse_choice(pattern: str, at: int, braces: Set[int]) -> tuple[_Choice, int]:
    patterns: list[_Pattern] = []
    while True:
        inner, at = _parse(pattern, at + 1, braces, inside=True)
        patterns.append(_stripped(inner))
        if pattern[at] == "}":
            return _Choice(patterns=tuple(patterns)), at + 1


def _stripped(parts: _Pattern) -> _Pattern:
    """Remove spaces around an alternative: no name holds spaces, and authors do write `{ 4, 2 }`."""
    start, end = 0, len(parts)
    while start < end and parts[start] == " ":
        start += 1
    while end > start and parts[end - 1] == " ":
        end -= 1
    return tuple(parts[start:end])


def _walk(pattern: _Pattern, path: str, places: set[int]) -> set[int]:
    for part in pattern:
        if isinstance(part, _Choice):
            places = {end for choice in part.patterns for end in _walk(choice, path, places)}
        elif part == "*":
            places = set(_through_names(path, places))
        else:
            places = {at + 1 for at in places if at < len(path) and _fits(part, path[at])}
        if not places:
            break
    return places


def _through_names(path: str, places: Iterable[int]) -> Iterable[int]:
    inside = False
    starts = set(places)
    for at in range(len(path) + 1):
        inside = inside or at in starts
        if inside:
            yield at
        if at < len(path) and path[at] == "/":
            inside = False


def _fits(part: str, char: str) -> bool:
    return char != "/" if part == "?" else part == char
