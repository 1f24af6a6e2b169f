"""harness verify finds what is wrong with a package, and says nothing against one that is right."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import NO_SECRET, PackageMaker
from harness.build.languages import load_table
from harness.check.input_validators import InputValidators
from harness.host.host import Host
from harness.package.load import load
from harness.results.model import SubmissionResult
from harness.store.memory import MEMORY, Memory, unsealed_values
from harness.verify.findings import Level, PartResult, Verification
from harness.verify.run import PARTS, Verifier
from harness.verify.setting import JudgedSubmissions, Setting

PACKAGES = Path(__file__).resolve().parents[1] / "packages"
Verify = Callable[..., Verification]


@pytest.fixture
def verify(host: Host, tmp_path: Path) -> Iterator[Verify]:
    def run(root: Path, *parts: str) -> Verification:
        return Verifier(root=root, host=host, cache=tmp_path / "cache").run(parts or PARTS)

    yield run


def part(verification: Verification, name: str) -> PartResult:
    return next(one for one in verification.parts if one.part == name)


def messages(verification: Verification, name: str, level: Level) -> str:
    return "\n".join(
        f"{one.subject}: {one.message}" for one in part(verification, name).findings if one.level is level
    )


def with_manifest(root: Path, old: str, new: str) -> Path:
    """Replace a part of problem.yaml; return the package."""
    manifest = root / "problem.yaml"
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new))
    return root


CONSTANT = "constants:\n  max_n: 1000000\n"
WITHOUT_LARGE = {"data/secret/02-largest.in": "7\n", "data/secret/02-largest.ans": "14\n"}


def errors(verification: Verification, name: str) -> str:
    return messages(verification, name, Level.ERROR)


def warnings(verification: Verification, name: str) -> str:
    return messages(verification, name, Level.WARNING)


LENIENT = "import sys\nn = int(sys.stdin.read())\nsys.exit(42 if 0 <= n <= 1000000 else 43)\n"
ACCEPTS_ALL = "import sys\nsys.exit(42)\n"
REJECTS_ALL = "import sys\nsys.exit(43)\n"
TOKENS = """import sys
output, answer = sys.stdin.buffer.read().split(), open(sys.argv[2], "rb").read().split()
sys.exit(42 if output == answer else 43)
"""
CARELESS = "import sys\nwant = int(open(sys.argv[2]).read())\nsys.exit(42 if int(input()) == want else 43)\n"
SHAPE = "n: 0..{{max_n}}\n"


def test_all_holds_for_a_package_that_is_right(verify: Verify, double_with: PackageMaker) -> None:
    another = {"submissions/accepted/adds.py": "n = int(input())\nprint(n + n)\n"}
    verification = verify(double_with(another))
    assert {one.part: one.holds for one in verification.parts} == dict.fromkeys(PARTS, True)
    assert verification.holds(strict=True), [one.findings for one in verification.parts]


def test_a_second_call_answers_from_the_cache_and_runs_no_check(
    verify: Verify, double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> PartResult:
        raise AssertionError("a check ran again")

    root = double_with({"submissions/accepted/wrong.py": "print(int(input()))\n"})
    first = verify(root)
    monkeypatch.setattr("harness.verify.run._check", refuse)
    monkeypatch.setattr("harness.verify.run.check_data", refuse)
    second = verify(root)
    assert [one.part for one in second.parts if one.cached] == list(PARTS[1:])
    assert [replace(one, cached=False, wall_s=0) for one in second.parts] == [
        replace(one, wall_s=0) for one in first.parts
    ]
    assert "wrong.py" in errors(second, "submissions"), "a part that does not hold is not run again either"


def test_fresh_believes_no_run_that_was_kept(host: Host, double_with: PackageMaker, tmp_path: Path) -> None:
    root, cache = double_with(None), tmp_path / "cache"
    before = Verifier(root=root, host=host, cache=cache)
    assert before.run(["submissions"]).holds()
    with sqlite3.connect(cache / MEMORY) as connection:
        rows = connection.execute(
            "SELECT topic, name, value FROM memory_1 WHERE topic LIKE 'verify runs %'"
        ).fetchall()
        connection.execute("DELETE FROM memory_1 WHERE topic LIKE 'verify parts %'")
    connection.close()
    for topic, name, value in rows:
        changed = json.dumps(unsealed_values(topic, [(name, value)])).replace('"AC"', '"WA"')
        Memory(path=cache / MEMORY).keep(topic, json.loads(changed))
    assert not before.run(["submissions"]).holds()  # what was kept is believed otherwise
    assert replace(before, fresh=True).run(["submissions"]).holds()


def test_a_language_that_is_run_in_another_way_is_looked_at_again(
    host: Host, double_with: PackageMaker, tmp_path: Path
) -> None:
    verifier = Verifier(root=double_with(None), host=host, cache=tmp_path / "cache")
    verifier.run(["outputs"])
    other = replace(host, builder=host.builder.with_flags({"python3": ("-O",)}))
    assert part(verifier.run(["outputs"]), "outputs").cached
    assert not part(replace(verifier, host=other).run(["outputs"]), "outputs").cached


def test_a_changed_file_is_looked_at_again(verify: Verify, double_with: PackageMaker) -> None:
    root = double_with(None)
    verify(root)
    (root / "data/secret/03-some.in").write_bytes(b"07\n")
    assert "refused by" in errors(verify(root), "inputs")


def test_parts_can_be_asked_for_one_by_one(verify: Verify, double_with: PackageMaker) -> None:
    assert [one.part for one in verify(double_with(None), "bounds").parts] == ["bounds"]


def test_all_faults_of_a_broken_package_are_shown(verify: Verify, double_with: PackageMaker) -> None:
    root = double_with(
        {"problem.yaml": "problem_format_version: 2025-09\nname: Double\ntype: nonsense\nlimit: {}\n"}
    )
    verification = verify(root)
    assert "nonsense" in errors(verification, "package") and "limit" in errors(verification, "package")
    assert not verification.holds()


READS_BLINDLY = "import sys\nn = sys.stdin.read()\nsys.exit(42 if n.strip().lstrip('-').isdigit() else 43)\n"
SHELL = "import sys\nn = sys.stdin.read().strip()\nsys.exit(42 if n.isdigit() and int(n) <= 10**6 else 43)\n"


def test_a_weak_validator_is_one_finding_the_worst_first(verify: Verify, double_with: PackageMaker) -> None:
    found = verify(double_with({"input_validators/validate.py": SHELL}), "inputs")
    told = [one for one in part(found, "inputs").findings if "accepts broken inputs" in one.message]
    assert [(one.level, one.subject) for one in told] == [(Level.WARNING, "input_validators/validate.py")]
    kinds = told[0].message
    assert kinds.index("digits that are not ASCII (4 cases") < kinds.index("leading zero (4 cases")


LONG = {"data/secret/04-long.in": "9" * 40 + "\n", "data/secret/04-long.ans": "1" + "9" * 39 + "8\n"}


@pytest.mark.parametrize(
    ("validator", "more", "level", "told"),
    [
        (
            LENIENT,
            {},
            Level.WARNING,
            ("leading zero", "no newline at the end", "CRLF", "digits that are not ASCII"),
        ),
        (LENIENT, {"generators/shape.txt": SHAPE}, Level.ERROR, ("leading zero",)),
        (READS_BLINDLY, {}, Level.ERROR, ("accepts broken inputs: number",)),
        (READS_BLINDLY, LONG, Level.WARNING, ("accepts broken inputs: number",)),
        (
            ACCEPTS_ALL,
            {"data/invalid_input/1.in": "x\n"},
            Level.ERROR,
            ("accept whatever", "invalid_input/1: accepted by every"),
        ),
    ],
    ids=["lenient", "the shape says more", "no bound", "numbers of any length", "accepts all"],
)
def test_a_weak_input_validator_is_wrong_where_the_shape_or_the_data_says_more(
    verify: Verify,
    double_with: PackageMaker,
    validator: str,
    more: dict[str, str],
    level: Level,
    told: tuple[str, ...],
) -> None:
    found = verify(double_with({"input_validators/validate.py": validator, **more}), "inputs")
    assert all(words in messages(found, "inputs", level) for words in told)
    assert found.holds() is (level is Level.WARNING) and not found.holds(strict=True)


def test_without_a_shape_a_bound_that_validators_accept_and_no_case_reaches_is_named(
    verify: Verify, double_with: PackageMaker
) -> None:
    root = with_manifest(double_with(WITHOUT_LARGE), CONSTANT, "")
    validator = root / "input_validators/validate.py"
    validator.write_text(validator.read_text().replace("{{max_n}}", "1000000"))
    found = warnings(verify(root, "bounds"), "bounds")
    assert (
        "integer of line 1: no case reaches 1000000, which validators accept: the largest in the data is 21"
        in found
    )
    (root / "data/secret/02-largest.in").write_text("1000000\n")
    (root / "data/secret/02-largest.ans").write_text("2000000\n")
    assert "no case reaches 1000000" not in warnings(verify(root, "bounds"), "bounds")


def test_a_round_number_of_a_guess_is_no_bound_that_validators_accept(
    verify: Verify, double_with: PackageMaker
) -> None:
    """The guess of 21 is 10^2; the validator allows 21."""
    root = with_manifest(double_with(WITHOUT_LARGE), CONSTANT, "")
    validator = root / "input_validators/validate.py"
    validator.write_text(validator.read_text().replace("{{max_n}}", "21"))
    assert "no case reaches" not in warnings(verify(root, "bounds"), "bounds")


AT_LEAST_TWO = """import re, sys
match = re.fullmatch(rb"([1-9][0-9]?)\\n((?:[1-9][0-9]* )*[1-9][0-9]*)\\n", sys.stdin.buffer.read())
sys.exit(42 if match and 2 <= int(match[1]) <= 10 and int(match[1]) == len(match[2].split()) else 43)
"""


def test_a_least_count_that_validators_refuse_is_no_bound(verify: Verify, double_with: PackageMaker) -> None:
    cases = {"01-zero": "2\n3 4\n", "02-largest": "10\n1 2 3 4 5 6 7 8 9 9\n", "03-some": "5\n1 2 3 4 5\n"}
    files = {f"data/secret/{name}.in": text for name, text in cases.items()}
    files |= {"data/sample/1.in": "3\n1 2 3\n", "input_validators/validate.py": AT_LEAST_TWO}
    [part] = [part for part in verify(double_with(files), "bounds").parts if part.part == "bounds"]
    assert ("integer of line 1", "2..10", "2..10") in [row[:3] for row in part.rows]


WITHIN_THE_FIRST = """import re, sys
match = re.fullmatch(rb"([1-9][0-9]*)\\n([1-9][0-9]*) ([1-9][0-9]*)\\n([1-9][0-9]*)\\n", sys.stdin.buffer.read())
n, a, b, c = (int(number) if len(number) < 9 else 0 for number in match.groups()) if match else (0, 0, 0, 0)
sys.exit(42 if 3 <= n <= 10000 and 0 < a <= n and 0 < b <= n and 0 < c <= 5000 else 43)
"""


def test_of_a_guessed_shape_a_limit_that_another_number_sets_is_no_bound(
    verify: Verify, double_with: PackageMaker
) -> None:
    cases = {"01-zero": "3\n1 2\n7\n", "02-largest": "1000\n475 703\n400\n", "03-some": "10000\n861 77\n1\n"}
    files = {f"data/secret/{name}.in": text for name, text in cases.items()}
    files |= {"data/sample/1.in": "3\n1 2\n3\n", "input_validators/validate.py": WITHIN_THE_FIRST}
    assert warnings(verify(double_with(files), "bounds"), "bounds").splitlines() == [
        "integer of line 3: no case reaches 5000, which validators accept: the largest in the data is 400"
    ]


def test_without_a_shape_a_validator_without_a_bound_is_named(verify: Verify, double_with: PackageMaker) -> None:
    found = warnings(verify(double_with({"input_validators/validate.py": READS_BLINDLY}), "bounds"), "bounds")
    assert "integer of line 1: validators accept a number of" in found and "do they know a bound?" in found


FIRST_ONLY = """import sys
given, shown = int(open(sys.argv[1]).read()), sys.stdin.read().split()
sys.exit(42 if len(shown) == 2 and all(one.isdigit() and len(one) < 9 for one in shown) {}else 43)
"""
ANY_PAIR, PAIR_OF_SUM = FIRST_ONLY.format(""), FIRST_ONLY.format("and sum(map(int, shown)) == given ")
PAIRS = {
    **{
        f"data/secret/{name}.ans": f"{n} 0\n"
        for name, n in (("01-zero", 0), ("02-largest", 1000000), ("03-some", 7))
    },
    "data/secret/01-zero.in": "12\n",
    "data/secret/01-zero.ans": "12 0\n",
    "data/secret/03-some.in": "7\n",
    "data/sample/1.in": "21\n",
    "data/sample/1.ans": "21 0\n",
    "submissions/accepted/double.py": "print(int(input()), 0)\n",
}


ANOTHER_PAIR = {"submissions/accepted/another.py": "print(0, int(input()))\n"}


@pytest.mark.parametrize(
    ("checker", "more", "warned", "noted"),
    [
        (ANY_PAIR, {}, "check.py: accepts changed answers of every kind on all of 4 cases", ""),
        (PAIR_OF_SUM, {}, "", ""),
        (ANY_PAIR, ANOTHER_PAIR, "", "accepted solutions print different ones"),
    ],
    ids=["it accepts any pair", "of several right answers", "solutions print several"],
)
def test_a_checker_that_accepts_whatever_is_named_unless_solutions_print_several_answers(
    verify: Verify, double_with: PackageMaker, checker: str, more: dict[str, str], warned: str, noted: str
) -> None:
    found = verify(double_with({**PAIRS, **more, "output_validator/check.py": checker}), "outputs")
    assert warned in warnings(found, "outputs")
    assert ("changed answers" in warnings(found, "outputs")) is bool(warned)
    assert noted in messages(found, "outputs", Level.NOTE)


def test_a_generator_that_nothing_uses_is_named(verify: Verify, double_with: PackageMaker) -> None:
    cases = "      one: used.py 5\n      two: listed 6\n"
    recipe = f"generators:\n  listed: [part.py]\ndata:\n  secret:\n    data:\n{cases}"
    prints = "import sys\nprint(sys.argv[1])\n"
    root = double_with(
        {
            "generators/generators.yaml": recipe,
            "generators/used.py": "import common\n" + prints,
            "generators/common.py": "import deeper\n",
            "generators/deeper.py": "",
            "generators/part.py": prints,
            "generators/forgotten.py": prints,
            "generators/notes.md": "forgotten words",
        }
    )
    found = warnings(verify(root, "data"), "data")
    assert "generators/forgotten.py: nothing uses this generator" in found
    assert found.count("nothing uses this generator") == 1


def test_an_input_validator_works_among_the_files_of_the_case(verify: Verify, double_with: PackageMaker) -> None:
    reads = "import os, sys\nmost = int(open('most').read()) if os.path.exists('most') else 1000000\n"
    judges = "sys.exit(42 if int(sys.stdin.read()) <= most else 43)\n"
    cases = {
        f"data/secret/{name}{end}": text
        for name in ("04", "05")
        for end, text in ((".in", "5\n"), (".ans", "10\n"))
    }
    files = {"data/secret/04.files/most": "9", "data/secret/05.files/most": "3"}
    root = double_with({"input_validators/validate.py": reads + judges, **cases, **files})
    found = errors(verify(root, "inputs"), "inputs")
    assert "secret/05: refused by" in found and "secret/04" not in found
    (root / "data/secret/04.files/validate.py").write_text("import sys\nsys.exit(42)\n")
    assert "a file of its own is called `validate.py`" in errors(verify(root, "inputs"), "inputs")


def test_a_run_is_not_believed_when_file_writing_was_allowed_meanwhile(
    verify: Verify, double_with: PackageMaker
) -> None:
    writes = "open('note', 'w').write('x')\nprint(2 * int(input()))\n"
    root = double_with({"submissions/accepted/writes.py": writes})
    assert "accepted/writes.py" in errors(verify(root, "submissions"), "submissions")
    with_manifest(root, "limits:", "allow_file_writing: true\nlimits:")
    assert errors(verify(root, "submissions"), "submissions") == ""


def test_an_input_validator_that_misses_a_bound_is_wrong(verify: Verify, double_with: PackageMaker) -> None:
    # The validator allows one more than the shape does.
    changes = {"generators/shape.txt": "n: 0..999999\n"}
    assert "accept n = 1000000, the shape's bound is 999999" in errors(
        verify(double_with(changes), "bounds"), "bounds"
    )


def test_a_bound_that_no_case_reaches_is_named(verify: Verify, double_with: PackageMaker) -> None:
    """With a shape its end is named, else what validators accept."""
    root = double_with(WITHOUT_LARGE)
    told = "integer of line 1: no case reaches 1000000, which validators accept"
    assert told in warnings(verify(root, "bounds"), "bounds")
    (root / "generators").mkdir(exist_ok=True)
    (root / "generators/shape.txt").write_text(SHAPE)
    found = warnings(verify(root, "bounds"), "bounds")
    assert "n: no case reaches its maximum" in found and "minimum" not in found


@pytest.mark.parametrize(
    ("validator", "expected"),
    [
        (ACCEPTS_ALL, ("accepts an empty output", "accepts the answers of all other cases")),
        (REJECTS_ALL, ("the jury's answer is not accepted",)),
        (CARELESS, ("crashes on an empty output",)),
    ],
)
def test_an_output_validator_that_is_wrong(
    verify: Verify, double_with: PackageMaker, validator: str, expected: tuple[str, ...]
) -> None:
    found = errors(verify(double_with({"output_validator/check.py": validator}), "outputs"), "outputs")
    assert all(words in found for words in expected)


def test_an_output_that_is_shown_must_be_one(verify: Verify, double_with: PackageMaker) -> None:
    changes = {"data/sample/1.out": "7\n", "data/secret/03-some.out": "not at all\n"}
    found = errors(verify(double_with(changes), "outputs"), "outputs")
    assert "sample/1: its `.out` must be accepted" in found and "secret/03-some: its `.out`" in found


def test_answers_that_are_no_outputs_are_warned_about_once(verify: Verify, double_with: PackageMaker) -> None:
    doubles = "import sys\nwant = 2 * int(open(sys.argv[1]).read())\n"
    judges = "sys.exit(42 if sys.stdin.buffer.read().split() == [b'%d' % want] else 43)\n"
    names = ("sample/1", "secret/01-zero", "secret/02-largest", "secret/03-some")
    changes = {f"data/{name}.ans": "for the validator only\n" for name in names}
    root = double_with({"output_validator/check.py": doubles + judges, **changes})
    one = verify(root, "outputs")
    assert errors(one, "outputs").startswith("sample/1: the jury's answer is not accepted")  # it is shown
    assert "secret" not in errors(one, "outputs") + warnings(one, "outputs")
    assert "accepts no jury answer" in warnings(one, "outputs")
    (root / "data/sample/1.out").write_text(str(2 * int((root / "data/sample/1.in").read_text())) + "\n")
    assert errors(verify(root, "outputs"), "outputs") == ""
    (root / "data/sample/1.out").rename(root / "data/sample/1.ans")
    one = verify(root, "outputs")
    assert errors(one, "outputs") == "" and "no hidden jury answer" in warnings(one, "outputs")
    (root / "data/secret/01-zero.ans").write_text("0\n")  # some are outputs, so all must be
    assert "secret/02-largest" in errors(verify(root, "outputs"), "outputs")


def test_the_answer_of_a_sample_may_be_worth_nothing_that_of_a_secret_case_may_not(
    verify: Verify, tmp_path: Path
) -> None:
    root = tmp_path / "points"
    shutil.copytree(PACKAGES / "judge_legacy_validator_score", root)
    right = "import sys\nif sys.stdin.read().split() != open(sys.argv[2]).read().split():\n    sys.exit(43)\n"
    points = "score = 0 if open(sys.argv[1]).read().strip() == '%s' else 1\n"
    gives = "open(sys.argv[3] + 'score.txt', 'w').write(str(score))\nsys.exit(42)\n"
    for name in ("sample/1", "secret/1", "secret/2"):
        (root / f"data/{name}.ans").write_text(f"answer {name}\n")
    for worthless, found in (("0", ""), ("1", "secret/1: the jury's answer is not accepted: it gets no points")):
        (root / "output_validators/told.py").write_text(right + points % worthless + gives)
        assert errors(verify(root, "outputs"), "outputs") == found


def test_a_package_of_one_sample_is_not_also_said_to_have_no_outputs(
    verify: Verify, double_with: PackageMaker
) -> None:
    secret = ("01-zero", "02-largest", "03-some")
    gone = {f"data/secret/{name}.{end}": None for name in secret for end in ("in", "ans")}
    found = verify(double_with({"output_validator/check.py": REJECTS_ALL, **gone}), "outputs")
    assert errors(found, "outputs").startswith("sample/1: the jury's answer is not accepted")
    assert warnings(found, "outputs") == ""


def test_an_output_validator_that_is_right(verify: Verify, double_with: PackageMaker) -> None:
    assert verify(double_with({"output_validator/check.py": TOKENS}), "outputs").holds(strict=True)


def test_an_output_validator_that_reads_like_python_is_warned_about(
    verify: Verify, double_with: PackageMaker
) -> None:
    reads_like_python = CARELESS.replace("int(input())", "int(sys.stdin.read() or 0)").replace(
        "import sys\n", "import sys\nsys.excepthook = lambda *_: __import__('os')._exit(43)\n"
    )
    found = verify(double_with({"output_validator/check.py": reads_like_python}), "outputs")
    assert "accepts digits that are not ASCII" in warnings(found, "outputs")


def test_a_submission_that_is_not_what_it_says_is_wrong(verify: Verify, double_with: PackageMaker) -> None:
    changes = {"submissions/accepted/adds_two.py": "print(int(input()) + 2)\n"}
    found = verify(double_with(changes), "submissions")
    assert "accepted/adds_two.py: must get AC, got WA on sample/1: line 1, token 1: `3`, expected `2`" in errors(
        found, "submissions"
    )
    rows = {row[0]: row for row in part(found, "submissions").rows}
    assert rows["wrong_answer/adds_one.py"][-1].startswith("WA s")


def test_a_package_with_one_accepted_solution_is_warned_about_once(
    verify: Verify, double_with: PackageMaker
) -> None:
    [finding] = part(verify(double_with(None), "answers"), "answers").findings
    assert (finding.level, finding.subject) == (Level.WARNING, "submissions/accepted")
    assert finding.message.startswith("one solution alone")


def test_a_partially_accepted_solution_confirms_no_answer(verify: Verify, tmp_path: Path) -> None:
    root = tmp_path / "sum"
    shutil.copytree(PACKAGES / "judge_legacy_sum", root)
    found = verify(root, "answers")
    assert part(found, "answers").summary.startswith("1 accepted solution")
    assert "one solution alone" in warnings(found, "answers")


def test_a_judge_error_in_a_scoring_package_of_the_legacy_format_is_neither_as_expected_nor_timed(
    verify: Verify, tmp_path: Path
) -> None:
    root = tmp_path / "crashes"
    shutil.copytree(PACKAGES / "judge_legacy_validator_score", root)
    (root / "output_validators/told.py").write_text("raise RuntimeError\n")
    found = verify(root, "submissions", "time")
    assert {row[1] for row in part(found, "submissions").rows} == {"JE"}
    assert part(found, "submissions").summary.startswith("0 of 2 as they must be")
    assert "judge error on sample/1" in errors(found, "submissions")
    assert "not timed: judge error on sample/1" in errors(found, "time")


@pytest.mark.parametrize(("confirmations", "cases_run"), [(1, 4), (2, 1)])
def test_a_solution_that_fails_is_run_on_only_where_too_few_others_confirm_an_answer(
    host: Host, double_with: PackageMaker, confirmations: int, cases_run: int
) -> None:
    right = {
        f"submissions/accepted/right{number}.py": "print(2 * int(input()))\n" for number in range(1, confirmations)
    }
    package = load(double_with({**right, "submissions/accepted/wrong.py": "print(int(input()) + 2)\n"}))
    results = JudgedSubmissions(setting=Setting(package=package, host=host)).accepted_on_all()
    judged = {result.path: sum(case.judged for case in result.cases) for result in results}
    assert judged.pop("accepted/wrong.py") == cases_run
    assert set(judged.values()) == {4}


def test_a_package_without_a_margin_is_shown_at_one_limit(verify: Verify, double_with: PackageMaker) -> None:
    margins = "limits:\n  time_multipliers: {ac_to_time_limit: 1, time_limit_to_tle: 1}\n"
    root = with_manifest(double_with(), "limits:\n", margins)
    assert part(verify(root, "time"), "time").columns == ("submission", "", "slowest", "on", "1 s", "repeated")


def test_without_a_limit_the_submissions_that_must_keep_it_decide_how_long_others_run(
    host: Host, double_with: PackageMaker
) -> None:
    root = double_with({"submissions/time_limit_exceeded/endless.py": "while True: pass\n"})
    with_manifest(root, "  time_limit: 1.0\n", "")
    judged = JudgedSubmissions(setting=Setting(package=load(root), host=host))
    assert judged.widest_s == 1.5  # the least limit, 1 s, times the margin
    endless = next(result for result in judged.at(1.5) if result.path == "time_limit_exceeded/endless.py")
    assert endless.verdict == "TLE" and judged.working_limit_s() == 1.0


def test_a_limit_is_suggested_where_there_is_none(verify: Verify, double_with: PackageMaker) -> None:
    found = part(verify(with_manifest(double_with(None), "  time_limit: 1.0\n", ""), "time"), "time")
    assert found.holds and "this one is suggested" in found.summary and "limit 1 s" in found.summary


def test_where_no_limit_fits_the_accepted_solutions_decide(verify: Verify, double_with: PackageMaker) -> None:
    root = double_with({"submissions/time_limit_exceeded/quick.py": "print(2 * int(input()))\n"})
    with_manifest(root, "  time_limit: 1.0\n", "  time_resolution: 4\n")
    found = verify(root, "submissions", "time")
    assert "no time limit fits" in warnings(found, "time")
    assert "time limit 4 s" in part(found, "submissions").summary


def test_a_limit_too_near_to_a_slow_solution_is_warned_about(verify: Verify, double_with: PackageMaker) -> None:
    slow = "import time\nn = int(input())\nwhile n == 1000000 and time.process_time() < 0.7:\n    pass\nprint(2 * n)\n"
    found = verify(double_with({"submissions/accepted/slow.py": slow}), "time")
    assert "accepted/slow.py" in warnings(found, "time")
    assert "time_limit 1 is under 1." in warnings(found, "time")


def test_a_bound_written_out_in_the_statement_is_warned_about(verify: Verify, double_with: PackageMaker) -> None:
    text = "Given $n$ ($0 \\le n \\le 10^6$), at most 1,000,000 or {{max_n}}, print $2n$. {{no_such}}\n"
    found = verify(double_with({"statement/problem.en.md": text}), "statement")
    assert "1000000 is the constant: write `{{max_n}}`" in warnings(found, "statement")
    assert "`{{no_such}}` is no constant" in errors(found, "statement")


def test_a_place_for_a_sample_that_is_not_there_is_wrong(verify: Verify, double_with: PackageMaker) -> None:
    text = "Print $2n$.\n\n{{nextsample}}\n\n{{remainingsamples}}\n"
    root = double_with({"statement/problem.en.md": text})
    assert errors(verify(root, "statement"), "statement") == ""
    (root / "statement/problem.en.md").write_text(text + "\n{{nextsample}}\n")
    assert "problem.en.md:7: `{{nextsample}}`, but no sample is left" in errors(
        verify(root, "statement"), "statement"
    )


def test_points_in_a_table_of_groups_are_no_bound(verify: Verify, double_with: PackageMaker) -> None:
    group = "max_score: {}\nscore_aggregation: sum\n"
    manifest = (
        "problem_format_version: 2025-09\nname: Double\ntype: scoring\nconstants:\n  max_n: 40\n"
        "limits:\n  time_limit: 1.0\n"
    )
    changes: dict[str, str | bytes | None] = {
        "problem.yaml": manifest,
        "statement/problem.en.md": "Print $2n$, $n \\le 40$.\n\n| group | points |\n|---|---|\n| 1 | 40 |\n",
        "data/secret/test_group.yaml": group.format(40),
        "data/secret/1/test_group.yaml": group.format(40),
        "data/secret/1/1.in": "3\n",
        "data/secret/1/1.ans": "6\n",
        **NO_SECRET,
    }
    found = warnings(verify(double_with(changes), "statement"), "statement")
    assert ":1: 40 is the constant" in found and ":5" not in found


def test_a_valid_output_may_be_worth_no_points(verify: Verify, double_with: PackageMaker) -> None:
    validator = TOKENS.replace(
        "sys.exit(", 'open(sys.argv[3] + "score_multiplier.txt", "w").write("0")\nsys.exit('
    )
    changes = {
        "output_validator/check.py": validator,
        "data/valid_output/1.in": "1\n",
        "data/valid_output/1.ans": "2\n",
        "data/valid_output/1.out": "2\n",
    }
    assert "must be accepted" not in errors(verify(double_with(changes), "outputs"), "outputs")


LESS_IS_BETTER = """import os, sys
def read(file):
    tokens = file.buffer.read().split() if file is sys.stdin else open(file, "rb").read().split()
    if len(tokens) != 1 or not tokens[0].isdigit() or len(tokens[0]) > 18:
        sys.exit(43)
    return int(tokens[0])
