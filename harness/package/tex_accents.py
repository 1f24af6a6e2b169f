"""Letters with accents as TeX writes them: names in old packages are written so."""

import re
import unicodedata

ACCENT = re.compile(r"""\\(["'^`~=.])\s?(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))|\\([cvuHkr])\{([A-Za-z])\}""")
LETTERS = {
    "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "aa": "å", "AA": "Å", "ss": "ß", "l": "ł", "L": "Ł", "oe": "œ",
}  # fmt: skip
_LETTER = re.compile(r"\\(" + "|".join(sorted(LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\}|[ \t])?")
_COMBINING = {
    '"': "\u0308", "'": "\u0301", "^": "\u0302", "`": "\u0300", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a",
}  # fmt: skip


def accented(match: re.Match[str]) -> str:
    """Return the letter that a match of ACCENT writes."""
    accent, letter = match[1] or match[4], match[2] or match[3] or match[5]
    return unicodedata.normalize("NFC", letter + _COMBINING[accent])


def _in_name(match: re.Match[str]) -> str:
    """Return the letter; keep what is none, as a quotation mark with a backslash before a word."""
    letter = accented(match)
    return letter if len(letter) == 1 and not any(map(str.isspace, match[0])) else match[0]


def plain_name(name: str) -> str:
    """Return a name with its accents as Unicode: `Lundstr{\\"o}m` is Lundström. Other names stay as they are."""
    text = _LETTER.sub(lambda match: LETTERS[match[1]], ACCENT.sub(_in_name, name))
    return text if text == name else re.sub(r"[{}]", "", text)
