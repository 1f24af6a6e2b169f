"""Find why a program crashed in what its runtime printed: the exception, its message, the first line in its own file.

A row of `_RULES` describes how the runtime of one language reports a crash. If no rule matches, the last line is shown.
A report of AddressSanitizer (30 lines) is cut to the kind of fault and the line in the program's own file.
"""

import re

from harness.report.escape import one_line
from harness.values import dataclass

_WINDOW = 4000  # characters at either end that are looked at
_LIBRARIES = re.compile(r"/usr/|/rustc/|<|.*/(?:lib/python|lib/ruby|site-packages|go/src)")


@dataclass(frozen=True, kw_only=True)
class _Rule:
    """How one runtime reports a crash.

    error: matches the report. Its groups: `error`, the exception with its message; where the runtime prints them
    apart `what`, the message; where the report names the place itself `file` and `line`.
    frame: matches one frame of the stack, groups `file` and `line`, and may pass over frames of libraries.
    stack_first: the stack stands before the error, its innermost frame last.
    last: of several reports the last is the cause; else the first.
    """

    error: re.Pattern[str]
    frame: re.Pattern[str] | None = None
    stack_first: bool = False
    last: bool = False


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


_PLACE = r"(?P<file>[^\s:\"']+):(?P<line>\d{1,9})"
_RULES = {
    "Python": _Rule(
        error=_pattern(r'^  File "[^"\n]*", line \d+.*\n(?:(?:    |  \[).*\n)*(?P<error>\S.*)'),
        frame=_pattern(r'^  File "(?P<file>[^"\n]*)", line (?P<line>\d{1,9})'),
        stack_first=True,
        last=True,
    ),
    "Java, Kotlin": _Rule(
        error=_pattern(
            r'^(?:Exception in thread "[^"\n]*" |Caused by: )(?:[a-z]\w*\.)*(?P<error>[\w$]+(?:: .*)?)$'
        ),
        frame=_pattern(
            r"^\s+at (?!(?:java|jdk|[\w.]+/)|(?:javax|sun|kotlin|kotlinx)\.)[^\s(]+"
            r"\((?P<file>[^():\n]+):(?P<line>\d{1,9})\)"
        ),
        last=True,
    ),
    "Rust": _Rule(error=_pattern(rf"^thread '[^'\n]*'(?: \(\d+\))? panicked at {_PLACE}:\d+:\n(?P<error>.*)")),
    "Rust before 1.73": _Rule(error=_pattern(rf"^thread '[^'\n]*' panicked at '(?P<error>.*)', {_PLACE}")),
    "Rust, stack": _Rule(error=_pattern(r"^\s*thread '[^'\n]*'(?: \(\d+\))? has (?P<error>overflowed its stack)")),
    "C++": _Rule(
        error=_pattern(
            r"^terminate called after throwing an instance of '(?P<error>[^'\n]*)'(?:\n  what\(\): *(?P<what>.*))?"
        )
    ),
    "C++ of LLVM": _Rule(error=_pattern(r"terminating (?:due to|with) uncaught exception of type (?P<error>.*)")),
    "C and C++, assert": _Rule(
        error=_pattern(rf"^(?:[^\s:]+: )?{_PLACE}: .*?(?P<error>Assertion [`'].*' failed)")
    ),
    "C and C++, undefined behaviour": _Rule(error=_pattern(rf"^{_PLACE}:\d+: runtime error: (?P<error>.*)")),
    "Go": _Rule(
        error=_pattern(r"^(?P<error>(?:panic|fatal error): .*)"),
        frame=_pattern(r"^\t(?P<file>\S+\.go):(?P<line>\d{1,9})"),
    ),
    "C#": _Rule(
        error=_pattern(r"^Unhandled [Ee]xception(?:\. |:\s*\n)(?:System\.(?:\w+\.)*)?(?P<error>[\w.]+(?:: .*)?)"),
        frame=_pattern(r"^\s+at .* in (?P<file>[^<\n]+):(?:line )?(?P<line>\d{1,9})\s*$"),
    ),
    "JavaScript": _Rule(
        error=_pattern(r"^(?P<error>\S.*)\n(?=    at )"),
        frame=_pattern(r"^    at (?:.* \()?(?:file://)?(?P<file>[^\s():]+):(?P<line>\d{1,9}):\d+\)?$"),
    ),
    "JavaScript, no Error": _Rule(error=_pattern(rf"^{_PLACE}\n.*\n *\^+\n(?P<error>.*)\n\(Use `node")),
    "Ruby": _Rule(
        error=_pattern(rf"^{_PLACE}:in [`'].*?': (?P<error>.*)"),
        frame=_pattern(rf"^\s+from {_PLACE}"),
    ),
    "PHP": _Rule(error=_pattern(rf"^(?:PHP )?Fatal error: +Uncaught (?P<error>.*?) in {_PLACE}")),
    "PHP, no exception": _Rule(
        error=_pattern(r"^(?:PHP )?Fatal error: +(?P<error>.*?) in (?P<file>\S+) on line (?P<line>\d{1,9})")
    ),
    "Haskell": _Rule(
        error=_pattern(r"^[^\s:]+: (?P<error>.*)\n(?=CallStack )"),
        frame=_pattern(rf"called at {_PLACE}:\d+ in main:"),
    ),
    "OCaml": _Rule(
        error=_pattern(r"^Fatal error: exception (?P<error>.*)"),
        frame=_pattern(r'file "(?P<file>[^"\n]+)", line (?P<line>\d{1,9})'),
    ),
    "Pascal": _Rule(error=_pattern(r"^(?P<error>Runtime error \d+)")),
    "Lua": _Rule(error=_pattern(rf"^(?:\S*/)?lua[\d.]*: {_PLACE}: (?P<error>.*)")),
    "Perl": _Rule(
        error=_pattern(r"^(?P<error>.*) at (?P<file>\S+) line (?P<line>\d{1,9})(?:, <\w*> line \d+)?\.$")
    ),
}


