"""Mutation testing of small packages, from mutants to healed data."""

import json
import sqlite3
from pathlib import Path

import pytest

from conftest import NO_SECRET, TESTS, PackageMaker, write_files
from harness.errors import UsageError
from harness.generate.data import build_data
from harness.host.host import Host
from harness.mutate.corpus import as_corpus
from harness.mutate.kill_matrix import kill_matrix
from harness.mutate.mutation import Mutation
from harness.mutate.mutation_yaml import check_catalogue
from harness.mutate.new_cases import add_cases, propose_cases
from harness.mutate.outcomes import Fate, MutationReport
from harness.mutate.run import MutationResult, chosen_solutions
from harness.package.load import load
from harness.report.mutation import as_json, skipped_lines, summary
from harness.report.mutation_page import render
from harness.sandbox.facts import Tier
from harness.store.memory import MEMORY, Memory

pytest.importorskip("tree_sitter_cpp")

LARGER = """#include <iostream>
int main() {
    int n = 0, best = 0, value = 0;
    std::cin >> n;
    for (int i = 0; i < n; ++i) {
        std::cin >> value;
        if (i == 0 || value > best) best = value;
    }
    std::cout << best * 2 / 2 << "\\n";
}
"""
LARGER_PY = """n = int(input())
print(max(map(int, input().split())) + 0 * n)
"""
VALIDATOR = """import re, sys
text = sys.stdin.buffer.read()
match = re.fullmatch(rb"([1-9])\\n((?:-?[0-9]+ ?)+)\\n", text)
sys.exit(42 if match and len(match[2].split()) == int(match[1]) and not match[2].endswith(b" ") else 43)
"""
RECIPE = """solution: /submissions/accepted/larger.cpp
data:
  secret:
    data:
      1-one:  # a comment that must stay
        in: |
          1
          5
      2-ascending:
        in: |
          3
          1 2 3
"""
MAY_WRITE = """problem_format_version: 2025-09
name: Double
uuid: 00000000-0000-4000-8000-000000000001
allow_file_writing: true
limits:
  time_limit: 1.0
"""
FILES = {
    "submissions/accepted/double.py": None,
    "submissions/accepted/larger.cpp": LARGER,
    "submissions/accepted/larger.py": LARGER_PY,
    "submissions/wrong_answer/adds_one.py": None,
    "submissions/wrong_answer/last.py": "input()\nprint(input().split()[-1])\n",
    "input_validators/validate.py": VALIDATOR,
    "generators/shape.txt": "n: 1..5\nn * (-3..3)\n",
    "generators/generators.yaml": RECIPE,
    "data/sample/1.in": "2\n2 1\n",
    "data/sample/1.ans": "2\n",
    **NO_SECRET,
}


def mutation(root: Path, host: Host, tmp_path: Path, **options: int) -> Mutation:
    build_data(root, host)
    return Mutation(package=load(root), host=host, cache=tmp_path / "cache", **options)  # type: ignore[arg-type]


def run(one: Mutation, *paths: str) -> MutationReport:
    return one.run([program for program in one.package.submissions if program.path in paths])


