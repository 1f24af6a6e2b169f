"""The part `classes` of harness verify: the catalogue of bug classes is held, and what is known is not run again."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conftest import PackageMaker
from harness.build.executable import Executable
from harness.host.host import Host
from harness.mutate.mutation_yaml import check_catalogue
from harness.package import Case, Group
from harness.package.load import load
from harness.results.model import CaseResult
from harness.sandbox.facts import Limits
from harness.verify.findings import Level, PartResult
from harness.verify.run import Verifier

NOTES = "generators/mutation.yaml"
SUBMISSION = "submissions/wrong_answer/gives_up.py"
GIVES_UP_BEYOND_A_THOUSAND = "n = int(input())\nprint(2 * n if n <= 1000 else 0)\n"
CATALOGUE = """classes:
  large_numbers:
    what: numbers beyond a thousand
    solutions: [{solution}]
    cases: [{cases}]
"""


def catalogue(*, solution: str = "wrong_answer/gives_up.py", cases: str) -> dict[str, str]:
    return {NOTES: CATALOGUE.format(solution=solution, cases=cases), SUBMISSION: GIVES_UP_BEYOND_A_THOUSAND}


def classes_of(root: Path, host: Host, cache: Path) -> PartResult:
    [part] = Verifier(root=root, host=host, cache=cache).run(["classes"]).parts
    return part


def test_a_class_with_a_killer_holds(double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    part = classes_of(double_with(catalogue(cases="02-largest")), host, tmp_path / "cache")
    assert part.holds
    assert part.summary.startswith("1 of 1 ")
    assert part.rows == (
        ("large_numbers", "numbers beyond a thousand", "wrong_answer/gives_up.py", "secret/02-largest"),
    )


def test_a_package_without_a_catalogue_holds(double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    part = classes_of(double_with(None), host, tmp_path / "cache")
    assert part.holds
    assert part.skipped
    assert "no catalogue" in part.summary


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (catalogue(cases="01-zero"), "is caught by none of its cases, only by secret/02-largest"),
        (catalogue(cases="99-*"), "no test case is like 99-*"),
        (catalogue(cases="02-largest", solution="wrong_answer/nobody.py"), "no solution wrong_answer/nobody.py"),
        (
            catalogue(cases="'*'") | {SUBMISSION: "print(2 * int(input()))\n"},
            "is caught by none of its cases: the data lacks a killer",
        ),
        ({NOTES: "classes:\n  nothing: {what: something}\n"}, "lacks `solutions`"),
    ],
)
def test_a_class_that_lacks_something_is_wrong(
    changes: dict[str, str], fault: str, double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    part = classes_of(double_with(changes), host, tmp_path / "cache")
    said = [f"{one.subject}: {one.message}" for one in part.findings if one.level is Level.ERROR]
    assert fault in "\n".join(said)
    assert NOTES in "\n".join(said)


@dataclass(kw_only=True)
class Notebook:
    """A memory that counts what it is told."""

    known: dict[tuple[str, str], CaseResult] = field(default_factory=dict)
    kept: list[tuple[str, str]] = field(default_factory=list)

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        return self.known.get((executable.program.path, case.name))

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        self.known[executable.program.path, case.name] = result
        self.kept.append((executable.program.path, case.name))


def test_what_is_remembered_is_not_run_again(double_with: PackageMaker, host: Host) -> None:
    package, memory = load(double_with(catalogue(cases="02-largest"))), Notebook()
    first = check_catalogue(package, host, memory=memory)
    runs = len(memory.kept)
    assert check_catalogue(package, host, memory=memory) == first
    assert runs == len(memory.kept) == 4


def test_a_remembered_kill_spares_the_other_cases_of_its_class(double_with: PackageMaker, host: Host) -> None:
    package, memory = load(double_with(catalogue(cases="'*'"))), Notebook()
    check_catalogue(package, host, memory=memory)
    kill = ("wrong_answer/gives_up.py", "secret/02-largest")
    memory.known, memory.kept = {kill: memory.known[kill]}, []
    assert check_catalogue(package, host, memory=memory).classes[0].killers == {kill[0]: (kill[1],)}
    assert not memory.kept
