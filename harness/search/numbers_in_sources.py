"""Find the numbers and letters in sources: limits that are named, and what the reference tells of what it reads."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from harness.check.validator_call import ACCEPT, REJECT
from harness.reads.program_shapes import LETTERS_IN
from harness.search.policy import ASSUMED, LEARN
from harness.values import dataclass

_NAMED = re.compile(
    r"""(?<![\w.]) (?:(?P<factor>\d{1,3}) \s* \* \s*)? (?P<base>\d[\d'_]*)
    (?: [eE](?P<tens>\d{1,2}) | \s*(?:\^|\*\*)\s*(?P<exponent>\d{1,2}) | \s*<<\s*(?P<shift>\d{1,2}) )?
    [uUlL]* (?![\w.])""",
    re.VERBOSE,
)
# In time linear in the source: an open comment goes on to its end, no other piece beyond its line.
_COMMENT = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
_SIZE = re.compile(  # `[1001]`, `[0] * 1001`, `#define MAX 1001`, `const int n = 1001`, `MAX = 1001`
    r"""\[[^\[\]\n]*\] | (?<=\])[ ]?\*[ ]?\(?\d[\d*+eE ]* | \#define[ ]+\w+[ ][^\n]+
    | \b(?:const|constexpr|final)\b[^=;\n]{0,60}=[^;,\n]+ | \b[A-Z][A-Z0-9_]{0,60}[ ]?=[^=;,\n]+""",
    re.VERBOSE,
)
_LONG = re.compile(
    r"""scanf\s*\([^"\n]{0,200}"[^"\n]{0,200}%\d*(?:ll|I64|L)[diu]|(?<!long )\b(?:[nN]ext|parse|[rR]ead)_?Long\b"""
)
# In time linear in the source: words begin at \b only, since a table may be a word of 50,000 letters.
_FUNCTION = re.compile(r"[\w\]>] +(\w+)\([^(){};]*\)(?:\s*throws[\w, .\s]+|\s*)\{")
_HEAD = re.compile(r"\b\w+\([^(){};]*\)(?:\s*throws[\w, .\s]+|\s*)\{\Z")
_WORD = re.compile(r"\w+")
_BRACE = re.compile(r"""[{}]|'\\?.'|"(?:\\.|[^"\\\n])*"?""")  # or a literal, which may hold braces
_STARTED = ("main", "run")  # by the machine
_MOST_ROUNDS = 10
_NEGATIVE = re.compile(  # `x < 0 ||` is mostly about places in a grid, `get<0>` about a tuple
    r"""(?:[=(,{<>?:]|return)\s*-\s*(?:[1-9]\d{3,}|1e[3-9]|10\s*\*\*)
    | \b(?:l?labs|f?abs|atan2|hypot)\s*\( | (?<!<)<\s*0\b(?!\.|\s*(?:[>,]|\|\||or\b))""",
    re.VERBOSE,
)
_NO_SIZE = re.compile("mod|inf|eps", re.IGNORECASE)
LETTER = re.compile(r"""(?<=['"])[a-zA-Z](?=['"])""")
_LETTERS_BETWEEN = re.compile(  # `'a' <= c <= 'c'`, `c >= 'a' && c <= 'c'`
    r"""(?<=['"])([a-zA-Z])['"][ ]?(?:<=|&&|and\b)[ ]?[\w\[\]]{1,20}[ ]?<=[ ]?['"]([a-zA-Z])(?=['"])"""
)
_MOST_BETWEEN = 12  # letters
_PRINTED = re.compile(  # `<< 'Y'`, `putchar('Y')`, `print("Y")`, `ok ? 'Y' : 'N'`, `'Y' if ok else 'N'`
    r"""(?:<<|\bput(?:s|c|char)\(|\bprint(?:ln|f)?\(|[?:]|\belse\b)[ ]?\(?(['"])[a-zA-Z]\1
    |(['"])[a-zA-Z]\2(?=[ ]if\b)""",
    re.VERBOSE,
)


def named_limits(sources: Sequence[str]) -> list[int]:
    """Return the numbers in sources that may be limits, and each minus 1.

    Only numbers from 11 to 10^18, without exit codes of validators. More than LEARN.most_named are data, not limits:
    then the result is empty.
    """
    named = {number for source in sources for number in numbers_in(source)} - {ACCEPT, REJECT}
    numbers = {number - less for number in named for less in (0, 1)}
    limits = sorted(number for number in numbers if LEARN.counts[0] < number <= LEARN.powers[-1])
    return limits if len(limits) <= LEARN.most_named else []


def numbers_in(source: str) -> Iterator[int]:
    """Yield the numbers in a source, also those written as `10^5`, `2**31`, `1 << 20`, `1e5` or `100'001`."""
    for match in _NAMED.finditer(source):
        base = int(re.sub(r"['_]", "", match["base"])[: LEARN.named_digits])
        base = base ** int(match["exponent"] or 1) * 10 ** int(match["tens"] or 0) << int(match["shift"] or 0)
        yield base * int(match["factor"] or 1)


@dataclass(frozen=True, kw_only=True)
class NumbersOfReference:
    """What the source of the reference tells about the numbers that it reads.

    letters: the letters that it names and does not only print, also those between two that it compares with:
    `'a' <= c <= 'c'`, `c in "abc"`.
    table: the largest size of a table, rounded down to one digit, as 1000 for 1001; 0: there is none. A size stands in
    brackets or is a constant, unless its name is that of a modulus or of an infinity. are_long: it reads integers of
    64 bits. are_negative: it names a number below -999, asks whether one is below 0, or takes the absolute value.

    Counted on Codeflaws, where the samples do not show it: numbers exceed 2^31 in 36 % of the problems whose program
    reads such integers, in 2 % of the others; some are negative in 13 of the 50 problems whose program shows such
    signs, in 2 % of the others.
    """

    letters: bytes = b""
    table: int = 0
    are_long: bool = False
    are_negative: bool = False

    @staticmethod
    def of(sources: Sequence[str]) -> "NumbersOfReference":
        """Read the sources of a right program."""
        code = [_COMMENT.sub("", source) for source in sources]
        return NumbersOfReference(
            letters=_named_letters(code),
            table=_largest_table(code),
            are_long=any(_LONG.search(_without_uncalled(text)) for text in code),
            are_negative=any(map(_NEGATIVE.search, code)),
        )


def _named_letters(code: Sequence[str]) -> bytes:
    code = [_PRINTED.sub("", text) for text in code]
    letters = {letter for text in code for letter in LETTER.findall(text)}
    letters |= {letter for text in code for _, word in LETTERS_IN.findall(text) for letter in word}
    for first, last in (pair for text in code for pair in _LETTERS_BETWEEN.findall(text)):
        between = range(ord(first), ord(last) + 1)
        letters |= set(map(chr, between)) if len(between) <= _MOST_BETWEEN else set()
    return "".join(sorted(letters)).encode()


def _without_uncalled(code: str) -> str:
    """Leave out the functions that nothing calls: readers that are copied from task to task can read everything."""
    for _ in range(_MOST_ROUNDS):
        uses = Counter(_WORD.findall(code))  # also `sc::nextLong`
        unused = [each for each in _FUNCTION.finditer(code) if uses[each[1]] == 1 and each[1] not in _STARTED]
        if not unused:
            break
        code = _without_bodies(code, [each.end() for each in unused])
    return code


def _without_bodies(code: str, begins: Sequence[int]) -> str:
    """Leave out what stands from each of these places, behind an opening brace, to the closing one, and the heads."""
    kept, last, depth, openings = list[str](), 0, 0, set(begins)
    ends_at: int | None = None
    for brace in _BRACE.finditer(code):
        if brace[0] not in ("{", "}"):
            continue
        depth += 1 if brace[0] == "{" else -1
        if brace.end() in openings and ends_at is None:
            kept.append(_HEAD.sub("", code[last : brace.end()]))
            last, ends_at = brace.end(), depth - 1
        elif depth == ends_at:
            last, ends_at = brace.end(), None
    return "".join((*kept, code[last:]))


def _largest_table(code: Sequence[str]) -> int:
    sizes = [match[0] for text in code for match in _SIZE.finditer(text) if not _NO_SIZE.search(match[0])]
    tables = ASSUMED.tables
    most = max((each for each in named_limits(sizes) if each in tables and each not in ASSUMED.letters), default=0)
    first_digit: int = 10 ** (len(str(most)) - 1)
    return most - most % first_digit