@pytest.mark.slow
def test_weak_data_has_survivors_and_healing_kills_them(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with(FILES)
    one = mutation(root, host, tmp_path, inputs=2000)
    report = run(one, "accepted/larger.cpp")
    [found] = report.solutions
    survivors = {finding.mutant.after: finding for _, finding in report.survivors()}
    assert "(value > best)" in survivors  # no case begins with a negative number
    assert survivors["(value > best)"].killer is not None
    assert len(found.of(Fate.KILLED)) > len(found.findings) / 2
    fates = {finding.mutant.after: finding.fate for finding in found.findings}
    assert fates["(value >= best)"] in (Fate.PRESUMED, Fate.PROVED)

    proposals = propose_cases(one, report)
    assert all(proposal.group == "secret" for proposal in proposals)
    assert b"1\n-1\n" in {proposal.input for proposal in proposals}
    assert render(MutationResult(report=report, proposals=proposals)).count("value &gt; best")
    json.dumps(as_json(MutationResult(report=report, proposals=proposals)))

    add_cases(load(root), proposals)
    recipe = (root / "generators" / "generators.yaml").read_text()
    assert recipe.startswith(RECIPE.rstrip())
    build_data(root, host, relock=True)
    again = run(mutation(root, host, tmp_path, inputs=2000), "accepted/larger.cpp")
    assert not again.survivors()


WITHOUT_RECIPE = {
    **{name: text for name, text in FILES.items() if not name.startswith("generators/")},
    "data/secret/1-three.in": "3\n1 -2 3\n",
    "data/secret/1-three.ans": "3\n",
    "data/secret/2-one.in": "1\n2\n",
    "data/secret/2-one.ans": "2\n",
}


@pytest.mark.slow
def test_package_without_recipe_and_shape_heals_with_files_that_a_guessed_shape_finds(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with({**WITHOUT_RECIPE, "input_validators/other.cpp": "int main() { return 42; }\n"})
    one = Mutation(package=load(root), host=host, cache=tmp_path, inputs=1000)
    report = run(one, "accepted/larger.cpp")
    [found] = report.solutions
    assert not report.unsearched
    assert not found.of(Fate.PROVED)  # a guess proves nothing
    proposals = propose_cases(one, report)
    assert proposals
    written = add_cases(one.package, proposals)
    assert {path.suffix for path in written} == {".in"}
    again = run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=1000), "accepted/larger.cpp")
    assert not again.survivors()


def with_script(root: Path, run: str) -> Path:
    """Add an input validator with a `build` and a `run` script, which is too slow for a search."""
    folder = root / "input_validators" / "other"
    write_files(folder, {"build": "#!/bin/sh\ntrue\n", "run": f"#!/bin/sh\n{run}\n"})
    for name in ("build", "run"):
        (folder / name).chmod(0o755)
    return root