with open(os.path.join(sys.argv[3], "score.txt"), "w") as file:
    file.write(str(abs(read(sys.stdin) - read(sys.argv[2]))))
sys.exit(42)
"""


def test_points_tell_answers_apart_and_none_may_be_the_best(verify: Verify, double_with: PackageMaker) -> None:
    changes: dict[str, str | bytes | None] = {
        "problem.yaml": "name: Golf\ntype: scoring\nvalidation: custom score\ngrading: {objective: min}\n",
        "output_validator/check.py": LESS_IS_BETTER,
    }
    root = double_with(changes)
    part = verify(root, "outputs")
    assert "accepts the answers of all other cases" not in errors(part, "outputs")
    assert "jury" not in errors(part, "outputs") + warnings(part, "outputs")
    (root / "output_validator/check.py").write_text(LESS_IS_BETTER.replace("str(abs(", "str(0 * abs("))
    assert "accepts the answers of all other cases" in errors(verify(root, "outputs"), "outputs")


DRAWS = "open('any.svg', 'w').write('<svg/>')\n"
DRAWS_OUTPUT = "import sys\nopen(sys.argv[3] + 'judgeimage.svg', 'w').write('<svg>' + input() + '</svg>')\n"


def test_pictures_of_the_samples_are_drawn(verify: Verify, double_with: PackageMaker) -> None:
    root = double_with({"input_visualizer/draw.py": DRAWS, "output_visualizer/draw.py": DRAWS_OUTPUT})
    drawn = part(verify(root, "visualizers"), "visualizers")
    assert drawn.findings == ()
    assert [row[:3] for row in drawn.rows] == [
        ("input_visualizer/draw.py", "sample/1", "1"),
        ("output_visualizer/draw.py", "sample/1", "1"),
    ]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("raise ValueError('no ink')\n", "failed: exit code 1: ValueError: no ink (on sample/1)"),
        ("pass\n", "drew nothing"),
        ("import os\nos.kill(os.getpid(), 9)\n", "failed: signal 9"),
        ("def\n", "cannot be built, so nothing is drawn"),
    ],
    ids=["crash", "nothing", "signal", "syntax"],
)
@pytest.mark.parametrize("folder", ["input_visualizer", "output_visualizer"])
def test_a_broken_visualizer_is_a_warning_with_its_name(
    folder: str, program: str, message: str, verify: Verify, double_with: PackageMaker
) -> None:
    verification = verify(double_with({f"{folder}/draw.py": program}), "visualizers")
    assert f"{folder}/draw.py: {message}" in warnings(verification, "visualizers")
    assert verification.holds()


def test_data_that_is_not_as_locked_comes_with_the_command_that_mends_it(
    verify: Verify, double_with: PackageMaker
) -> None:
    recipe = 'data: {secret: {data: {"7": {in: "7", ans: "14"}}}}\n'
    lock = f"{'0' * 64}  secret/7.in\n"
    root = double_with({"generators/generators.yaml": recipe, "generators/data.lock": lock})
    told = errors(verify(root, "data"), "data")
    assert "secret/7.in: changed against the lock" in told
    assert f"harness generate {root} --relock" in told
    assert f"remove {root}/generators/data.lock" in told


def test_a_package_without_input_validators_has_nothing_to_look_at(
    verify: Verify, double_with: PackageMaker
) -> None:
    root = double_with({"input_validators/validate.py": None})
    verification = verify(root, "package", "inputs")
    assert part(verification, "inputs").skipped
    assert "no input validator that can be run" in warnings(verification, "package")


def test_cases_beside_groups_are_timed_too(verify: Verify, double_with: PackageMaker) -> None:
    old = "name: Double\nlimits: {time_limit: 2}\nconstants: {max_n: 1000000}\n"
    root = double_with(
        {
            "problem.yaml": old,
            "data/secret/deeper/9.in": "9\n",
            "data/secret/deeper/9.ans": "18\n",
            # The slowest case lies beside the group.
            "data/secret/8.in": "8\n",
            "data/secret/8.ans": "16\n",
            "submissions/accepted/uneven.py": (
                "n = int(input())\nif n == 8:\n    print(sum(range(10**6)), end='\\r', file=open('/dev/null', 'w'))\n"
                "print(2 * n)\n"
            ),
        }
    )
    timed = part(verify(root, "time"), "time")
    assert "secret/8" in [row[3] for row in timed.rows]


@pytest.mark.parametrize("is_alone", [False, True])
def test_an_input_validator_that_this_machine_cannot_run_is_named_and_the_others_run(
    verify: Verify, double_with: PackageMaker, host: Host, is_alone: bool
) -> None:
    if host.builder.toolchain(load_table(())["python2"]).available:
        pytest.skip("there is a Python 2 here")
    old = {"input_validators/old.py": "#!/usr/bin/env python2\nprint 'x'\n"}
    others = {"input_validators/validate.py": None} if is_alone else {"data/invalid_input/big.in": "1000001\n"}
    found = verify(double_with({**old, **others}), "inputs")
    assert "input_validators/old.py: not run: Python 2 needs" in warnings(found, "inputs")
    assert part(found, "inputs").skipped is is_alone
    assert is_alone or "validators: 1" in part(found, "inputs").summary
    assert not errors(found, "inputs")


def test_a_validator_that_compiles_only_with_a_header_added_is_a_warning(
    verify: Verify, double_with: PackageMaker
) -> None:
    """GCC 12 declares `std::array` in <tuple>, and defines it only in <array>."""
    forgets = "#include <tuple>\nstd::array<int, 1> a;\nint main() { return 42 + a[0]; }\n"
    found = verify(double_with({"input_validators/v.cpp": forgets, "output_validator/v.cpp": forgets}))
    for name in ("inputs", "outputs"):
        assert "does not compile here as it is, but with #include <array>" in warnings(found, name)


def test_a_package_without_data_is_checked_as_far_as_it_goes(verify: Verify, double_with: PackageMaker) -> None:
    names = ("sample/1", "secret/01-zero", "secret/02-largest", "secret/03-some")
    verification = verify(double_with({f"data/{name}{end}": None for name in names for end in (".in", ".ans")}))
    assert "no test case: a package needs at least one" in errors(verification, "data")
    assert [one.part for one in verification.parts if not one.holds] == ["data"]
    skipped = [one.part for one in verification.parts if one.skipped]
    assert skipped == [name for name in PARTS if name not in ("package", "data", "statement")]


@pytest.mark.parametrize(
    ("file", "content", "name", "kept"),
    [
        ("input_validators/check.py", "import os\nos.kill(os.getpid(), 9)\n", "inputs", False),
        ("input_validators/check.py", "import os\nos.kill(os.getpid(), 11)\n", "inputs", True),
        ("input_validators/check.c", "int main(void) { return\n", "inputs", False),
        ("output_validator/check.py", "import os\nos.kill(os.getpid(), 9)\n", "outputs", False),
        ("output_validator/check.py", "1 / 0\n", "outputs", True),
        ("output_validator/check.py", "import absent\n", "outputs", False),
        ("submissions/accepted/twice.c", "int main(void) { return\n", "submissions", False),
    ],
)
def test_a_crash_is_remembered_but_no_failure_that_may_be_the_machines(
    file: str, content: str, name: str, kept: bool, host: Host, double_with: PackageMaker, tmp_path: Path
) -> None:
    verifier = Verifier(root=double_with({file: content}), host=host, cache=tmp_path / "cache")
    first, second = (part(verifier.run([name]), name) for _ in range(2))
    assert not first.holds and not second.holds and not first.cached
    assert second.cached is kept
    assert second.findings == first.findings


def test_validators_that_never_end_cost_a_bounded_time(
    host: Host, double_with: PackageMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is stopped after the time for an input of its size."""
    endless = "n = int(input())\nwhile n > 1000: pass\nraise SystemExit(42)\n"
    asked: list[float] = []
    refusals = InputValidators.refusals

    def counted(self: InputValidators, *rest: Any) -> Any:
        asked.append(self.limits.cpu_s)
        return refusals(self, *rest)

    monkeypatch.setattr(InputValidators, "refusals", counted)
    monkeypatch.setattr("harness.verify.bounds.LEARNING_S", 0.5)
    monkeypatch.setattr("harness.verify.bounds.CONFIRMING_S", 0.5)
    root = double_with({"input_validators/check.py": endless})
    Verifier(root=root, host=host, cache=tmp_path / "cache").run(["bounds"])
    assert asked and max(asked) < 1.5


