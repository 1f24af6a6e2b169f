"""`@EXPECTED_RESULTS@:` and `@EXPECTED_SCORE@:` comments in submissions, as DOMjudge and BAPCtools do, as rules."""

import re
from collections.abc import Sequence

from harness.package.findings import Findings
from harness.package.model import Program, Rule

# DOMjudge heeds the folder, not the comment, in these.
_OFFICIAL = frozenset({"accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"})
_COMMENT = re.compile(rb"@EXPECTED_RESULTS@:([^\r\n]{0,500})")
_SCORE = re.compile(rb"@EXPECTED_SCORE@:[ \t]*([0-9]{1,12}(?:\.[0-9]{1,9})?)[ \t]*(?:\*/)?[ \t]*(?:[\r\n]|$)")
_WORDS = {
    **dict.fromkeys(("CORRECT", "ACCEPTED", "AC"), "AC"),
    **dict.fromkeys(("WRONG-ANSWER", "WRONG-OUTPUT", "NO-OUTPUT", "PRESENTATION-ERROR", "WA"), "WA"),
    **dict.fromkeys(("TIMELIMIT", "TIME-LIMIT-EXCEEDED", "TLE"), "TLE"),
    **dict.fromkeys(("RUN-ERROR", "RUN-TIME-ERROR", "RUNTIME-ERROR", "RTE"), "RTE"),
    **dict.fromkeys(("OUTPUT-LIMIT", "MEMORY-LIMIT", "MEMORY-LIMIT-EXCEEDED", "OUTPUT-LIMIT-EXCEEDED"), "RTE"),
    **dict.fromkeys(("COMPILER-ERROR", "COMPILE-ERROR"), "CE"),
}


def rules_in_comments(submissions: Sequence[Program], findings: Findings, *, scoring: bool) -> tuple[Rule, ...]:
    """A rule for each submission that says itself what it should get; a score in any folder, where there are scores."""
    found = [_rule(one, findings) for one in submissions if one.path.split("/")[0] not in _OFFICIAL]
    found += [_score_rule(one) for one in submissions] if scoring else []
    return tuple(rule for rule in found if rule is not None)


def _score_rule(submission: Program) -> Rule | None:
    comments = (_SCORE.search(file.read()) for file in submission.files.values())
    score = next((float(comment[1]) for comment in comments if comment is not None), None)
    return Rule(pattern=submission.path, score=(score, score)) if score is not None else None


def _rule(submission: Program, findings: Findings) -> Rule | None:
    for file in submission.files.values():
        comment = _COMMENT.search(file.read())
        if comment is None:
            continue
        words = [word.strip() for word in comment[1].decode(errors="replace").split(",")]
        codes = {_code(word) for word in words if word}
        if None in codes:
            findings.warn(file.origin, f"@EXPECTED_RESULTS@ names no known verdict: {', '.join(words)[:80]!r}")
        verdicts = frozenset(code for code in codes if code is not None)
        return Rule(pattern=submission.path, verdicts=verdicts) if verdicts else None
    return None


def _code(word: str) -> str | None:
    return _WORDS.get(word.upper().replace("_", "-").split(" ")[0])
