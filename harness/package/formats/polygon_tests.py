"""The tests of a Polygon package: where each is, what makes it, and in which test group of 2025-09 it comes to lie."""

import heapq
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.package.files import File, Files
from harness.package.findings import Findings
from harness.package.formats.polygon_doall import Script, read_script
from harness.package.formats.polygon_scoring import GroupPolicy, check_scoring, points_of, policy_of
from harness.package.xml_lines import Element
from harness.package.yaml_lines import decimal
from harness.values import dataclass

MOST_TESTS = 100_000
_PATTERN = re.compile(r"([^%]{0,500})%0?(\d{0,2})d([^%]{0,500})")
_LINE_BYTES = 1 << 12
_MOST_LOOKED_AT = 20
_MIB = 1 << 20
_NO_POLICY = GroupPolicy(element=Element(tag="group", line=0, attributes={}), complete=False, points=0.0, needs=())
_UNITS = {"time-limit": ("milliseconds", 86_400_000), "memory-limit": ("bytes", 1 << 40)}


@dataclass(frozen=True, kw_only=True)
class Test:
    """A test. path: of its input in the package. group: the name, "" without.

    command: the generator's call. from_file: the name of the file that the generator writes, "" if it prints the test.
    stated: the file and line of the call, or of the test in problem.xml.
    """

    index: int
    element: Element
    path: str
    group: str
    points: float
    sample: bool
    command: str
    from_file: str
    stated: tuple[Path, int]
    input: File | None
    answer: File | None


@dataclass(frozen=True, kw_only=True)
class Tests:
    """The tests of the judged testset, in order."""

    tests: tuple[Test, ...] = ()
    policies: Mapping[str, GroupPolicy] = field(default_factory=dict)
    testset: str = "tests"
    time_limit_s: float | None = None
    memory_mib: int = 256

    def policy(self, group: str) -> GroupPolicy:
        """Return the policy of a group; by default its tests give points one by one."""
        return self.policies.get(group, _NO_POLICY)

    @property
    def complete(self) -> bool:
        """Return whether all inputs and answers exist."""
        return all(test.input is not None and test.answer is not None for test in self.tests)


@dataclass(frozen=True, kw_only=True)
class Placement:
    """The paths of the tests below data/.

    names: of each test by its index; two for a sample that also gives points. folders: those of secret that hold a
    Polygon group. groups: the content of test_group.yaml by folder.
    """

    scoring: bool
    names: Mapping[int, tuple[str, ...]]
    folders: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, Mapping[str, object]]


def numbered(pattern: str, index: int) -> str | None:
    """Return the path of a test by a pattern such as `tests/%02d`; None for an invalid pattern."""
    match = _PATTERN.fullmatch(pattern.replace("\\", "/"))
    return f"{match[1]}{str(index).zfill(int(match[2] or 0))}{match[3]}" if match else None


def unix(file: File | None) -> File | None:
    """Return the file, read with LF if its first line ends in CR LF, as in packages for Windows."""
    return _with_lf(file) if file is not None and _ends_in_crlf(file) else file


def _ends_in_crlf(file: File) -> bool:
    return file.read(_LINE_BYTES).partition(b"\n")[0].endswith(b"\r")


