"""Find why a program crashed in what its runtime printed: the exception, its message, the first line in its own file.

A row of `_RULES` describes how the runtime of one language reports a crash. If no rule matches, the last line is shown.
A report of AddressSanitizer (30 lines) is cut to the kind of fault and the line in the program's own file.
"""

import re

from harness.report.escape import one_line
from harness.values import dataclass

_WINDOW = 4000  # characters that are searched at each end
_LIBRARIES = re.compile(r"/usr/|/rustc/|<|.*/(?:lib/python|lib/ruby|site-packages|go/src)")


@dataclass(frozen=True, kw_only=True)
class _Rule:
    """How one runtime reports a crash.

    error: matches the report. Its groups: `error`, the exception with its message; where the runtime prints them
    apart `what`, the message; where the report names the location itself `file` and `line`.
    frame: matches one frame of the stack, groups `file` and `line`, and may pass over frames of libraries.
    stack_first: the stack stands before the error, its innermost frame last.
    last: of several reports the last is the cause; else the first.
    """

    error: str
    frame: str | None = None
    stack_first: bool = False
    last: bool = False


_PLACE = r"(?P<file>[^\s:\"']+):(?P<line>\d{1,9})"
# Patterns as text: most calls need none of them, and compiling them all takes 7 ms.
_RULES = {
    "Python": _Rule(
        error=r'^  File "[^"\n]*", line \d+.*\n(?:(?:    |  \[).*\n)*(?P<error>\S.*)',
        frame=r'^  File "(?P<file>[^"\n]*)", line (?P<line>\d{1,9})',
        stack_first=True,
        last=True,
    ),
    "Java, Kotlin": _Rule(
        error=r'^(?:Exception in thread "[^"\n]*" |Caused by: )(?:[a-z]\w*\.)*(?P<error>[\w$]+(?:: .*)?)$',
        frame=(
            r"^\s+at (?!(?:java|jdk|[\w.]+/)|(?:javax|sun|kotlin|kotlinx)\.)[^\s(]+"
            r"\((?P<file>[^():\n]+):(?P<line>\d{1,9})\)"
        ),
        last=True,
    ),
    "Rust": _Rule(error=rf"^thread '[^'\n]*'(?: \(\d+\))? panicked at {_PLACE}:\d+:\n(?P<error>.*)"),
    "Rust before 1.73": _Rule(error=rf"^thread '[^'\n]*' panicked at '(?P<error>.*)', {_PLACE}"),
    "Rust, stack": _Rule(error=r"^\s*thread '[^'\n]*'(?: \(\d+\))? has (?P<error>overflowed its stack)"),
    "C++": _Rule(
        error=r"^terminate called after throwing an instance of '(?P<error>[^'\n]*)'(?:\n  what\(\): *(?P<what>.*))?"
    ),
    "C++ of LLVM": _Rule(error=r"terminating (?:due to|with) uncaught exception of type (?P<error>.*)"),
    "C and C++, assert": _Rule(error=rf"^(?:[^\s:]+: )?{_PLACE}: .*?(?P<error>Assertion [`'].*' failed)"),
    "C and C++, undefined behaviour": _Rule(error=rf"^{_PLACE}:\d+: runtime error: (?P<error>.*)"),
    "Go": _Rule(
        error=r"^(?P<error>(?:panic|fatal error): .*)",
        frame=r"^\t(?P<file>\S+\.go):(?P<line>\d{1,9})",
    ),
    "C#": _Rule(
        error=r"^Unhandled [Ee]xception(?:\. |:\s*\n)(?:System\.(?:\w+\.)*)?(?P<error>[\w.]+(?:: .*)?)",
        frame=r"^\s+at .* in (?P<file>[^<\n]+):(?:line )?(?P<line>\d{1,9})\s*$",
    ),
    "JavaScript": _Rule(
        error=r"^(?P<error>\S.*)\n(?=    at )",
        frame=r"^    at (?:.* \()?(?:file://)?(?P<file>[^\s():]+):(?P<line>\d{1,9}):\d+\)?$",
    ),
    "JavaScript, no Error": _Rule(error=rf"^{_PLACE}\n.*\n *\^+\n(?P<error>.*)\n\(Use `node"),
    "Ruby": _Rule(
        error=rf"^{_PLACE}:in [`'].*?': (?P<error>.*)",
        frame=rf"^\s+from {_PLACE}",
    ),
    "PHP": _Rule(error=rf"^(?:PHP )?Fatal error: +Uncaught (?P<error>.*?) in {_PLACE}"),
    "PHP, no exception": _Rule(
        error=r"^(?:PHP )?Fatal error: +(?P<error>.*?) in (?P<file>\S+) on line (?P<line>\d{1,9})"
    ),
    "Haskell": _Rule(
        error=r"^[^\s:]+: (?P<error>.*)\n(?=CallStack )",
        frame=rf"called at {_PLACE}:\d+ in main:",
    ),
    "OCaml": _Rule(
        error=r"^Fatal error: exception (?P<error>.*)",
        frame=r'file "(?P<file>[^"\n]+)", line (?P<line>\d{1,9})',
    ),
    "Pascal": _Rule(error=r"^(?P<error>Runtime error \d+)"),
    "Lua": _Rule(error=rf"^(?:\S*/)?lua[\d.]*: {_PLACE}: (?P<error>.*)"),
    "Perl": _Rule(error=r"^(?P<error>.*) at (?P<file>\S+) line (?P<line>\d{1,9})(?:, <\w*> line \d+)?\.$"),
}


