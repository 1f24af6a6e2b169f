"""The points and groups of a Polygon package, and what is wrong with them."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from harness.package.findings import Findings
from harness.package.xml_lines import Element
from harness.package.yaml_lines import LARGEST_SCORE, decimal
from harness.values import dataclass

_COMPLETE = "complete-group"
_POLICIES = (_COMPLETE, "each-test")


@dataclass(frozen=True, kw_only=True)
class GroupPolicy:
    """The policy of a group, from <groups>."""

    element: Element
    complete: bool
    points: float
    needs: tuple[str, ...]


def policy_of(element: Element) -> GroupPolicy:
    """Return the policy that an element of <groups> states."""
    return GroupPolicy(
        element=element,
        complete=element.get("points-policy") == _COMPLETE,
        points=points_of(element),
        needs=tuple(dependency.get("group") for dependency in element.all("dependencies/dependency")),
    )


def points_of(element: Element) -> float:
    """Return the points of a test or a group; 0 if it states none."""
    points = decimal(element.get("points", "0")) or 0.0
    return points if 0 <= points <= LARGEST_SCORE else 0.0


def check_scoring(
    tests: Collection[Element], groups: Collection[Element], manifest: Path, findings: Findings
) -> None:
    """Add a fault for each wrong value, and a warning for groups that give no points or have no policy."""
    for element, message in _wrong_values(tests, groups):
        findings.fault(manifest, message, element.line)
    for element, message in _doubtful_groups(tests, groups):
        findings.warn(manifest, message, element.line)


def _wrong_values(tests: Iterable[Element], groups: Collection[Element]) -> Iterator[tuple[Element, str]]:
    for element in (*tests, *groups):
        points = decimal(element.get("points") or "0")
        if points is None or not 0 <= points <= LARGEST_SCORE:
            yield element, f'points="{element.get("points")[:40]}": expected a number from 0 to {LARGEST_SCORE:g}'
    names = {element.get("group") for element in tests} | {group.get("name") for group in groups}
    seen: set[str] = set()
    for group in groups:
        name, policy = group.get("name"), group.get("points-policy")
        if name in seen:
            yield group, f"the group {name} is described twice"
        seen.add(name)
        if policy and policy not in _POLICIES:
            yield group, f'points-policy="{policy[:40]}": expected {" or ".join(_POLICIES)}'
        for dependency in group.all("dependencies/dependency"):
            if dependency.get("group") not in names:
                yield (
                    dependency,
                    f"the group {name} depends on `{dependency.get('group')}`: no test is in that group",
                )


def _doubtful_groups(tests: Collection[Element], groups: Collection[Element]) -> Iterator[tuple[Element, str]]:
    described = {group.get("name"): group for group in groups}
    first = {test.get("group"): test for test in reversed(tuple(tests)) if test.get("sample") != "true"}
    with_points = {test.get("group") for test in tests if test.get("points")}
    with_points |= {name for name, group in described.items() if group.get("points")}
    for name, test in first.items():
        if described and name not in described:
            yield test, f"the group `{name}` is not among the <groups>: its tests give points one by one"
        if name and with_points and name not in with_points:
            message = f"the group `{name}` gives no points: neither it nor its tests have `points`"
            yield described.get(name, test), message
