"""What AddressSanitizer found, out of its report of thirty lines: the kind of fault and the line of one's own.

The checks are compiled in by `harness.build.languages.checked`, which makes paths of the program's own files relative
(of Clang with `./` before them); files of libraries have a folder before the name, or are below /usr.
"""

import re

_BEGIN = re.compile(r"==\d+==ERROR: AddressSanitizer: (?:attempting )?([A-Za-z-]+)([^\n]*)")
_SIGNAL = "AddressSanitizer:DEADLYSIGNAL"
_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)", re.MULTILINE)
_OWN = r"(?:\./|/(?!usr/)(?:[^\s/]+/)*)?([^\s/:]+:\d+)"
_OWN_FRAME = re.compile(rf"^\s*#\d+ 0x[0-9a-f]+ in .* {_OWN}(?::\d+)?$", re.MULTILINE)
_SUMMARY = re.compile(rf"^SUMMARY: AddressSanitizer: (\S+)(?: {_OWN})?", re.MULTILINE)
_ABORTED = "ABRT"  # what made it abort stands before the report


def found(message: str) -> tuple[str, str]:
    """What led to it, if the program ended itself, and the fault with its place; both "" where there is no report."""
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
