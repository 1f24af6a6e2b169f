"""How strong the data is: figures of a kill matrix, and inputs that break what passes all cases."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import NO_SECRET, PackageMaker
from harness.host.host import Host
from harness.mutate.mutants import UnsearchableError
from harness.mutate.mutation import Mutation
from harness.mutate.outcomes import MutationReport
from harness.mutate.run import MutationResult, run_mutation
from harness.mutate.strength import MissedInput, Strength, cases_for_wrong_solutions, exposure, maximal_rank
from harness.package import Program
from harness.package.load import load
from harness.report.mutation import as_json, further_lines, strength_lines
from harness.results.verdict import Verdict

BY_CASE = {
    "sample/1": frozenset("ab"),
    "secret/1": frozenset("abc"),
    "secret/2": frozenset("d"),
    "secret/3": frozenset(),
}


def test_programs_that_the_same_cases_kill_count_once_and_survivors_not_at_all() -> None:
    assert maximal_rank(BY_CASE, "abcde") == ("c", "d", "a")


def test_rank_is_maximal() -> None:
    source = Random(3)
    for _ in range(50):
        by_case = {str(case): frozenset(name for name in "abcdefgh" if source.random() < 0.4) for case in range(5)}
        chosen = maximal_rank(by_case, "abcdefgh")
        rows = {
            name: sum(1 << i for i, killed in enumerate(by_case.values()) if name in killed) for name in "abcdefgh"
        }
        assert len(spanned([rows[name] for name in chosen])) == 2 ** len(chosen)
        assert spanned([rows[name] for name in chosen]) >= set(rows.values())


def spanned(rows: list[int]) -> set[int]:
    sums = {0}
    for row in rows:
        sums |= {row ^ other for other in sums}
    return sums


def test_exposure_is_the_share_of_programs_that_fail_on_a_case() -> None:
    measured = exposure(BY_CASE, ["a", "b", "c", "d", "e"])
    assert (measured.programs, measured.rejected, measured.by_samples) == (5, 4, 2)
    assert measured.fault_exposure == pytest.approx((2 + 3 + 1 + 0) / 20)


def missed(path: str, given: str, answer: str) -> MissedInput:
    return MissedInput(
        programs=(path,),
        accepted=path.startswith("accepted/"),
        verdict=Verdict.WRONG_ANSWER,
        input=given.encode(),
        answer=answer.encode(),
    )


def test_an_empty_input_or_answer_is_shown_as_such() -> None:
    nothing = exposure({}, [])
    disputed = replace(missed("accepted/a.py", "", ""), disputed_by=("accepted/a.py",))
    strength = Strength(
        accepted=1, passing=1, wrong=nothing, mutants=nothing, basis=(), on_basis=nothing, needless=(), missed=(),
        disputed=(disputed,),
    )  # fmt: skip
    lines = list(strength_lines(strength, MutationReport(problem="x", solutions=())))
    assert "(0 accepted solutions against 1): accepted/a.py" in lines[-3]
    assert lines[-2:] == ["    (empty)", "  answer: (empty)"]


LARGEST = "n = int(input())\nvalues = list(map(int, input().split()))\nprint({})\n"
FILES = {
    "submissions/accepted/double.py": None,
    "submissions/wrong_answer/adds_one.py": None,
    "submissions/accepted/largest.py": LARGEST.format("max(values)"),
    "submissions/accepted/sorts.py": LARGEST.format("sorted(values)[-1]"),
    "submissions/accepted/maximum_of_zero.py": LARGEST.format("max(0, *values)"),
    "submissions/wrong_answer/first_or_last.py": LARGEST.format("max(values[0], values[-1])"),
    "submissions/wrong_answer/first.py": LARGEST.format("values[0]"),
    "submissions/slow/sorts.py": LARGEST.format("sorted(values)[-1]"),  # may pass: it is not wrong
    "submissions/submissions.yaml": "slow/*:\n  permitted: [AC, TLE]\n",
    "input_validators/validate.py": """import re, sys