def cause(message: str) -> str:
    """The exception, its message and the place in one's own program, in one line; "" where nothing was printed."""
    text = message if len(message) <= 2 * _WINDOW else f"{message[:_WINDOW]}\n{message[-_WINDOW:]}"
    before, fault = sanitizer_report(text)
    if fault and not before:
        return one_line(fault)
    told = _by_rule(before or text) or one_line(_checked_library(text) or _last_line(before or text))
    return told if not fault or fault in told else f"{told} {fault}".strip()


def _by_rule(text: str) -> str:
    for rule in _RULES.values():
        reports = list(rule.error.finditer(text))
        if reports:
            return _worded(rule, text, reports[-1 if rule.last else 0])
    return ""


def _worded(rule: _Rule, text: str, report: re.Match[str]) -> str:
    groups = report.groupdict()
    error = ": ".join(filter(None, (groups["error"], groups.get("what"))))
    place = _place(rule, text, report)
    return one_line(error) + (f" ({place})" if place else "")


def _place(rule: _Rule, text: str, report: re.Match[str]) -> str:
    """The innermost place in a file of one's own; "" where there is none."""
    frames = [report] if "file" in report.groupdict() else []
    if rule.frame is not None:
        stack = text[: report.end()].rpartition("Traceback")[2] if rule.stack_first else text[report.end() :]
        found = list(rule.frame.finditer(stack))
        frames += reversed(found) if rule.stack_first else found
    own = next((frame for frame in frames if not _LIBRARIES.match(frame["file"])), None)
    return f"{own['file'].rpartition('/')[2]}:{own['line']}" if own is not None else ""


def _checked_library(message: str) -> str:
    """What the checked C++ library found wrong: it stands in the middle of all that it says, over several lines."""
    paragraphs = (each.strip() for each in message.split("\n\n"))
    return " ".join(next((each for each in paragraphs if each.startswith("Error: ")), "").split())


def _last_line(message: str) -> str:
    return message.strip().rpartition("\n")[2]


_BEGIN = re.compile(r"==\d+==ERROR: AddressSanitizer: (?:attempting )?([A-Za-z-]+)([^\n]*)")
_SIGNAL = "AddressSanitizer:DEADLYSIGNAL"
_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)", re.MULTILINE)
_OWN = r"(?:\./|/(?!usr/)(?:[^\s/]+/)*)?([^\s/:]+:\d+)"
_OWN_FRAME = re.compile(rf"^\s*#\d+ 0x[0-9a-f]+ in .* {_OWN}(?::\d+)?$", re.MULTILINE)
_SUMMARY = re.compile(rf"^SUMMARY: AddressSanitizer: (\S+)(?: {_OWN})?", re.MULTILINE)
_ABORTED = "ABRT"  # what made it abort stands before the report


def sanitizer_report(message: str) -> tuple[str, str]:
    """Return the text before the report (if the program aborted) and the fault with its place; ("", "") without one."""
    begin = _BEGIN.search(message)
    if begin is None:
        summary = _SUMMARY.search(message)
        return ("", "") if summary is None else ("", _placed(summary[1], summary[2]))
    report = message[begin.end() :].partition("\n\n")[0]
    frame = _OWN_FRAME.search(report)
    place = frame[1] if frame else None
    if begin[1] == _ABORTED:
        before = message[: begin.start()].partition(_SIGNAL)[0]
        return before, f"({place})" if place else ""
    access = _ACCESS.search(report)
    kind = f"{begin[1]}, {access[1].lower()} of {access[2]} bytes" if access else begin[1]
    return "", _placed(kind, place)


def _placed(kind: str, place: str | None) -> str:
    return " ".join(filter(None, (kind, f"at {place}" if place else "")))
