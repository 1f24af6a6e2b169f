"""Where accepted programs differ on a find, the submission may be right: the search says so and goes on."""

import json
import math
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result

from command_line import invoke
from conftest import PackageMaker
from harness.host.host import Host
from harness.package.load import load
from harness.results.verdict import Reason, Verdict
from harness.search.candidates import CandidateFailure, CandidateOutcome, Progress, Source
from harness.search.doubts import Doubts, with_programs
from harness.search.target import target_of
from search import tried

RIGHT = "print(2 * int(input()))\n"
WRONG_ON_7 = "n = int(input())\nprint(2 * n if n != 7 else 15)\n"
WRONG_ON_9 = "n = int(input())\nprint(2 * n if n != 9 else 19)\n"
SAYS = "your program may be right: accepted/a.py and accepted/double.py differ here"


def stress(root: Path, program: str, *words: str, given: bytes | None = None) -> Result:
    mine = root.parent / "mine.py"
    mine.write_text(program)
    return invoke("stress", root, mine, "--shape", "n: 0..30", *words, given=given)


def found(result: Result) -> Any:
    return json.loads(next(line for line in result.stdout.splitlines() if line.startswith("{")))["found"]


@pytest.fixture(name="root")
def _root(double_with: PackageMaker) -> Path:
    """A package whose fastest accepted program, the reference, is wrong on 7."""
    return double_with({"submissions/accepted/a.py": WRONG_ON_7, "submissions/accepted/double.py": RIGHT})


def test_a_right_program_is_not_called_broken_where_accepted_programs_differ(root: Path) -> None:
    result = stress(root, RIGHT, "--input", "-", given=b"7\n")
    assert result.return_value == 2
    assert f"{SAYS}, and yours agrees with accepted/double.py" in result.output.splitlines()


def test_the_search_goes_on_for_a_find_on_which_they_agree(root: Path) -> None:
    result = stress(root, WRONG_ON_9, "--time", "20")
    assert result.return_value == 1, result.output
    assert "    9\n" in result.output
    assert "may be right" not in result.output


def test_only_disputed_finds_are_undecided_and_json_says_so(root: Path) -> None:
    result = stress(root, RIGHT, "--time", "3", "--json", "-", "--promote", "found")
    assert result.return_value == 2
    programs = ["accepted/a.py", "accepted/double.py"]
    assert found(result)["dispute"] == {"programs": programs, "program_agrees_with": "accepted/double.py"}
    assert found(result)["input"] == "7\n"
    assert not list(root.rglob("found.in"))


@pytest.mark.parametrize("second", [RIGHT, "1 / 0\n"], ids=["agrees", "crashes"])
def test_accepted_programs_that_agree_or_crash_leave_a_find_as_it_is(
    second: str, double_with: PackageMaker
) -> None:
    root = double_with({"submissions/accepted/a.py": RIGHT, "submissions/accepted/double.py": second})
    result = stress(root, WRONG_ON_7)
    assert result.return_value == 1
    assert "may be right" not in result.output


# Stands for a program whose output depends on what is in memory: with the server of a search, it fails on 5, too.
UNSTEADY = """
#include <stdio.h>
__attribute__((weak)) int __wrap_main(int, char **, char **);
int main(void) {
    int n;
    scanf("%d", &n);
    printf("%d\\n", (n == 5 && __wrap_main) || n == ALWAYS ? 1 : 2 * n);
}
"""
CRASHES_IN_A_SEARCH = UNSTEADY.replace(
    'printf("%d\\n", (n == 5 && __wrap_main) || n == ALWAYS ? 1 : 2 * n);',
    'if (n >= 5 && __wrap_main) __builtin_trap();\n    printf("%d\\n", n >= 5 ? 1 : 2 * n);',
)


@pytest.mark.parametrize(
    ("mine", "code", "given", "is_doubtful"),
    [
        (UNSTEADY.replace("ALWAYS", "23"), 1, "23\n", False),
        (UNSTEADY.replace("ALWAYS", "-1"), 2, "5\n", True),
        (CRASHES_IN_A_SEARCH, 1, "5\n", False),
    ],
    ids=["it fails on another input, too", "it does not", "it fails in another way"],
)
def test_a_find_fails_in_a_plain_run_too_if_any_does(
    double_with: PackageMaker, mine: str, code: int, given: str, is_doubtful: bool
) -> None:
    root = double_with({"submissions/accepted/double.py": RIGHT})
    (root.parent / "mine.c").write_text(mine)
    result = invoke("stress", root, root.parent / "mine.c", "--shape", "n: 0..30", "--time", "4", "--json", "-")
    assert (result.return_value, found(result)["input"]) == (code, given)
    doubt = found(result)["doubt"]
    assert ("a plain run of your program is right" in doubt) if is_doubtful else doubt is None


def test_a_disputed_input_counts_as_run_but_not_as_a_failure() -> None:
    failure = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR)
    progress = Progress()
    progress.count(replace(tried(b"7\n", failure, Source.TINY), outcome=CandidateOutcome.DOUBTFUL))
    assert (progress.executions, progress.tried[Source.TINY]) == (1, 1)


def test_a_slow_accepted_program_is_run_again_only_where_it_may_be_quicker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[int] = []

    def run(_: Doubts, __: Any, ___: Any, tried: Any) -> Any:
        ran.append(len(tried.data))
        return SimpleNamespace(output=b"", succeeded=True, result=SimpleNamespace(cpu_s=2.0))

    nothing: Any = None
    peer: Any = SimpleNamespace()
    monkeypatch.setattr(Doubts, "_run", run)
    evaluator: Any = SimpleNamespace(verdict=lambda *_: Verdict.ACCEPTED)
    doubts = Doubts(evaluator=evaluator, peers=[peer])
    for size in (5000, 6000, 4000, 10, 5):
        large: Any = SimpleNamespace(data=b"1" * size)
        assert doubts._dispute(nothing, large, b"", b"") is None
    assert ran == [5000, 4000, 10]  # slow on ten bytes: it is slow on all


def test_no_accepted_program_is_built_for_a_comparison_when_the_search_is_over(
    monkeypatch: pytest.MonkeyPatch, host: Host, double_with: PackageMaker
) -> None:
    built: list[str] = []
    monkeypatch.setattr("harness.search.doubts._built", lambda _, __, program, *___: built.append(program.path))
    package = load(double_with({"submissions/accepted/a.py": RIGHT}))
    target = target_of(package, next(one for one in package.submissions if one not in package.accepted))
    reference = SimpleNamespace(executable=SimpleNamespace(program=target.reference))
    evaluator: Any = SimpleNamespace(target=target, built=SimpleNamespace(reference=reference))
    with_programs(Doubts(evaluator=evaluator), host, time.monotonic() - 1)
    assert built == []
    with_programs(Doubts(evaluator=evaluator), host, math.inf)
    assert built == ["accepted/double.py"]
