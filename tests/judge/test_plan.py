"""Which cases count does not depend on the order in which workers finish."""

from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import DOUBLE, calls_in
from harness.judge.plan import CasePlan, OwnLimit, Schedule, borderline
from harness.package import Aggregation, Case, Group, Package, ProblemType, Rule
from harness.package.files import File
from harness.package.load import load
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.rules.expectations import check_rules
from harness.rules.score import first_failure, group_results

PACKAGE = load(DOUBLE)
VERDICTS = st.sampled_from([Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED])
RULES = st.lists(
    st.builds(
        Rule,
        pattern=st.just("a"),
        required=st.none() | st.frozensets(st.sampled_from(["AC", "WA", "TLE"]), min_size=1),
        cases=st.none() | st.sampled_from(["secret/g1", "secret/g2"]),
        message=st.none() | st.just("on secret/g2/1"),
    ),
    max_size=2,
)


def case(name: str) -> Case:
    return Case(name=name, input=File(origin=DOUBLE), answer=None)


def package(*, scoring: bool, aggregation: Aggregation, requires: tuple[str, ...]) -> Package:
    groups = tuple(
        Group(
            name=f"secret/g{number}",
            cases=tuple(case(f"secret/g{number}/{item}") for item in range(3)),
            aggregation=aggregation if scoring else Aggregation.PASS_FAIL,
            max_score=50.0 if scoring else None,
            require_pass=requires if number == 2 else (),
        )
        for number in (1, 2)
    )
    secret = Group(name="secret", groups=groups, aggregation=Aggregation.SUM if scoring else Aggregation.PASS_FAIL)
    types = frozenset({ProblemType.SCORING if scoring else ProblemType.PASS_FAIL})
    sample = Group(name="sample", cases=(case("sample/1"),))
    return replace(
        PACKAGE, types=types, sample=sample, secret=replace(secret, max_score=100.0 if scoring else None)
    )


def package_of_seven() -> Package:
    return package(scoring=False, aggregation=Aggregation.PASS_FAIL, requires=())


@given(
    scoring=st.booleans(),
    aggregation=st.sampled_from(Aggregation),
    requires=st.sampled_from([(), ("g1",), ("sample",)]),
    rules=RULES,
    complete=st.booleans(),
    verdicts=st.lists(VERDICTS, min_size=7, max_size=7),
    order=st.permutations(range(7)),
)
def test_outcome_is_that_of_judging_one_by_one(
    scoring: bool,
    aggregation: Aggregation,
    requires: tuple[str, ...],
    rules: list[Rule],
    complete: bool,
    verdicts: list[Verdict],
    order: list[int],
) -> None:
    plan = CasePlan(
        package=package(scoring=scoring, aggregation=aggregation, requires=requires),
        rules=rules,
        complete=complete,
    )
    cases = list(plan.ordered())
    truth = {
        item.name: CaseResult(name=item.name, group=group.name, verdict=verdict, message=f"on {item.name}")
        for (group, item), verdict in zip(cases, verdicts, strict=True)
    }

    def judged_in(sequence: list[int]) -> list[CaseResult]:
        """Rounds as the pool makes them: whatever is missing is run unless it is known not to be wanted."""
        results: dict[str, CaseResult] = {}
        while missing := plan.final(results)[1]:
            ran = 0
            for group, item in sorted(missing, key=lambda one: sequence.index(cases.index(one))):
                if plan.wanted(group, item, dict(results)):
                    results[item.name] = truth[item.name]
                    ran += 1
            assert ran, "a round must make progress"
        return plan.final(results)[0]

    assert judged_in(order) == judged_in(list(range(7)))


