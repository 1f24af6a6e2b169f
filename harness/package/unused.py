"""What stands in submissions.yaml and does nothing: globs that match nothing, opting out that lets nobody out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.package.files import File
from harness.package.findings import Findings
from harness.package.globs import matches
from harness.package.model import Group, Program, Rule
from harness.package.rules import Expectations


def check_globs(
    expectations: Expectations, submissions: Sequence[Program], groups: Sequence[Group], file: File | None,
    findings: Findings,
) -> None:  # fmt: skip
    """Warn of each. groups: sample and secret; none where the data is still to be built."""
    if file is None:
        return
    usual = {hint.pattern for hint in expectations.hints if "/" not in hint.pattern}  # folders may be empty
    for pattern in dict.fromkeys(hint.pattern for hint in expectations.hints if hint.pattern not in usual):
        if not any(matches(pattern, one.path) for one in submissions):
            findings.warn(file.origin, f"`{pattern}` matches no submission: correct it, or leave it out")
    known = [name for group in groups for name in _names(group)]
    for rule in expectations.rules if known else ():
        if rule.cases is not None and not any(matches(rule.cases, name) for name in known):
            what = f"`{rule.cases}` matches no test group and no test case"
            findings.warn(file.origin, f"`{rule.pattern}`: {what}: they are named as below data/")


def check_opting_out(
    rules: Sequence[Rule], submissions: Sequence[Program], file: File | None, findings: Findings
) -> None:
    """Warn of each `use_for_time_limit: false` beside no demand, where another rule bounds the limit all the same.

    It speaks of its own rule alone (2025-09, "Timelimit inference").
    """
    if file is None:
        return
    for rule in rules:
        if rule.use_for_time_limit is not False or _bounds(replace(rule, use_for_time_limit=None)):
            continue
        for submission, other in _bounded_all_the_same(rule, rules, submissions):
            where = f"`{other.pattern}`" + (f", `{other.cases}`" if other.cases is not None else "")
            text = f"`{rule.pattern}`: `use_for_time_limit: false` has no effect on {submission.path}"
            findings.warn(file.origin, f"{text}, which {where} uses for the time limit: say it there too")
            break  # one example tells


def _bounded_all_the_same(
    rule: Rule, rules: Sequence[Rule], submissions: Sequence[Program]
) -> Iterable[tuple[Program, Rule]]:
    """Submissions of a rule that another rule uses for the time limit."""
    others = [one for one in rules if _bounds(one) and rule.cases in (None, one.cases)]
    for submission in submissions:
        if matches(rule.pattern, submission.path):
            yield from ((submission, one) for one in others if matches(one.pattern, submission.path))


def _bounds(rule: Rule) -> bool:
    return rule.bounds_from_below or rule.bounds_from_above


def _names(group: Group) -> Iterable[str]:
    yield group.name
    yield from (case.name for case in group.cases)
    for inner in group.groups:
        yield from _names(inner)
