"""Test groups in the forms of other formats: those of 2025-09 and of Polygon."""

from collections.abc import Iterable, Iterator

from harness.errors import UsageError
from harness.export.archive import ExportedFiles
from harness.package import Case, Group, Package
from harness.package.model import GroupGrading, ScoreMode, VerdictMode
from harness.values import dataclass


def group_values(package: Package, group: Group) -> dict[str, object]:
    """Return the points keys of `test_group.yaml`. Raises UsageError that names the group and the obstacle."""
    if group.grading is None:
        return _current(group) if package.scoring and group.name != "sample" else {}
    if not package.scoring:
        return _check_verdict(package, group)
    if group.name == "sample":
        return _check_sample(package, group.grading)
    _check(group)
    if group.name == "secret" and group.groups:
        return _secret(package, group)
    return _of_cases(package, group)


def _current(group: Group) -> dict[str, object]:
    most = "unbounded" if group.max_score is None else _whole(group, group.max_score)
    values: dict[str, object] = {"max_score": most, "score_aggregation": str(group.aggregation)}
    return {**values, "require_pass": list(group.require_pass)}


def _check_verdict(package: Package, group: Group) -> dict[str, object]:
    """Check that the group is accepted only if all its cases are, as in pass-fail problems of 2025-09."""
    gradings = [package.grading or GroupGrading(), *_gradings(group)]
    for grading in gradings:
        _check_grader(group, grading)
        if _lenient(grading):
            raise _cannot(group, "a grader that accepts more than what passes all cases")
    return {}


def _gradings(group: Group) -> Iterable[GroupGrading]:
    if group.grading is not None:
        yield group.grading
    for inner in group.groups:
        yield from _gradings(inner)


def _check_sample(package: Package, grading: GroupGrading) -> dict[str, object]:
    counts = not (package.grading or GroupGrading()).ignore_sample and grading.accept_score != 0
    if counts and any(package.sample.all_cases()):
        raise _cannot(package.sample, "points for the samples (`ignore_sample` is not set)")
    return {}


def _check(group: Group) -> None:
    grading = group.grading or GroupGrading()
    _check_grader(group, grading)
    if grading.reject_score:
        raise _cannot(group, "points for what is rejected (`reject_score`)")
    if grading.score_mode in (ScoreMode.AVERAGE, ScoreMode.MAX):
        raise _cannot(group, f"`{grading.score_mode}`")
    if group.groups and (group.cases or group.name != "secret"):
        raise _cannot(group, "groups in groups, or beside cases")


def _secret(package: Package, group: Group) -> dict[str, object]:
    inner = [_of_cases(package, inner_group) for inner_group in group.groups if any(inner_group.all_cases())]
    points = [int(str(inner_group["max_score"])) for inner_group in inner]
    grading = group.grading or GroupGrading()
    if grading.score_mode is ScoreMode.MIN:
        return {"max_score": min(points, default=0), "score_aggregation": "min"}
    if _lenient(grading):
        return {"max_score": sum(points), "score_aggregation": "sum"}
    if any(inner_group["score_aggregation"] != "pass-fail" for inner_group in inner):
        raise _cannot(group, "all or nothing over groups that give parts of their points")
    return {"max_score": sum(points), "score_aggregation": "pass-fail"}


def _of_cases(package: Package, group: Group) -> dict[str, object]:
    _check(group)
    grading = group.grading or GroupGrading()
    validators = package.output_validators
    if any(b"score.txt" in file.read() for program in validators for file in program.files.values()):
        raise _cannot(group, "points that the output validator gives (score.txt)")
    count = 1 if grading.score_mode is ScoreMode.MIN else len(group.cases)
    most = _whole(group, grading.accept_score * count)
    parts = grading.score_mode is ScoreMode.SUM and _lenient(grading)
    if parts and grading.break_on_reject:
        raise _cannot(group, "points for the cases before the first rejected one (`on_reject: break`)")
    return {"max_score": most, "score_aggregation": "sum" if parts else "pass-fail"}


def _lenient(grading: GroupGrading) -> bool:
    """Return whether accepted parts count although other parts are rejected."""
    return grading.accept_if_any_accepted or grading.verdict_mode is VerdictMode.ALWAYS_ACCEPT


def _whole(group: Group, points: float) -> int:
    if points != int(points):
        raise _cannot(group, f"{points:g} points, which is no whole number")
    return int(points)


def _check_grader(group: Group, grading: GroupGrading) -> None:
    """Raise UsageError if a grader of the package's own grades the group."""
    if grading.grader is not None:
        fix = "export it as legacy, or give up graders/ and its `grading: custom` for flags of the default grader"
        raise UsageError(f"data/{group.name} is graded by {grading.grader.path}: 2025-09 has no graders: {fix}")


def _cannot(group: Group, what: str) -> UsageError:
    return UsageError(f"data/{group.name}: {what}: 2025-09 cannot say it, so the package cannot be exported there")


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


def groups_of(package: Package, exported: ExportedFiles) -> list[TestGroup]:
    """Return the groups of a scoring problem, samples first, and record what Polygon cannot express as lost."""
    samples = tuple(package.sample.all_cases())
    groups = [TestGroup(name=SAMPLES, cases=samples)] if samples else []
    own = package.secret.groups or (package.secret,)
    over_groups = (
        group_values(package, package.secret).get("score_aggregation") if package.secret.groups else "sum"
    )
    if over_groups == "pass-fail":
        own = (package.secret,)  # all or nothing: one group of all cases gives the same points
    elif over_groups == "min":
        exported.note_loss("the least points of the groups of secret: there their points are added")
    names = {group.name: ALL if group is package.secret else group.name.rpartition("/")[2] for group in own}
    required = names | ({"sample": SAMPLES} if samples else {})
    for group in own:
        values = group_values(package, group)
        points, aggregation = values.get("max_score"), values.get("score_aggregation")
        if not isinstance(points, int | float):
            exported.note_loss(f"the points of {group.name}, which have no bound")
        if aggregation == "min":
            exported.note_loss(f"the least score of the cases of {group.name}: there the group passes or fails")
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
                exported.note_loss(f"{group.name} requires {name} to pass, which is no group there")
    return groups