@pytest.mark.parametrize("complete", [False, True])
def test_a_case_that_no_failure_can_skip_is_wanted_without_a_walk_over_those_before_it(*, complete: bool) -> None:
    def calls(count: int) -> int:
        cases = tuple(case(f"secret/{number:04}") for number in range(count))
        secret = replace(PACKAGE.secret, cases=cases, groups=(), aggregation=Aggregation.SUM)
        types = frozenset({ProblemType.SCORING})
        plan = CasePlan(package=replace(PACKAGE, types=types, secret=secret), complete=complete)
        results = {
            item.name: CaseResult(name=item.name, group=group.name, verdict=Verdict.WRONG_ANSWER)
            for group, item in plan.ordered()
        }
        return calls_in(lambda: [plan.wanted(group, item, results) for group, item in plan.ordered()])

    assert calls(200) < 3 * calls(100)


@given(
    seconds=st.lists(st.floats(0, 3), min_size=7, max_size=7),
    verdicts=st.lists(VERDICTS, min_size=7, max_size=7),
    extra_cases=st.frozensets(st.sampled_from([item.name for item in package_of_seven().judged_cases()])),
    required=st.booleans(),
)
def test_past_the_own_limit_only_extra_cases_count_and_its_verdict_is_the_same(
    seconds: list[float], verdicts: list[Verdict], extra_cases: frozenset[str], required: bool
) -> None:
    rules = [Rule(pattern="a", required=frozenset({"TLE"}))] if required else []
    own_limit = OwnLimit(seconds=1.0, extra_cases=extra_cases)
    wide = CasePlan(package=package_of_seven(), rules=rules, own_limit=own_limit)
    truth = {
        item.name: CaseResult(name=item.name, group=group.name, verdict=verdict, cpu_s=cpu_s)
        for (group, item), verdict, cpu_s in zip(wide.ordered(), verdicts, seconds, strict=True)
    }
    kept, missing = wide.final(truth)
    assert not missing
    under_own = {name: own_limit.result_under(result) for name, result in truth.items()}
    decided, _ = CasePlan(package=package_of_seven(), rules=rules).final(under_own)
    counted = {result.name for result in decided if result.judged}
    alone, _ = CasePlan(package=package_of_seven(), rules=rules).final(truth)
    judged = {result.name for result in kept if result.judged}
    assert counted <= judged  # so its verdict under the own limit is known
    assert judged <= counted | extra_cases
    assert judged >= {result.name for result in alone if result.judged and result.name in extra_cases}


def test_a_case_counts_after_the_first_failure_if_it_could_give_the_message_that_a_rule_wants() -> None:
    """Wrong answers before it have other messages."""
    rules = [Rule(pattern="a", message="not connected")]
    plan = CasePlan(package=package_of_seven(), rules=rules)
    messages = ["", "wrong count", "", "", "not connected", "", ""]
    results = {
        item.name: CaseResult(
            name=item.name,
            group=group.name,
            verdict=Verdict.WRONG_ANSWER if said else Verdict.ACCEPTED,
            message=said,
        )
        for (group, item), said in zip(plan.ordered(), messages, strict=True)
    }
    kept, _ = plan.final(results)
    assert [result.judged for result in kept] == [True] * 5 + [False] * 2
    assert not check_rules(rules, kept, (), None, Verdict.WRONG_ANSWER).unmet


def test_the_work_of_a_plan_grows_as_the_number_of_cases() -> None:
    def calls(count: int) -> int:
        cases = tuple(case(f"secret/{number:05}") for number in range(count))
        secret = Group(name="secret", cases=cases, aggregation=Aggregation.SUM, max_score=100.0)
        scored = replace(
            PACKAGE, types=frozenset({ProblemType.SCORING}), sample=Group(name="sample"), secret=secret
        )
        results = {
            item.name: CaseResult(name=item.name, group="secret", verdict=Verdict.WRONG_ANSWER) for item in cases
        }
        plan = CasePlan(package=scored, rules=[Rule(pattern="a", required=frozenset({"TLE"}))])
        return calls_in(lambda: plan.final(results))

    assert calls(400) < 3 * calls(200)


