"""Test groups in Polygon's form: complete groups, or points for each test."""

from collections.abc import Iterator

from harness.export.archive import Parcel
from harness.export.to_current_groups import group_values
from harness.package import Case, Package
from harness.values import dataclass

SAMPLES, ALL = "samples", "tests"


@dataclass(frozen=True, kw_only=True)
class TestGroup:
    """A group. each: each test gives points, else the whole group does. needs: required groups, by name."""

    name: str
    cases: tuple[Case, ...]
    points: float = 0.0
    each: bool = False
    needs: tuple[str, ...] = ()

    def tests(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield case name and attributes of each test; the first test of a complete group has all points."""
        share = self.points / len(self.cases) if self.each and self.cases else 0.0
        for index, case in enumerate(self.cases):
            points = share if self.each else self.points if index == 0 else 0.0
            yield case.name, {"group": self.name, "points": repr(points)}


def groups_of(package: Package, parcel: Parcel) -> list[TestGroup]:
    """Return the groups of a scoring problem, samples first, and record what Polygon cannot express as lost."""
    samples = tuple(package.sample.all_cases())
    groups = [TestGroup(name=SAMPLES, cases=samples)] if samples else []
    own = package.secret.groups or (package.secret,)
    names = {group.name: ALL if group is package.secret else group.name.rpartition("/")[2] for group in own}
    required = names | ({"sample": SAMPLES} if samples else {})
    for group in own:
        values = group_values(package, group)
        points, aggregation = values.get("max_score"), values.get("score_aggregation")
        if not isinstance(points, int | float):
            parcel.lose(f"the points of {group.name}, which have no bound")
        if aggregation == "min":
            parcel.lose(f"the least score of the cases of {group.name}: there the group passes or fails")
        groups.append(
            TestGroup(
                name=names[group.name],
                cases=tuple(group.all_cases()),
                points=float(points) if isinstance(points, int | float) else 0.0,
                each=aggregation == "sum",
                needs=tuple(required[name] for name in group.require_pass if name in required),
            )
        )
        for name in group.require_pass:
            if name not in required:
                parcel.lose(f"{group.name} requires {name} to pass, which is no group there")
    return groups