def read_tests(files: Files, problem: Element, findings: Findings) -> Tests:
    """Return the tests of the testset `tests`, or else of the first; report the other testsets as lost."""
    manifest = files["problem.xml"].origin
    testsets = list(problem.all("judging/testset"))
    chosen = next(
        (testset for testset in testsets if testset.get("name") == "tests"), testsets[0] if testsets else None
    )
    if chosen is None:
        findings.fault(manifest, "no <testset> in <judging>: a package has one with its tests", problem.line)
        return Tests()
    for other in testsets:
        if other is not chosen:
            findings.warn(
                manifest,
                f"the testset `{other.get('name')}` is not judged, only `{chosen.get('name')}`",
                other.line,
            )
    limits = _limits(chosen, manifest, findings)
    elements = list(chosen.all("tests/test"))
    if not elements:  # older packages only count them
        elements = [Element(tag="test", line=chosen.line, attributes={})] * int(
            min(limits["test-count"] or 0, MOST_TESTS)
        )
    if len(elements) > MOST_TESTS:
        findings.fault(manifest, f"more than {MOST_TESTS:,} tests", chosen.line)
    patterns = [getattr(chosen.find(tag), "text", "") for tag in ("input-path-pattern", "answer-path-pattern")]
    if None in (numbered(pattern, 1) for pattern in patterns):
        findings.fault(
            manifest, "the path patterns of a testset must hold the test's number, as `tests/%02d`", chosen.line
        )
        return Tests()
    if patterns[0] == patterns[1]:
        findings.fault(manifest, "the path patterns of inputs and of answers are the same", chosen.line)
        return Tests()
    if not elements:
        findings.fault(manifest, "no <test>, and no number of tests in <test-count>: add them", chosen.line)
    script, groups = read_script(files), list(chosen.all("groups/group"))
    tests = [
        _test(index, element, patterns, files, script)
        for index, element in enumerate(elements[:MOST_TESTS], start=1)
    ]
    if script is not None and any(test.input is None and not test.command for test in tests):
        script.note_unread(findings)
    check_scoring([test.element for test in tests], groups, manifest, findings)
    if limits["test-count"] not in (None, len(tests)):
        message = f"<test-count> says {limits['test-count']:g} tests, and there are {len(tests)}"
        findings.warn(manifest, message, (chosen.find("test-count") or chosen).line)
    return Tests(
        tests=tuple(_with_unix_lines(tests)),
        policies={group.get("name"): policy_of(group) for group in groups},
        testset=chosen.get("name") or "tests",
        time_limit_s=(limits["time-limit"] or 1000) / 1000,
        memory_mib=min(max(-(-int(limits["memory-limit"] or 1) // _MIB), 1), 1 << 20),
    )


def _limits(testset: Element, manifest: Path, findings: Findings) -> dict[str, float | None]:
    """Return the numbers of a testset by tag, None where there is none; report wrong ones."""
    limits = {tag: _number(testset.find(tag)) for tag in ("time-limit", "memory-limit", "test-count")}
    for tag, (unit, most) in _UNITS.items():
        if not 0 < (limits[tag] or 0) <= most:
            line = (testset.find(tag) or testset).line
            findings.fault(manifest, f"<{tag}> must be a number of {unit}, above 0 and at most {most:,}", line)
    count = testset.find("test-count")
    if count is not None and limits["test-count"] is None:
        findings.warn(manifest, f"<test-count> is {count.text!r:.80}: expected a number", count.line)
    return limits


def _test(index: int, element: Element, patterns: Sequence[str], files: Files, script: Script | None) -> Test:
    path, answer = (numbered(pattern, index) or "" for pattern in patterns)
    command, from_file = element.get("cmd"), element.get("from-file")
    stated = files["problem.xml"].origin, element.line
    if not command and element.get("method") != "manual" and script is not None and path in script.calls:
        call = script.calls[path]
        command, from_file, stated = call.command, call.from_file, (script.origin, call.line)
    return Test(
        index=index,
        element=element,
        path=path,
        group=element.get("group"),
        points=points_of(element),
        sample=element.get("sample") == "true",
        command=command,
        from_file=from_file,
        stated=stated,
        input=files.get(path),
        answer=files.get(answer) if path in files else None,
    )


def _with_unix_lines(tests: Iterable[Test]) -> Iterable[Test]:
    """Return the tests, read with LF if all of them have CR LF, as in packages for Windows."""
    made = tuple(tests)
    inputs = [test.input for test in made if test.input is not None][:_MOST_LOOKED_AT]
    if not inputs or not all(map(_ends_in_crlf, inputs)):
        return made
    return (replace(test, input=_with_lf(test.input), answer=_with_lf(test.answer)) for test in made)


def _with_lf(file: File | None) -> File | None:
    return replace(file, crlf=True) if file is not None else None


def _number(element: Element | None) -> float | None:
    return decimal(element.text) if element is not None else None


@dataclass(frozen=True, kw_only=True)
class Placing:
    """Lays the tests out. testlib: whether the input validators take `--testset` and `--group`."""

    tests: Tests
    findings: Findings
    manifest: Path
    testlib: bool

    def placement(self) -> Placement:
        """Return where the tests come to lie, and the settings of their folders."""
        scoring = any(test.points > 0 for test in self.tests.tests) or any(
            policy.points > 0 for policy in self.tests.policies.values()
        )
        secret = self._by_group(scoring=scoring)
        bases = _named(self._in_order(secret), flat=not scoring and list(secret) == [""])
        names = {test.index: [f"sample/{self._base(test)}"] * test.sample for test in self.tests.tests}
        folders: dict[str, dict[str, list[Test]]] = {}  # of each group, with the tests in each
        for group, base in bases.items():
            inside = folders.setdefault(group, {})
            suffixes = self._suffixes(group, secret[group]) if scoring else {}
            for test in secret[group]:
                folder = f"secret/{base}{suffixes.get(test.points, '')}".rstrip("/")
                names[test.index].append(f"{folder}/{self._base(test)}")
                inside.setdefault(folder, []).append(test)
        first = next((test.group for test in self.tests.tests if test.sample), "")
        settings = {"sample": self._arguments(first)}
        for group, inside in folders.items():
            required = self._required(group, bases) if scoring else {}
            for folder, members in inside.items():
                worth = self._worth(group, members) if scoring else {}
                settings[folder] = {**worth, **required, **self._arguments(group)}
        if scoring:
            settings["secret"] = _score(sum(_points_in(values) for values in settings.values()), "sum")
        return Placement(
            scoring=scoring,
            names={index: tuple(places) for index, places in names.items()},
            folders={group: tuple(inside) for group, inside in folders.items()},
            groups={folder: values for folder, values in settings.items() if values},
        )

    def _by_group(self, *, scoring: bool) -> dict[str, list[Test]]:
        """Return the secret tests by group: all but samples, and samples that give points."""
        groups: dict[str, list[Test]] = {}
        for test in self.tests.tests:
            worth = test.points > 0 or self.tests.policy(test.group).points > 0
            if not test.sample or (scoring and worth):
                groups.setdefault(test.group, []).append(test)
        return groups

    def _in_order(self, secret: Mapping[str, Sequence[Test]]) -> list[str]:
        """Return the groups, each after the groups that it requires."""
        names = list(secret)
        needs = {name: set(self.tests.policy(name).needs) & secret.keys() for name in names}
        needed_by: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            for other in needs[name]:
                needed_by.setdefault(other, []).append(number)
        ordered: list[str] = []
        free = [number for number, name in enumerate(names) if not needs[name]]
        while free:
            ordered.append(names[heapq.heappop(free)])
            for number in needed_by.get(ordered[-1], ()):
                needs[names[number]].discard(ordered[-1])
                if not needs[names[number]]:
                    heapq.heappush(free, number)
        pending = [name for name in names if needs[name]]
        if pending:
            line = self.tests.policies[pending[0]].element.line
            self.findings.fault(self.manifest, f"the groups {', '.join(pending)} depend on each other", line)
        return [*ordered, *pending]

    def _base(self, test: Test) -> str:
        return str(test.index).zfill(max(len(str(len(self.tests.tests))), 2))

    def _suffixes(self, group: str, tests: Sequence[Test]) -> dict[float, str]:
        """Return the suffixes, by points, of the folders of a group whose tests each give different points."""
        values = dict.fromkeys(test.points for test in tests)
        if self.tests.policy(group).complete or len(values) == 1:
            return {}
        width = len(str(len(values)))
        return {points: f"-{str(number).zfill(width)}" for number, points in enumerate(values, start=1)}

    def _worth(self, group: str, tests: Sequence[Test]) -> dict[str, object]:
        points = sum(test.points for test in tests)
        policy = self.tests.policy(group)
        if not policy.complete:
            return _score(points, "sum")
        return _score(policy.points or points, "pass-fail")

    def _required(self, group: str, bases: Mapping[str, str]) -> dict[str, object]:
        required = []
        before = list(bases)[: list(bases).index(group)]
        for name in self.tests.policy(group).needs:
            if name in before and self.tests.policy(name).complete:
                required.append(bases[name])
            elif name in before:
                message = f"the group {group} depends on {name}, whose tests give points one by one: not held to"
                self.findings.warn(self.manifest, message, self.tests.policies[group].element.line)
            elif any(test.group == name and test.sample for test in self.tests.tests):
                required.append("sample")
        return {"require_pass": required} if required else {}

    def _arguments(self, group: str) -> dict[str, object]:
        if not self.testlib:
            return {}
        return {"input_validator_args": ["--testset", self.tests.testset, *(("--group", group) if group else ())]}


def _score(points: float, aggregation: str) -> dict[str, object]:
    return {"max_score": int(points) if points == int(points) else points, "score_aggregation": aggregation}


def _points_in(settings: Mapping[str, object]) -> float:
    points = settings.get("max_score", 0)
    return points if isinstance(points, int | float) else 0


def _named(groups: Sequence[str], *, flat: bool) -> dict[str, str]:
    """Return folders for the groups that sort in the groups' order; flat: the tests need no folders."""
    if flat:
        return dict.fromkeys(groups, "")
    legal = [re.sub(r"[^A-Za-z0-9_.-]", "_", group).lstrip(".-")[:100] or "tests" for group in groups]
    if legal != sorted(set(legal)):
        width = len(str(len(legal)))
        legal = [f"{str(number).zfill(width)}-{name}" for number, name in enumerate(legal, start=1)]
    return dict(zip(groups, legal, strict=True))
