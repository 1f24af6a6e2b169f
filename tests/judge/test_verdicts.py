"""Each verdict is earned by a submission: the file name's suffix says which."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE, PackageMaker, judge_file
from harness.build.languages import load_table
from harness.check.classify import classify_run
from harness.errors import JudgeError
from harness.host.host import Host, open_host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.files import File
from harness.package.load import load
from harness.report import words
from harness.results.verdict import Reason, Verdict
from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, KillReason, Limits, RunResult, Tier
from harness.sandbox.plain import PlainSandbox

SUBMISSIONS = sorted((Path(__file__).parents[1] / "submissions").iterdir())


def roomy(package: Package) -> Package:
    """The package with time to spare: what is not about time must not depend on how fast the machine is today."""
    return replace(package, limits=replace(package.limits, time_limit_s=10.0))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", SUBMISSIONS, ids=lambda path: path.name)
def test_submission_gets_the_verdict_in_its_name(source: Path, host: Host) -> None:
    # Constant evaluation without end is to be stopped soon; javac and rustc on a loaded machine are not.
    compilation_s = 3.0 if source.stem == "compiles_forever_CE" else 60.0
    package = load(DOUBLE) if source.stem.endswith("_TLE") else roomy(load(DOUBLE))
    package = replace(package, limits=replace(package.limits, compilation_time_s=compilation_s))
    result = judge_file(package, source, host)
    if result.unavailable:
        pytest.skip(result.message)
    assert result.verdict == source.stem.rpartition("_")[2], (result.message, result.cases)


@pytest.mark.parametrize("killed_for", [None, KillReason.CPU, KillReason.MEMORY])
def test_who_used_more_time_than_the_limit_is_too_slow_whatever_stopped_it(killed_for: KillReason | None) -> None:
    limits = Limits(cpu_s=1.0, wall_s=4.0, memory_bytes=256 * MIB, output_bytes=MIB)
    over = RunResult(
        cpu_s=1.01,
        wall_s=1.1,
        memory_bytes=257 * MIB,
        exit_code=None,
        signal=9,
        killed_for=killed_for,
        output_bytes=0,
    )
    found = [classify_run(run, limits) for run in (over, replace(over, memory_bytes=MIB))]
    assert [(one.verdict, one.reason) for one in found if one] == [
        (Verdict.TIME_LIMIT_EXCEEDED, Reason.CPU_TIME),
        (Verdict.TIME_LIMIT_EXCEEDED, Reason.CPU_TIME),
    ]
    within = classify_run(replace(over, cpu_s=0.99, killed_for=KillReason.MEMORY), limits)
    assert within is not None
    assert within.verdict is Verdict.MEMORY_LIMIT_EXCEEDED


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("tier", [Tier.LOCKED, Tier.FILTERED, Tier.PLAIN], ids=lambda tier: tier.name)
def test_verdicts_are_the_same_at_every_tier(tier: Tier, tmp_path: Path) -> None:
    sandbox = PlainSandbox() if tier is Tier.PLAIN else ContainedSandbox(tier)
    sources = [source for source in SUBMISSIONS if "compiles_forever" not in source.name]
    entries = [Entry(program=Program(path=one.name, files={one.name: File(origin=one)})) for one in sources]
    timed = [entry for entry in entries if "_TLE." in entry.program.path]
    others = [entry for entry in entries if entry not in timed]
    with open_host(
        [sandbox],
        table=load_table(()),
        search_path=os.environ["PATH"],
        cache=tmp_path,
        as_other_user=os.geteuid() == 0,
    ) as opened:
        results = [
            *Judging(package=load(DOUBLE), host=opened).run(timed),
            *Judging(package=roomy(load(DOUBLE)), host=opened).run(others),
        ]
    judged = [result for result in results if not result.unavailable]
    assert {result.path: result.verdict for result in judged} == {
        result.path: Path(result.path).stem.rpartition("_")[2] for result in judged
    }


def test_sleeper_is_stopped_by_the_clock_and_the_result_says_so(host: Host) -> None:
    package = load(DOUBLE)
    package = replace(package, secret=replace(package.secret, cases=()))
    result = judge_file(package, Path(__file__).parents[1] / "submissions" / "sleeps_TLE.py", host)
    assert result.cases[0].reason is Reason.WALL_TIME
    assert result.cases[0].cpu_s is not None and result.cases[0].cpu_s < 0.5


def test_cases_after_the_deciding_failure_are_skipped_unless_all_are_asked_for(host: Host) -> None:
    source = Path(__file__).parents[1] / "submissions" / "adds_one_WA.py"
    package = load(DOUBLE)
    # 1 + 1 is 2 and so right on the sample: the first failure is the first secret case
    stopped = [case.verdict for case in judge_file(package, source, host).cases]
    assert stopped == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.SKIPPED, Verdict.SKIPPED]
    complete = [case.verdict for case in judge_file(package, source, host, complete=True).cases]
    assert complete == [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER]


def test_a_megabyte_of_input_that_nobody_reads_hangs_nothing(host: Host, double_with: PackageMaker) -> None:
    root = double_with({"data/secret/01-zero.in": "0" * 1_000_000 + "\n"})
    source = root / "answers.py"
    source.write_text("import sys\nprint({'1': 2}.get(sys.stdin.readline(2).strip(), 0))\n")
    result = judge_file(load(root), source, host)
    assert [case.verdict for case in result.cases[:2]] == [Verdict.ACCEPTED, Verdict.ACCEPTED]


VALIDATOR = "import sys\nopen(sys.argv[3] + 'judgemessage.txt', 'w').write('seen')\n"


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        ("sys.exit(42)", Verdict.ACCEPTED),
        ("sys.exit(43)", Verdict.WRONG_ANSWER),
        ("sys.exit(0)", Verdict.JUDGE_ERROR),
        ("sys.exit(1)", Verdict.JUDGE_ERROR),
        ("raise RuntimeError", Verdict.JUDGE_ERROR),
        ("import os; os.kill(os.getpid(), 9)", Verdict.JUDGE_ERROR),
        ("open(sys.argv[3] + 'score.txt', 'w').write('1'); sys.exit(43)", Verdict.JUDGE_ERROR),
        ("open(sys.argv[3] + 'score.txt', 'w').write('nan'); sys.exit(42)", Verdict.JUDGE_ERROR),
        ("open(sys.argv[3] + 'score.txt', 'w').write('1'); sys.exit(42)", Verdict.JUDGE_ERROR),
    ],
)
def test_output_validator_decides_and_its_own_failure_is_a_judge_error(
    ending: str, verdict: Verdict, host: Host, double_with: PackageMaker
) -> None:
    root = double_with({"output_validator/check.py": VALIDATOR + ending + "\n"})
    result = judge_file(load(root), root / "submissions/accepted/double.py", host)
    assert result.verdict is verdict
    if verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER):
        assert result.cases[0].message == "seen"
    else:
        [broken, *_] = [case for case in result.cases if case.verdict is Verdict.JUDGE_ERROR]
        assert "check.py" in broken.message or "score file" in broken.message


def test_output_validator_is_given_the_case_its_arguments_and_the_output(
    host: Host, double_with: PackageMaker
) -> None:
    check = """
