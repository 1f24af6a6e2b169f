"""The samples of a statement: input and output, or a dialogue."""

import re
from collections.abc import Iterator

from harness.package import Case, Package
from harness.package.files import File
from harness.values import dataclass

NEXT, REMAINING = "nextsample", "remainingsamples"
_NOTE = re.compile(r"^\[\^[^\]\n]{1,100}\]:[^\n]{0,5000}", re.MULTILINE)
_REQUEST = re.compile(rf"\{{\{{({NEXT}|{REMAINING})\}}\}}")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """Lines of one side of a dialogue. by_judge: written by the judge. new_pass: they begin a pass."""

    by_judge: bool
    text: str
    new_pass: bool = False


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One sample: a dialogue, or input and output."""

    number: int
    input: str
    output: str
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A part of a statement's text and the samples that follow it. notes: footnotes of the whole text."""

    text: str
    samples: tuple[Sample, ...]
    notes: str = ""


def pieces(text: str, samples: tuple[Sample, ...]) -> tuple[Piece, ...]:
    """Split the text at its sample placeholders; the remaining samples follow at the end."""
    parts: list[Piece] = []
    left, start = samples, 0
    requests = tuple(_REQUEST.finditer(text))
    notes = "\n\n" + "\n".join(_NOTE.findall(text)) if requests else ""
    for request in requests:
        count = 1 if request[1] == NEXT else len(left)
        parts.append(Piece(text=text[start : request.start()], samples=left[:count], notes=notes))
        left, start = left[count:], request.end()
    return (*parts, Piece(text=text[start:], samples=left, notes=notes))


def samples_of(package: Package) -> tuple[Sample, ...]:
    """Return the samples, numbered."""
    return tuple(_sample(number, case) for number, case in enumerate(package.sample.all_shown(), start=1))


def _sample(number: int, case: Case) -> Sample:
    return Sample(
        number=number,
        input=_text(case.shown.get(".in.statement", case.input)),
        output=_text(case.shown.get(".ans.statement", case.output or case.answer)),
        turns=dialogue_of(case),
    )


def dialogue_of(case: Case) -> tuple[Turn, ...]:
    """Return the dialogue that stands beside a case; empty if there is none."""
    return tuple(_turns(_text(case.shown.get(".interaction"))))


def _text(file: File | None) -> str:
    return file.read().decode("utf-8", errors="replace") if file is not None else ""


def _turns(text: str) -> Iterator[Turn]:
    """Parse a `.interaction`: `<` marks lines of the judge, `>` lines of the submission, `---` a new pass."""
    side, lines, new_pass = "", list[str](), False
    for line in [*text.splitlines(), ""]:
        mark = line[:1]
        if mark != side or line.startswith("---"):
            if lines:
                yield Turn(by_judge=side == "<", text="\n".join(lines), new_pass=new_pass)
                new_pass = False
            side, lines = mark, []
        if line.startswith("---"):
            side, new_pass = "", True
        elif mark in ("<", ">"):
            lines.append(line[1:].strip())
