"""The time limit that a package's submissions give: pure rules on made-up times, and one package without a limit."""

import math
from dataclasses import replace

import pytest

from conftest import PackageMaker
from harness.errors import JudgeError
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import infer_time_limit
from harness.package import Rule
from harness.package.load import load
from harness.package.model import ProblemLimits
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Reason, Verdict
from harness.rules.time_limit import least_multiple_s, sleeps_beyond, time_limits

AC, TLE = frozenset({"AC"}), frozenset({"TLE"})
ACCEPTED = Rule(pattern="accepted", permitted=AC)
SLOW = Rule(pattern="time_limit_exceeded", permitted=AC | TLE, required=TLE)
LIMITS = ProblemLimits()


def result(path: str, **times: float) -> SubmissionResult:
    cases = tuple(
        CaseResult(name=f"secret/{name}", group="secret", verdict=Verdict.ACCEPTED, cpu_s=cpu_s)
        for name, cpu_s in times.items()
    )
    return SubmissionResult(path=path, language=None, verdict=Verdict.ACCEPTED, cases=cases)


@pytest.mark.parametrize(
    ("slowest_s", "limits", "default_s"),
    [
        (0.01, LIMITS, 1),
        (0.5, LIMITS, 1),
        (0.51, LIMITS, 2),
        (0.51, ProblemLimits(time_resolution_s=0.1), 1.1),
        (0.3, ProblemLimits(ac_to_time_limit=5.0), 2),  # legacy: time_multiplier 5, at least 1, rounded up
        (0.2, ProblemLimits(ac_to_time_limit=5.0), 1),
    ],
)
def test_default_is_the_smallest_multiple_that_the_slowest_allows(
    slowest_s: float, limits: ProblemLimits, default_s: float
) -> None:
    found = time_limits([(result("a", x=slowest_s, y=slowest_s / 2), [ACCEPTED])], limits)
    assert found.default_s == default_s
    assert found.lowest is not None and found.lowest.case == "secret/x" and not found.faults


def test_no_limit_fits_between_a_slow_right_one_and_a_fast_slow_one() -> None:
    judged = [(result("good", x=1.0), [ACCEPTED]), (result("bad", x=2.9), [SLOW])]
    found = time_limits(judged, LIMITS)
    assert found.default_s is None and "no time limit fits: good" in found.faults[0] and "bad" in found.faults[0]
    between = [(result("good", x=0.6), [ACCEPTED]), (result("bad", x=2.9), [SLOW])]
    [fault] = time_limits(between, LIMITS).faults
    assert "no multiple of 1 s fits: good" in fault
    assert fault.endswith("for at most 1.93 s: write `time_resolution: 0.5` and `time_limit: 1.5` below `limits`")
    [narrow] = time_limits([(result("good", x=0.2), [ACCEPTED]), (result("bad", x=0.7), [SLOW])], LIMITS).faults
    assert narrow.endswith("for at most 0.47 s: write `time_resolution: 0.2` and `time_limit: 0.4` below `limits`")


def test_the_range_is_closed_at_both_ends() -> None:
    found = time_limits([(result("good", x=1.0), [ACCEPTED]), (result("bad", x=3.0), [SLOW])], LIMITS)
    assert found.default_s == 2 and found.allows(2.0) and not found.allows(2.01) and not found.allows(1.99)


def test_a_rule_bounds_over_its_own_cases_only() -> None:
    small = Rule(pattern="x", cases="secret/small", permitted=AC)
    large = Rule(pattern="x", cases="secret/large", required=TLE)
    found = time_limits([(result("x", small=0.4, large=9.0), [small, large])], LIMITS)
    assert [(bound.case, bound.limit_s) for bound in found.lower] == [("secret/small", 0.8)]
    assert [(bound.case, bound.limit_s) for bound in found.upper] == [("secret/large", 6.0)]


@pytest.mark.parametrize(
    ("rule", "lower", "upper"),
    [
        (ACCEPTED, 1, 0),
        (SLOW, 0, 1),
        (Rule(pattern="wrong_answer", permitted=frozenset({"AC", "WA"})), 1, 0),
        (Rule(pattern="rejected", required=frozenset({"RTE", "TLE", "WA"})), 0, 0),
        (Rule(pattern="x", permitted=AC, use_for_time_limit=False), 0, 0),
        (Rule(pattern="x", required=TLE, use_for_time_limit=False), 0, 0),
        (Rule(pattern="x", use_for_time_limit="lower"), 1, 0),
        (Rule(pattern="x", use_for_time_limit="upper"), 0, 1),
        (Rule(pattern="x"), 0, 0),
    ],
)
def test_who_bounds(rule: Rule, lower: int, upper: int) -> None:
    found = time_limits([(result("a", x=1.0), [rule])], LIMITS)
    assert (len(found.lower), len(found.upper)) == (lower, upper)
    assert bool(lower) != any("from below" in fault for fault in found.faults)