def test_a_bound_that_other_work_disturbed_is_measured_again(
    host: Host, double_with: PackageMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    verifier = Verifier(root=double_with(None), host=host, cache=cache)
    verifier.run(["submissions"])
    _disturb_all_runs(cache, cpu_s=0.9)

    def alone(judged: JudgedSubmissions, path: str, case: str, limit_s: float) -> SubmissionResult:
        result = next(result for result in judged.at(limit_s) if result.path == path)
        [run] = [run for run in result.cases if run.name == case]
        return replace(result, cases=(replace(run, cpu_s=0.5, starved_s=0.0),))

    monkeypatch.setattr(JudgedSubmissions, "run_again", alone)
    result = part(verifier.run(["time"]), "time")
    assert result.figures["slowest_accepted_s"] == 0.5
    assert not result.disturbed
    assert part(verifier.run(["time"]), "time").cached


def _disturb_all_runs(cache: Path, cpu_s: float) -> None:
    """Rewrite all stored runs as if they had needed this CPU time on a busy machine."""
    with sqlite3.connect(cache / MEMORY) as connection:
        rows = connection.execute("SELECT topic, name, value FROM memory_1 WHERE topic LIKE 'verify runs %'")
        stored = rows.fetchall()
    connection.close()
    for topic, name, value in stored:
        [(key, runs)] = unsealed_values(topic, [(name, value)]).items()
        for run in runs:
            run["result"] |= {"cpu_s": cpu_s, "starved_s": 60.0}
        Memory(path=cache / MEMORY).keep(topic, {key: runs})