def test_package_that_cannot_be_searched_is_judged_on_its_data_and_says_why(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = with_script(double_with({**WITHOUT_RECIPE, "input_validators/validate.py": None}), "exit 42")
    one = Mutation(package=load(root), host=host, cache=tmp_path)
    report = run(one, "accepted/larger.py")
    assert "no input validator that can check thousands of inputs" in report.unsearched
    assert report.solutions[0].of(Fate.KILLED)
    assert report.unsearched in summary(report)


def test_a_validator_whose_language_is_missing_leaves_the_package_s_own_data(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with({**WITHOUT_RECIPE, "input_validators/other.sim": "begin end\n"})
    report = run(Mutation(package=load(root), host=host, cache=tmp_path), "accepted/larger.py")
    assert "other.sim: cannot be built here" in report.unsearched
    assert report.solutions[0].of(Fate.KILLED)


@pytest.mark.slow
def test_a_solution_may_use_more_stack_than_the_system_s_default_in_the_search(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    deep = LARGER.replace("int n = 0", "volatile char table[9 << 20];\n    table[0] = 0;\n    int n = table[0]")
    root = double_with({**FILES, "submissions/accepted/larger.cpp": deep})
    report = run(mutation(root, host, tmp_path, inputs=10), "accepted/larger.cpp")
    assert [one.unsearched for one in report.solutions] == [""]
    assert report.searched_inputs


VALIDATOR_IN_C = r"""#include <stdio.h>
int main(void) {
    int n, read = 0, value;
    char end;
    if (scanf("%d%c", &n, &end) != 2 || end != '\n' || n < 1 || n > 5) return 43;
    while (scanf("%d%c", &value, &end) == 2 && ++read < n && end == ' ') {}
    return read == n && end == '\n' && getchar() == EOF ? 42 : 43;
}
"""


def test_validator_in_c_says_which_inputs_of_the_search_are_valid(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    if host.pool.isolation.tier not in (Tier.PLAIN, Tier.NAMESPACED):
        pytest.skip("programs may not fork here")
    other = {"input_validators/validate.py": None, "input_validators/validate.c": VALIDATOR_IN_C}
    shape = {"generators/shape.txt": "n: 0..7\nn * (-3..3)\n"}  # wider than what is valid
    root = double_with({**WITHOUT_RECIPE, **other, **shape})
    report = run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=400), "accepted/larger.py")
    assert report.searched_inputs >= 400
    with sqlite3.connect(tmp_path / MEMORY) as connection:
        [[topic]] = connection.execute("SELECT topic FROM memory_1 WHERE topic LIKE 'corpus %'").fetchall()
    connection.close()
    corpus = as_corpus(Memory(path=tmp_path / MEMORY).recall(topic)["inputs"])
    assert {data.split()[0] for data in corpus.inputs} <= {b"1", b"2", b"3", b"4", b"5"}


@pytest.mark.slow
def test_a_validator_that_is_too_slow_for_the_search_still_says_which_killers_are_valid(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    """Whatever kills `value > best` begins with a negative number, and the script refuses that."""
    root = with_script(double_with(WITHOUT_RECIPE), "if grep -q '^-'; then exit 43; fi; exit 42")
    report = run(Mutation(package=load(root), host=host, cache=tmp_path, inputs=500), "accepted/larger.cpp")
    [left] = [one for one in report.solutions[0].findings if one.mutant.after == "(value > best)"]
    assert not report.unsearched
    assert left.killer is None


FAILS_ON_ZERO = """n = int(input())
values = list(map(int, input().split()))
print(max(values) + 0 // values[0])
"""


@pytest.mark.slow
def test_valid_inputs_on_which_the_original_crashes_are_left_out_and_told(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    in_cpp = LARGER.replace("std::cout", "if (n == 2) __builtin_trap();\n    std::cout")
    solutions = {"submissions/accepted/fails.py": FAILS_ON_ZERO, "submissions/accepted/fails.cpp": in_cpp}
    one = Mutation(
        package=load(double_with({**WITHOUT_RECIPE, **solutions})), host=host, cache=tmp_path, inputs=300, sample=8
    )
    for solution in run(one, "accepted/fails.py", "accepted/fails.cpp").solutions:
        assert not solution.unsearched
        assert solution.failing > 10
    said = list(skipped_lines(run(one, "accepted/fails.py")))
    assert [line for line in said if "fails.py: does not end well on" in line and "`1⏎0` is one" in line]


def test_mutants_of_solutions_that_may_write_files_are_judged_each_as_itself(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with({**FILES, "problem.yaml": MAY_WRITE})
    report = run(mutation(root, host, tmp_path, inputs=0, sample=6), "accepted/larger.py")
    fates = [finding.fate for finding in report.solutions[0].findings]
    assert fates.count(Fate.KILLED) >= len(fates) / 2


def test_listed_mutants_are_no_survivors_and_stale_entries_are_named(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with(FILES)
    one = mutation(root, host, tmp_path, inputs=0)
    [(_, first), *_] = run(one, "accepted/larger.cpp").survivors()
    notes = f"listed:\n  - why: looked at\n    mutants:\n      {first.mutant.id}: text\n      0123456789: text\n"
    (root / "generators" / "mutation.yaml").write_text(notes)
    report = run(mutation(root, host, tmp_path, inputs=0), "accepted/larger.cpp", "accepted/larger.py")
    listed = [finding for one in report.solutions for finding in one.of(Fate.LISTED)]
    assert [(finding.mutant.id, finding.reason) for finding in listed] == [(first.mutant.id, "looked at")]
    assert report.stale == ("0123456789",)


def test_kill_matrix_tells_which_case_kills_a_wrong_solution(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    one = mutation(double_with(FILES), host, tmp_path, inputs=0)
    programs = [program for program in one.package.submissions if program.path == "accepted/larger.py"]
    kills = kill_matrix(one, programs)
    assert {case for case, killed in kills.by_case.items() if "wrong_answer/last.py" in killed} == {"sample/1"}
    everyone = frozenset().union(*kills.by_case.values())
    assert frozenset().union(*(kills.by_case[case] for case in kills.cover().cases)) == everyone


CATALOGUE = """classes:
  order:
    what: the last is not the largest
    solutions: [wrong_answer/last.py]
    cases: [sample/1]
"""


def test_catalogue_names_cases_of_others_that_catch_its_solution_too(
    double_with: PackageMaker, host: Host
) -> None:
    descending = {"in": "2\n3 1\n", "ans": "3\n"}
    files = {f"data/sample/2.{end}": text for end, text in descending.items()}
    root = double_with({**FILES, **files, "generators/mutation.yaml": CATALOGUE})
    build_data(root, host)
    [fault] = check_catalogue(load(root), host).faults
    assert "is caught by sample/2 (WA), too" in fault


SLOW = LARGER.replace(
    "std::cout <<", "for (volatile long i = 0; i < 10'000'000'000 && n == 4; ++i) {}\n    std::cout <<"
)


@pytest.mark.slow
def test_solution_that_is_slow_on_inputs_of_the_search_is_left_out_of_it_and_the_others_go_on(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with({**FILES, "submissions/accepted/slow.cpp": SLOW})
    report = run(mutation(root, host, tmp_path, inputs=500, sample=6), "accepted/larger.py", "accepted/slow.cpp")
    fast, slow = report.solutions
    assert not fast.unsearched
    assert "the original takes more than 400 ms on the input `4⏎" in slow.unsearched
    assert "--inputs 0" in slow.unsearched
    assert [line for line in skipped_lines(report) if line.startswith("accepted/slow.cpp: no search")]
    assert "accepted/slow.cpp: no search" in render(MutationResult(report=report))


def test_solution_that_is_not_accepted_is_left_out_and_the_others_go_on(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    root = double_with({**FILES, "submissions/accepted/wrong.py": "print(77)\n"})
    report = run(mutation(root, host, tmp_path, inputs=0, sample=2), "accepted/larger.py", "accepted/wrong.py")
    assert [one.path for one in report.solutions] == ["accepted/larger.py"]
    assert "accepted/wrong.py: gets WA" in report.left_out[0]


GAME = {
    **{name: None for name, text in FILES.items() if text is None},
    **{f"data/sample/1.{end}": None for end in ("in", "ans")},
    "problem.yaml": "problem_format_version: 2025-09\nname: Double\nuuid: 00000000-0000-4000-8000-000000000001\n"
    "type: interactive\nlimits:\n  time_limit: 0.4\n",
    "input_validators/validate.py": """import re, sys
match = re.fullmatch(r"([1-9]) ([1-9])\\n", sys.stdin.read())
sys.exit(42 if match and int(match[2]) <= int(match[1]) else 43)
""",
    "generators/shape.txt": "n: 1..9 k: 1..n\n",
    "output_validator/interactor.py": """import sys
n, k = map(int, open(sys.argv[1]).read().split())
print(n, flush=True)
for _ in range(4):
    asked = int(sys.stdin.readline() or 0)
    print("right" if asked == k else "more" if asked < k else "less", flush=True)
    if asked == k:
        sys.exit(42)
sys.exit(43)
""",
    "submissions/accepted/halves.py": """low, high = 1, int(input())
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    said = input()
    if said == "right":
        break
    if said == "more":
        low = middle + 1
    else:
        high = middle - 1
""",
    "data/secret/1.in": "3 2\n",
    "data/secret/1.ans": "",
}


@pytest.mark.slow
def test_mutants_of_an_interactive_problem_are_played_on_new_inputs_until_they_lose(
    double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    """On the only case the first question is right, so whatever comes after it survives the data."""
    root = double_with(GAME)
    one = Mutation(package=load(root), host=host, cache=tmp_path, inputs=8, sample=14)
    report = run(one, "accepted/halves.py")
    [found] = report.solutions
    killed = {each.mutant.after for each in found.of(Fate.SURVIVED) if each.killer is not None}
    assert not report.unsearched and report.searched_inputs == 8
    assert "(middle - 1)" in killed
    assert not found.of(Fate.PROVED)


def test_answers_are_no_programs_to_mutate() -> None:
    with pytest.raises(UsageError, match="its submissions are answers, not programs: there is nothing to mutate"):
        chosen_solutions(load(TESTS / "packages" / "judge_submit_answer"), [], strength=False)
