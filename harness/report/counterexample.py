"""The words for a failing input: the input itself, what was said, what is right, where they part."""

from collections.abc import Iterator

from harness.report import words
from harness.report.escape import printable
from harness.report.lines import LINES, lines_of
from harness.results.verdict import Reason, Verdict
from harness.search import Candidate, Dispute, Failure, Found, Source

REPLAY_BYTES = 300


def block(title: str, data: bytes, most: int = LINES) -> list[str]:
    """A title and indented lines."""
    return [title, *(f"    {line}" for line in lines_of(data, most))] if data else [f"{title} nothing"]


def how(failure: Failure) -> str:
    """How a program failed, in one line."""
    if failure.verdict is Verdict.WRONG_ANSWER:
        return printable(failure.message.strip().partition("\n")[0], 300) or "wrong answer"
    if failure.reason is Reason.SIGNAL:
        return f"killed by signal {failure.signal}"
    if failure.reason is Reason.EXIT_CODE:
        return f"exit code {failure.exit_code}"
    return failure.verdict.words.lower() + (f": {failure.message}" if failure.message else "")


def origin(candidate: Candidate) -> str:
    """Where an input came from, in words."""
    if candidate.source in (Source.TINY, Source.RANDOM, Source.LARGE) and candidate.invocation is None:
        return candidate.words
    return (
        f"{candidate.source.value} {candidate.words}" if candidate.source is not Source.GIVEN else candidate.words
    )


def found_lines(found: Found, time_limit_s: float, memory_limit_mib: int) -> Iterator[str]:
    """What failed and the input; of a failure that is no wrong answer, what it said too."""
    failure = found.trial.failure
    if failure is None:
        return
    told = found.confirmed if found.is_real else None
    reason = words.why(told, time_limit_s, memory_limit_mib) if told is not None else ""
    yield f"{failure.verdict.words}: {reason or how(failure)}"
    minimal = ", proven smallest" if found.proven else ""
    yield from block(f"input ({len(found.trial.data)} bytes{minimal}):", found.trial.data)
    if failure.verdict is not Verdict.WRONG_ANSWER:
        yield from block("your program printed:", failure.output, LINES // 4)
        if failure.answer:
            yield from block("right is:", failure.answer, LINES // 4)
    if failure.stderr.strip():
        yield from block("on standard error:", failure.stderr, LINES // 4)


def story(found: Found) -> str:
    """How it was found."""
    tried, runs = words.counted(found.to_find, "input"), words.counted(found.to_shrink, "run")
    made = f", made smaller in {runs}" if found.trial.data != found.first.data else ""
    source = f"{origin(found.first.candidate)}, {len(found.first.data)} bytes"
    return f"found after {tried} ({source}){made}"


def dispute_line(dispute: Dispute) -> str:
    """What it means that two accepted programs differ on the input."""
    mine = f", and yours agrees with {dispute.peer}" if dispute.agrees else ""
    return printable(f"your program may be right: {dispute.reference} and {dispute.peer} differ here{mine}", 500)


def replay_input(data: bytes) -> str | None:
    """A shell word that prints the input, None where it would be too long."""
    if len(data) > REPLAY_BYTES:
        return None
    text = "".join(_octal(byte) for byte in data)
    return f"printf '{text}'"


def _octal(byte: int) -> str:
    char = chr(byte)
    if char == "\n":
        return "\\n"
    if char in "%\\'" or not char.isascii() or not char.isprintable():
        return "%%" if char == "%" else f"\\{byte:03o}"
    return char