import sys
given, answer = open(sys.argv[1]).read(), open(sys.argv[2]).read()
same = int(sys.stdin.read()) == int(answer) == 2 * int(given) and sys.argv[4:] == ["one", "two"]
sys.exit(42 if same and sys.argv[3].endswith("/") else 43)
"""
    root = double_with(
        {
            "output_validator/check.py": check,
            "data/sample/test_group.yaml": "output_validator_args: [one, two]\n",
            "data/secret/test_group.yaml": "output_validator_args: [one, two]\n",
        }
    )
    assert judge_file(load(root), root / "submissions/accepted/double.py", host).verdict is Verdict.ACCEPTED


@pytest.mark.slow
def test_who_prints_for_ever_is_too_slow_and_is_told_both(host: Host) -> None:
    result = judge_file(load(DOUBLE), Path(__file__).parents[1] / "submissions" / "prints_without_end_TLE.c", host)
    case = result.cases[0]
    assert (case.reason, case.message) == (Reason.CPU_TIME, "it also wrote more than the output limit")
    assert "over 1 s of CPU time; it also wrote more than the output limit" in words.why(case, 1.0, 256)


def test_a_program_too_large_to_be_kept_says_why(host: Host, tmp_path: Path) -> None:
    source = tmp_path / "tables.cpp"
    source.write_text("char table[300 << 20] = {1};\nint main() { return table[0]; }\n")
    result = judge_file(load(DOUBLE), source, host)
    assert result.verdict is Verdict.COMPILE_ERROR
    assert "larger than 256 MiB: an array with initial values stands in it as a whole" in result.message


def test_a_judge_program_without_its_header_says_which_and_whose(double_with: PackageMaker, host: Host) -> None:
    validator = '#include "validation.h"\nint main() {}\n'
    package = load(double_with({"output_validator/check.cpp": validator}))
    with pytest.raises(JudgeError, match=r"validation\.h is not in the package \(it comes with BAPCtools\)"):
        judge_file(package, next(one for one in SUBMISSIONS if one.name == "reads_and_doubles_AC.c"), host)