def cause(message: str) -> str:
    """Return exception, message and location in the submission's source on one line; "" for empty output."""
    text = message if len(message) <= 2 * _WINDOW else f"{message[:_WINDOW]}\n{message[-_WINDOW:]}"
    before, fault = sanitizer_report(text)
    if fault and not before:
        return one_line(fault)
    words = _by_rule(before or text) or one_line(_checked_library(text) or _last_line(before or text))
    return words if not fault or fault in words else f"{words} {fault}".strip()


_PLACE_OF_CAUSE = re.compile(r"\((?P<file>[^():]+):(?P<line>\d{1,9})\)$")


def location_in(message: str) -> tuple[str, int] | None:
    """Return the file and line of the submission's source that `cause` names; None if it names none."""
    match = _PLACE_OF_CAUSE.search(cause(message))
    return (match["file"], int(match["line"])) if match else None


def _by_rule(text: str) -> str:
    for rule in _RULES.values():
        reports = list(re.finditer(rule.error, text, re.MULTILINE))
        if reports:
            return _worded(rule, text, reports[-1 if rule.last else 0])
    return ""


def _worded(rule: _Rule, text: str, report: re.Match[str]) -> str:
    groups = report.groupdict()
    error = ": ".join(filter(None, (groups["error"], groups.get("what"))))
    location = _location(rule, text, report)
    return one_line(error) + (f" ({location})" if location else "")


def _location(rule: _Rule, text: str, report: re.Match[str]) -> str:
    """Return the innermost location in the submission's files; "" if there is none."""
    frames = [report] if "file" in report.groupdict() else []
    if rule.frame is not None:
        stack = text[: report.end()].rpartition("Traceback")[2] if rule.stack_first else text[report.end() :]
        frames_of_stack = list(re.finditer(rule.frame, stack, re.MULTILINE))
        frames += reversed(frames_of_stack) if rule.stack_first else frames_of_stack
    own = next((frame for frame in frames if not _LIBRARIES.match(frame["file"])), None)
    return f"{own['file'].rpartition('/')[2]}:{own['line']}" if own is not None else ""


def _checked_library(message: str) -> str:
    """Return the error of the checked C++ library from the middle of its message of several lines."""
    paragraphs = (paragraph.strip() for paragraph in message.split("\n\n"))
    return " ".join(next((text for text in paragraphs if text.startswith("Error: ")), "").split())


def _last_line(message: str) -> str:
    return message.strip().rpartition("\n")[2]


_BEGIN = r"==\d+==ERROR: AddressSanitizer: (?:attempting )?([A-Za-z-]+)([^\n]*)"
_SIGNAL = "AddressSanitizer:DEADLYSIGNAL"
_ACCESS = r"^(READ|WRITE) of size (\d+)"
_OWN = r"(?:\./|/(?!usr/)(?:[^\s/]+/)*)?([^\s/:]+:\d+)"
_OWN_FRAME = rf"^\s*#\d+ 0x[0-9a-f]+ in .* {_OWN}(?::\d+)?$"
_SUMMARY = rf"^SUMMARY: AddressSanitizer: (\S+)(?: {_OWN})?"
_ABORTED = "ABRT"  # the cause of the abort is printed before the report


def sanitizer_report(message: str) -> tuple[str, str]:
    """Return the text before the report (if the program aborted) and the fault with its line; ("", "") without one."""
    begin = re.search(_BEGIN, message)
    if begin is None:
        summary = re.search(_SUMMARY, message, re.MULTILINE)
        return ("", "") if summary is None else ("", _with_location(summary[1], summary[2]))
    report = message[begin.end() :].partition("\n\n")[0]
    frame = re.search(_OWN_FRAME, report, re.MULTILINE)
    location = frame[1] if frame else None
    if begin[1] == _ABORTED:
        before = message[: begin.start()].partition(_SIGNAL)[0]
        return before, f"({location})" if location else ""
    access = re.search(_ACCESS, report, re.MULTILINE)
    kind = f"{begin[1]}, {access[1].lower()} of {access[2]} bytes" if access else begin[1]
    return "", _with_location(kind, location)


def _with_location(kind: str, location: str | None) -> str:
    return " ".join(filter(None, (kind, f"at {location}" if location else "")))
