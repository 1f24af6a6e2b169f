"""Reports as Markdown for step summaries and comments. Untrusted text cannot add markup or mentions."""

import re
from collections.abc import Iterator, Sequence

from harness.report import words
from harness.report.differences import DifferenceRow, rows, totals
from harness.report.escape import one_line, printable
from harness.report.grades import FIGURES, case_line, summary
from harness.report.tables import shown_groups
from harness.results.model import CaseResult, Counterexample, OutputDifference, Report, SubmissionResult
from harness.results.verdict import Verdict

_MOST = 2000
_SIGN = {Verdict.ACCEPTED: "✅", Verdict.SKIPPED: "➖", Verdict.JUDGE_ERROR: "⚠️"}
_FAILURES_SHOWN = 3
_ROOM = 200


def markdown(reports: Sequence[Report], most_bytes: int | None = None) -> str:
    """Return the whole text, without details that exceed `most_bytes`; the text notes omissions."""
    parts = [f"**{inline(summary(reports))}**\n"]
    for report in reports:
        parts += [_head(report), _table(report)]
    parts += [_ending(report) for report in reports]
    details = (
        text for report in reports for submission in report.submissions for text in _details(report, submission)
    )
    return _fitted("\n".join(parts) + "\n", details, most_bytes)


def _fitted(text: str, details: Iterator[str], most_bytes: int | None) -> str:
    size = len(text.encode())
    if most_bytes is not None and size > most_bytes - _ROOM:
        cut = text.encode()[: most_bytes - _ROOM].decode(errors="ignore").rpartition("\n")[0]
        return f"{cut}\n\n… cut: the whole is in the other reports\n"
    taken = [text]
    for detail in details:
        size += len(detail.encode()) + 2
        if most_bytes is not None and size > most_bytes - _ROOM:
            taken.append("\n… and more details, left out: no room\n")
            break
        taken.append(f"\n{detail}\n")
    return "".join(taken)


def _head(report: Report) -> str:
    shard = f", shard {report.shard.index} of {report.shard.count}" if report.shard else ""
    limits = f"{report.time_limit_s:g} s, {report.memory_limit_mib} MiB"
    return f"## {inline(report.title)}\n\n{limits}{shard}\n"


def _table(report: Report) -> str:
    groups = shown_groups(report.submissions)
    titles = ["submission", "verdict", *(inline(name.removeprefix("secret/")) for name in groups)]
    titles += [*FIGURES, ""]
    rows = [_row(submission, groups) for submission in report.submissions]
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _row(submission: SubmissionResult, groups: Sequence[str]) -> list[str]:
    verdicts = {group.name: group.verdict for group in submission.groups}
    cells = [_verdict(verdicts[name]) if name in verdicts else "" for name in groups]
    return [
        inline(submission.path),
        _verdict(submission.verdict),
        *cells,
        *(text_of(submission) for text_of in FIGURES.values()),
        inline(words.remark(submission)),
    ]


def _verdict(verdict: Verdict) -> str:
    return f"{_SIGN.get(verdict, '❌')} {verdict}"


def _details(report: Report, submission: SubmissionResult) -> Iterator[str]:
    if submission.explanation:
        yield f"### {inline(submission.path)}: {submission.verdict.words.lower()}\n\n{block(submission.explanation)}"
    for counterexample in report.counterexamples:
        if counterexample.submission == submission.path:
            yield _counterexample(submission, counterexample)
    for case in submission.failed_cases()[:_FAILURES_SHOWN]:
        yield _failure(report, submission, case)


def _failure(report: Report, submission: SubmissionResult, case: CaseResult) -> str:
    text = f"### {inline(submission.path)}: {inline(case_line(report, case))}\n"
    if "\n" in case.message.strip():
        text += f"\n{block(case.message)}\n"
    shown = next((item for item in report.shown if item.name == case.name), None)
    if shown is not None:
        text += f"\nInput:\n{block(shown.input)}\n"
    if case.difference is not None:
        return f"{text}\nExpected (-) and printed (+):\n{block(_both(case.difference))}\n"
    if shown is not None:
        text += f"\nExpected:\n{block(shown.answer)}\n" if shown.answer else ""
    return text + (f"\nPrinted:\n{block(case.output)}\n" if case.output else "")


def _both(difference: OutputDifference) -> str:
    """Return numbered rows around the first difference: one line if the texts agree, else two."""
    lines = [line for row in rows(difference) for line in _pair(row)]
    return "\n".join(filter(None, [*lines, totals(difference)]))


def _pair(row: DifferenceRow) -> Iterator[str]:
    if row.same:
        yield f"{row.number:>6}   {row.printed}"
        return
    yield f"{row.number:>6} - {row.expected if row.expected is not None else '(end)'}"
    yield f"{row.number:>6} + {row.printed if row.printed is not None else '(end)'}"


def _counterexample(submission: SubmissionResult, counterexample: Counterexample) -> str:
    verdict = counterexample.verdict.words.lower()
    text = f"### {inline(submission.path)}: {verdict} on a small input\n\n{block(counterexample.input)}\n"
    text += f"\nA right answer:\n{block(counterexample.answer)}\n" if counterexample.answer else ""
    return f"{text}\nPrinted:\n{block(counterexample.output)}\n"


def _ending(report: Report) -> str:
    return inline(words.isolation_banner(report.isolation)) + "\n"


def inline(text: str) -> str:
    """Return untrusted text as plain words for a line or table cell: ASCII punctuation becomes entities."""
    return re.sub(r"[^\w\s]", lambda match: _entity(match[0]), one_line(text, 300)).replace("_", "&#95;")


def _entity(char: str) -> str:
    return f"&#{ord(char)};" if char.isascii() and char not in ".,()%+-" else char


def block(text: str) -> str:
    """Return untrusted text as a code block whose fence occurs in none of its lines."""
    shown = printable(text, _MOST).strip("\n")
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"
