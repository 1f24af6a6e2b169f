"""Turn the regular expressions of validators into words of an alphabet."""

import re

from harness.reads.nodes import ReadValue, UnreadableError

_CLASS = re.compile(r"\[(\^?)((?:\\.|[^\]\\])+)\]|\\(.)|([^\\\[\](){}|*+?.^$])")
_TIMES = re.compile(r"\{(\w+)(?:,(\w*))?\}|[*+?]")
_ESCAPED = {"d": b"0123456789", "w": b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"}


def word_of_pattern(pattern: str, length: tuple[str, str] = ("", "")) -> ReadValue:
    """Return the word that a regular expression describes: words to choose from, or an alphabet and a length.

    length: (least, most) as known from elsewhere, "" if unknown. Of groups only the letters are used. Raises
    UnreadableError.
    """
    pattern = pattern.removeprefix("^").removesuffix("$")
    if re.fullmatch(r"\(?[\w+#.*-]+(\|[\w+#.*-]+)+\)?", pattern) and not re.search(r"[.*+]\w|\w[*+]", pattern):
        return ReadValue(kind="word", words=tuple(word.encode() for word in pattern.strip("()").split("|")))
    letters, least, most, at = b"", 0, 0, 0
    is_open = False
    while at < len(pattern):
        match = _CLASS.match(pattern, at)
        if match is None:
            if pattern[at] not in "()|?*+{}":
                raise UnreadableError(f"the pattern {pattern}")
            is_open, at = True, at + 1
            if pattern[at - 1] == "{":
                at = pattern.find("}", at) + 1 or len(pattern)
            continue
        at = match.end()
        letters += _letters_of(match)
        times = _TIMES.match(pattern, at)
        low, high = 1, 1
        if times is not None:
            at = times.end()
            if times[1] is not None:
                if not times[1].isdigit() or not (times[2] or "0").isdigit():
                    is_open = True
                else:
                    low, high = int(times[1]), int(times[2] or times[1])
                    is_open = is_open or times[2] == ""
            else:
                low = int(times[0] == "+")
                is_open = is_open or times[0] != "?"
        least, most = least + low, most + high
    if not letters:
        raise UnreadableError(f"the pattern {pattern}")
    bounds = (str(max(1, least)) if not is_open else "1", "" if is_open else str(most))
    return ReadValue(kind="word", letters=letters, length=(length[0] or bounds[0], length[1] or bounds[1]))


def _letters_of(match: re.Match[str]) -> bytes:
    """Return the letters that a match of _CLASS describes: a class, an escaped letter or a single letter."""
    if match[2] is None:
        letter = match[3] or match[4]
        return _ESCAPED.get(letter, letter.encode()) if match[3] else letter.encode()
    letters = b""
    for part in re.finditer(r"(\\.|[^\\])-(\\.|[^\\])|\\(.)|(.)", match[2]):
        if part[1]:
            letters += bytes(range(ord(part[1][-1]), ord(part[2][-1]) + 1))
        else:
            letters += _ESCAPED.get(part[3], part[3].encode()) if part[3] else part[4].encode()
    if match[1]:
        return bytes(byte for byte in range(33, 127) if byte not in letters)
    return letters