match = re.fullmatch(r"([1-4])\\n((?:-?[1-9] ?)+)\\n", sys.stdin.read())
sys.exit(42 if match and len(match[2].split()) == int(match[1]) and not match[2].endswith(" ") else 43)
""",
    "generators/shape.txt": "n: 1..4\nn * (-3..3)\n",
    "data/sample/1.in": "2\n2 3\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "2\n3 1\n",
    "data/secret/1.ans": "3\n",
    **NO_SECRET,
}


def measured(root: Path, host: Host, cache: Path) -> MutationResult:
    mutation = Mutation(package=load(root), host=host, cache=cache, inputs=0, sample=4)
    programs = [program for program in mutation.package.submissions if program.path == "accepted/largest.py"]
    return run_mutation(mutation, programs, strength=True, search_s=5.0)


@pytest.mark.slow
def test_inputs_are_found_that_break_an_accepted_and_a_wrong_solution_that_pass_all_cases(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with(FILES)
    strength = measured(root, host, tmp_path).strength
    assert strength is not None
    assert measured(root, host, tmp_path).strength == strength
    assert {item.programs for item in strength.missed} == {
        ("accepted/maximum_of_zero.py",),
        ("wrong_answer/first_or_last.py",),
    }


FOUND = {
    "accepted/maximum_of_zero.py": ("1\n-1\n", "-1\n"),
    "accepted/largest.py": ("1\n-1\n", "0\n"),
    "wrong_answer/first_or_last.py": ("3\n1 2 1\n", "2\n"),
}


def test_input_on_which_most_accepted_solutions_contradict_its_answer_does_not_count(
    double_with: PackageMaker, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the search had taken the faulty accepted solution for its reference, too."""

    def search(_: object, program: Program) -> MissedInput | None:
        return missed(program.path, *FOUND[program.path]) if program.path in FOUND else None

    monkeypatch.setattr("harness.mutate.strength._BreakSearch._search", search)
    result = measured(double_with(FILES), host, tmp_path)
    strength = result.strength
    assert strength is not None
    assert (strength.accepted, strength.passing, strength.tpr) == (3, 3, 1.0)
    assert (strength.wrong.programs, strength.wrong.rejected, strength.tnr) == (2, 1, 0.5)
    broken = {item.programs[0]: item for item in strength.missed}
    assert set(broken) == {"accepted/maximum_of_zero.py", "wrong_answer/first_or_last.py"}
    assert broken["accepted/maximum_of_zero.py"].accepted
    assert set(broken["accepted/maximum_of_zero.py"].confirmed_by) == {"accepted/largest.py", "accepted/sorts.py"}
    assert not broken["accepted/maximum_of_zero.py"].disputed_by
    assert len(broken["wrong_answer/first_or_last.py"].confirmed_by) == 3
    assert "accepted solutions that pass: 3 of 3 (TPR 100 %)" in "\n".join(further_lines(result))
    assert [item.programs for item in strength.disputed] == [("accepted/largest.py",)]
    assert result.passing_wrong_solutions == ["wrong_answer/first_or_last.py"]
    [case] = [one for one in result.proposals if "#" not in one.kills[0]]
    assert (case.group, case.name, case.input) == ("secret", "01-found-first-or-last", b"3\n1 2 1\n")
    lines = "\n".join(further_lines(result))
    assert "breaks an accepted solution (WA; 2 accepted solutions agree with the answer)" in lines
    assert (
        "accepted solutions disagree on an input that the validators accept (1 accepted solution against 1"
        in lines
    )
    json.dumps(as_json(result))


def test_without_a_quick_validator_no_case_is_proposed_and_the_report_stays(
    double_with: PackageMaker, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsearchable(*_: object) -> None:
        raise UnsearchableError("no quick validator")

    path = "wrong_answer/first_or_last.py"
    monkeypatch.setattr("harness.mutate.strength.open_input_judge", unsearchable)
    mutation = Mutation(package=load(double_with(FILES)), host=host, cache=tmp_path, inputs=0, sample=4)
    strength: Any = SimpleNamespace(missed=(missed(path, *FOUND[path]),))
    assert list(cases_for_wrong_solutions(mutation, strength, ())) == []