@given(st.lists(VERDICTS, min_size=7, max_size=7))
def test_scoring_gives_a_pass_fail_group_all_or_nothing(verdicts: list[Verdict]) -> None:
    made = package(scoring=True, aggregation=Aggregation.PASS_FAIL, requires=())
    results = {
        item.name: CaseResult(name=item.name, group="", verdict=verdict)
        for item, verdict in zip(made.judged_cases(), verdicts, strict=True)
    }
    secret, *groups = group_results(made.secret, results)
    for number, group in enumerate(groups):
        all_right = all(verdict is Verdict.ACCEPTED for verdict in verdicts[1 + 3 * number : 4 + 3 * number])
        assert group.score == (50 if all_right else 0)
    assert secret.score == sum(group.score or 0 for group in groups)


def test_a_judge_error_outweighs_every_other_verdict() -> None:
    verdicts = [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR, Verdict.SKIPPED]
    results = [CaseResult(name=str(place), group="", verdict=verdict) for place, verdict in enumerate(verdicts)]
    assert first_failure(results) is Verdict.JUDGE_ERROR
    assert first_failure(results[:2]) is Verdict.WRONG_ANSWER
    assert first_failure([results[3], results[0]]) is Verdict.ACCEPTED
    assert first_failure([results[3]]) is Verdict.SKIPPED


def result(verdict: Verdict, cpu_s: float, reason: Reason | None = None) -> CaseResult:
    return CaseResult(name="x", group="secret", verdict=verdict, cpu_s=cpu_s, reason=reason)


def test_only_what_a_second_run_could_change_is_run_again() -> None:
    assert borderline(result(Verdict.ACCEPTED, 1.9), 2.0, 0.15)
    assert borderline(result(Verdict.TIME_LIMIT_EXCEEDED, 2.1, Reason.CPU_TIME), 2.0, 0.15)
    assert borderline(result(Verdict.TIME_LIMIT_EXCEEDED, 1.0, Reason.WALL_TIME), 2.0, 0.15)
    assert not borderline(result(Verdict.ACCEPTED, 1.0), 2.0, 0.15)
    assert not borderline(result(Verdict.TIME_LIMIT_EXCEEDED, 2.4, Reason.CPU_TIME), 2.0, 0.15)
    assert not borderline(result(Verdict.TIME_LIMIT_EXCEEDED, 0.01, Reason.WALL_TIME), 2.0, 0.15)
    assert not borderline(result(Verdict.WRONG_ANSWER, 1.99), 2.0, 0.15)


def test_what_was_too_slow_while_others_took_the_cores_is_run_again() -> None:
    late = result(Verdict.TIME_LIMIT_EXCEEDED, 2.4, Reason.CPU_TIME)
    assert borderline(replace(late, starved_s=30.0), 2.0, 0.15)
    assert not borderline(replace(late, starved_s=0.5), 2.0, 0.15)
    assert not borderline(replace(result(Verdict.ACCEPTED, 1.0), starved_s=30.0), 2.0, 0.15)


def order_of(submissions: str, slow: str, workers: int) -> str:
    """The order in which tasks start if all take equally long. submissions: a letter a task."""
    schedule = Schedule([(name, name in slow) for name in submissions])
    order, running = "", deque[int]()
    for _ in submissions:
        if len(running) == workers:
            schedule.finish(running.popleft())
        running.append(schedule.take())
        order += submissions[running[-1]]
    return order


def test_a_submission_that_must_be_too_slow_runs_beside_others_not_beside_itself() -> None:
    assert order_of("aabbbccdd", slow="", workers=2) == "aabbbccdd"
    assert order_of("aabbbccdd", slow="bc", workers=2) == "aabcbcbdd"
    assert order_of("bbbbd", slow="b", workers=2) == "bdbbb"


@given(st.text("abcd"), st.sets(st.sampled_from("abcd")), st.integers(1, 4))
def test_each_task_is_handed_out_once_and_those_of_a_submission_in_order(
    submissions: str, slow: set[str], workers: int
) -> None:
    schedule = Schedule([(name, name in slow) for name in submissions])
    taken = [schedule.take() for _ in submissions]
    assert sorted(taken) == list(range(len(submissions)))
    for name in "abcd":
        of_name = [index for index in taken if submissions[index] == name]
        assert of_name == sorted(of_name)
    assert len(order_of(submissions, "".join(slow), workers)) == len(submissions)
