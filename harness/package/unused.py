"""Globs of submissions.yaml that match nothing: what stands under them is demanded of nobody."""

from collections.abc import Iterable, Sequence

from harness.package.files import File
from harness.package.findings import Findings
from harness.package.globs import matches
from harness.package.model import Group, Program
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


def _names(group: Group) -> Iterable[str]:
    yield group.name
    yield from (case.name for case in group.cases)
    for inner in group.groups:
        yield from _names(inner)