@pytest.mark.parametrize(
    ("given_s", "words"),
    [
        (2.0, None),
        (2.5, "no multiple"),
        (1.0, "is under"),
        (9.0, "is over"),
        (2000.0, "counts seconds, not milliseconds: did you mean 2?"),
    ],
)
def test_a_given_limit_is_held_against_the_range(given_s: float, words: str | None) -> None:
    judged = [(result("good", x=0.9), [ACCEPTED]), (result("bad", x=6.0), [SLOW])]
    faults = time_limits(judged, LIMITS, stated_s=given_s).faults
    assert (words is None and not faults) or (words is not None and words in faults[0])


@pytest.mark.parametrize(
    ("given_s", "words"),
    [(15.0, ()), (31.0, ("time_limit 31 is 310 times the 0.100 s that good takes on secret/x: lower it",))],
)
def test_a_limit_far_beyond_the_slowest_accepted_time_is_named(given_s: float, words: tuple[str, ...]) -> None:
    assert time_limits([(result("good", x=0.1), [ACCEPTED])], LIMITS, stated_s=given_s).faults == words


def test_a_program_that_was_stopped_does_not_prove_that_no_limit_fits() -> None:
    stopped = CaseResult(name="secret/x", group="secret", verdict=Verdict.TIME_LIMIT_EXCEEDED, cpu_s=4.6)
    slow = SubmissionResult(path="slow", language=None, verdict=Verdict.TIME_LIMIT_EXCEEDED, cases=(stopped,))
    judged = [(result("good", x=1.9), [ACCEPTED]), (slow, [SLOW])]
    [fault] = time_limits(judged, LIMITS, cap_s=4.5).faults
    assert "slow enough is not known: it was stopped at 4.60 s" in fault
    [fault] = time_limits(judged, LIMITS, cap_s=5.0).faults
    assert "no time limit fits" in fault


def test_a_sleeper_is_over_every_limit() -> None:
    sleeper = CaseResult(
        name="secret/x", group="secret", verdict=Verdict.TIME_LIMIT_EXCEEDED, cpu_s=0.01, reason=Reason.WALL_TIME
    )
    right = CaseResult(name="secret/w", group="secret", verdict=Verdict.ACCEPTED, cpu_s=0.02)
    slept = SubmissionResult(path="s", language=None, verdict=Verdict.TIME_LIMIT_EXCEEDED, cases=(right, sleeper))
    [bound] = time_limits([(slept, [SLOW])], LIMITS).upper
    assert bound.open_end and math.isinf(bound.limit_s)
    [fault] = time_limits([(replace(slept, cases=(sleeper,)), [ACCEPTED])], LIMITS).faults
    assert least_multiple_s(math.inf, LIMITS) == math.inf  # verify asks for it where no limit is stated
    assert fault == "s waits or sleeps on secret/x (0.01 s of CPU time): its time is not known"


def test_one_that_slept_to_its_end_under_a_wide_limit_is_a_sleeper_too() -> None:
    slept = CaseResult(name="secret/x", group="secret", verdict=Verdict.WRONG_ANSWER, cpu_s=0.01, wall_s=10.0)
    sleeper = SubmissionResult(path="s", language=None, verdict=Verdict.WRONG_ANSWER, cases=(slept,))
    assert sleeps_beyond(slept, 1.0) and not sleeps_beyond(slept, 6.0)
    [bound] = time_limits([(sleeper, [SLOW])], LIMITS).upper
    assert math.isinf(bound.limit_s)


def test_one_that_a_busy_machine_starved_is_no_sleeper() -> None:
    starved = CaseResult(
        name="secret/x",
        group="secret",
        verdict=Verdict.ACCEPTED,
        cpu_s=0.31,
        wall_s=9.0,
        asleep_s=0.2,
        starved_s=8.4,
    )
    assert not sleeps_beyond(starved, 0.0)
    found = time_limits(
        [(SubmissionResult(path="good", language=None, verdict=Verdict.ACCEPTED, cases=(starved,)), [ACCEPTED])],
        LIMITS,
    )
    assert found.default_s is not None and not found.faults
    assert sleeps_beyond(replace(starved, asleep_s=8.6, starved_s=0.0), 0.0)


def test_a_package_without_a_limit_gets_one_from_its_accepted_submissions(
    host: Host, double_with: PackageMaker
) -> None:
    root = double_with()
    manifest = (root / "problem.yaml").read_text()
    (root / "problem.yaml").write_text(manifest.replace("  time_limit: 1.0\n", ""))
    package = load(root)
    assert package.limits.time_limit_s is None
    inferred = infer_time_limit(package, host, observer=Observer())
    assert inferred.package.limits.time_limit_s is not None and not inferred.limits.faults
    assert inferred.limits.lowest is not None and inferred.limits.lowest.path == "accepted/double.py"


def test_where_the_validator_fails_the_message_names_the_submission_and_the_case(
    host: Host, double_with: PackageMaker
) -> None:
    root = double_with({"output_validator/check.py": "raise RuntimeError\n"})
    manifest = (root / "problem.yaml").read_text()
    (root / "problem.yaml").write_text(manifest.replace("  time_limit: 1.0\n", ""))
    with pytest.raises(
        JudgeError, match=r"no time limit could be found: accepted/double\.py on sample/1: .*check\.py"
    ):
        infer_time_limit(load(root), host, observer=Observer())
