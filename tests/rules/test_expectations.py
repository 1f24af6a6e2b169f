"""submissions.yaml: globs, default rules, and what counts as met (2025-09, "submissions.yaml")."""

from pathlib import Path

import pytest

from harness.package import Program, Rule
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.formats.submission_rules import LEGACY_RULES, read_rules, rules_in_comments
from harness.package.globs import matches
from harness.package.model import rules_for
from harness.report.words import outcome
from harness.results.model import CaseResult, Demand, GroupResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.expectations import check_rules


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("accepted", "accepted/a.cpp", True),
        ("accepted/*", "accepted/a.cpp", True),
        ("accepted/*.cpp", "accepted/a.py", False),
        ("*", "accepted/a.cpp", True),
        ("*.cpp", "accepted/a.cpp", False),  # from the root, and * stops at /
        ("match_wa.py", "match/match_wa.py", False),
        ("accepted/{a,b}.cpp", "accepted/b.cpp", True),
        ("accepted/{a,b}.cpp", "accepted/c.cpp", False),
        ("{accepted,wrong_{answer,turn}}/x", "wrong_turn/x", True),
        ("accepted/folder", "accepted/folder/main.cpp", True),
        ("accepted/[ab].cpp", "accepted/a.cpp", False),  # no character classes
        ("accepted/[ab].cpp", "accepted/[ab].cpp", True),
        ("secret/group?", "secret/group1", True),
        ("secret/group{1,2}", "secret/group2/03-case", True),
        ("accept", "accepted/a.cpp", False),
    ],
)
def test_glob(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def rules(text: str) -> tuple[Rule, ...]:
    findings = Findings()
    found = read_rules(File(origin=Path("submissions.yaml"), content=text.encode()), {}, findings).rules
    assert not findings.faults
    return found


def case(name: str, verdict: Verdict, message: str = "") -> CaseResult:
    return CaseResult(name=name, group=name.rpartition("/")[0], verdict=verdict, message=message)


def demands(text: str, path: str, *cases: CaseResult, score: float | None = None) -> set[Demand]:
    groups = [GroupResult(name="secret/one", verdict=Verdict.ACCEPTED, score=score)]
    return {item.demand for item in check_rules(rules_for(path, rules(text)), cases, groups, score).unmet}


RIGHT = case("secret/one/1", Verdict.ACCEPTED)
WRONG = case("secret/one/2", Verdict.WRONG_ANSWER, "off by one")
SLOW = case("secret/two/1", Verdict.TIME_LIMIT_EXCEEDED)
GREEDY = case("secret/two/2", Verdict.MEMORY_LIMIT_EXCEEDED)


@pytest.mark.parametrize(
    ("folder", "cases", "unmet"),
    [
        ("accepted", [RIGHT], set()),
        ("accepted", [RIGHT, WRONG], {Demand.PERMITTED}),
        ("wrong_answer", [RIGHT], {Demand.REQUIRED}),
        ("wrong_answer", [RIGHT, WRONG], set()),
        ("wrong_answer", [WRONG, SLOW], {Demand.PERMITTED}),
        ("time_limit_exceeded", [RIGHT, SLOW], set()),
        ("run_time_error", [GREEDY], set()),  # out of memory is a failure while running
        ("brute_force", [RIGHT, GREEDY], set()),
        ("brute_force", [RIGHT, WRONG], {Demand.PERMITTED, Demand.REQUIRED}),
        ("rejected", [RIGHT, SLOW], set()),
        ("rejected", [RIGHT], {Demand.REQUIRED}),
        ("anything_else", [WRONG, SLOW], set()),
    ],
)
def test_default_rules(folder: str, cases: list[CaseResult], unmet: set[Demand]) -> None:
    assert demands("{}", f"{folder}/a.cpp", *cases) == unmet


def test_the_case_that_breaks_a_rule_stands_apart_from_its_verdict() -> None:
    [item] = check_rules(rules_for("accepted/a.cpp", rules("{}")), (RIGHT, WRONG), (), None).unmet
    assert (item.found, item.case, item.found_words) == ("WA", "secret/one/2", "WA on secret/one/2")


def test_a_rule_on_the_whole_of_a_graded_submission_names_no_case() -> None:
    held = rules_for("accepted/a.cpp", rules("{}"))
    [item] = check_rules(held, (WRONG,), (), None, Verdict.WRONG_ANSWER, graded=True).unmet
    assert (item.found, item.case) == ("WA", "")


def test_naming_the_folder_replaces_its_default_and_unnamed_keys_stay() -> None:
    text = "wrong_answer:\n  permitted: [AC, WA, TLE]\n"
    assert demands(text, "wrong_answer/a", WRONG, SLOW) == set()
    assert demands(text, "wrong_answer/a", RIGHT, SLOW) == {Demand.REQUIRED}


def test_a_glob_below_the_folder_adds_to_the_default() -> None:
    text = "wrong_answer/*:\n  permitted: [AC, WA, TLE]\n"
    assert demands(text, "wrong_answer/a", WRONG, SLOW) == {Demand.PERMITTED}


def test_group_rules_speak_of_their_cases_only() -> None:
    text = "a:\n  secret/one:\n    permitted: [AC]\n  secret/two:\n    required: [TLE]\n"
    assert demands(text, "a", RIGHT, SLOW) == set()
    assert demands(text, "a", RIGHT, WRONG, SLOW) == {Demand.PERMITTED}
    assert demands(text, "a", RIGHT, GREEDY) == {Demand.REQUIRED}


def test_skipped_cases_neither_permit_nor_satisfy() -> None:
    skipped = case("secret/one/9", Verdict.SKIPPED)
    assert demands("a:\n  permitted: [AC]\n  required: [AC]\n", "a", skipped) == {Demand.REQUIRED}


def test_compile_and_judge_errors_satisfy_no_rule() -> None:
    broken = case("secret/one/1", Verdict.JUDGE_ERROR)
    assert demands("a:\n  permitted: [AC, WA, TLE, RTE]\n", "a", broken) == {Demand.PERMITTED}


def test_a_score_under_a_name_is_that_groups_and_not_those_of_the_groups_in_it() -> None:
    groups = [
        GroupResult(name="secret", verdict=Verdict.WRONG_ANSWER, score=60),
        GroupResult(name="secret/one", verdict=Verdict.ACCEPTED, score=60),
        GroupResult(name="secret/two", verdict=Verdict.WRONG_ANSWER, score=0),
    ]
    whole = check_rules(rules_for("a", rules("a:\n  secret:\n    score: 60\n")), (RIGHT,), groups, 60)
    each = check_rules(rules_for("a", rules("a:\n  secret/*:\n    score: 60\n")), (RIGHT,), groups, 60)
    assert whole.met
    assert [item.found for item in each.unmet] == ["secret/two 0"]


def test_use_for_time_limit_is_a_demand_too() -> None:
    lower, upper = "a:\n  use_for_time_limit: lower\n", "a:\n  use_for_time_limit: upper\n"
    assert demands(lower, "a", RIGHT, WRONG, GREEDY) == set()
    assert demands(lower, "a", RIGHT, SLOW) == {Demand.PERMITTED}
    assert demands(upper, "a", RIGHT, SLOW) == set()
    assert demands(upper, "a", RIGHT, WRONG) == {Demand.REQUIRED}
    in_one = "a:\n  secret/one:\n    use_for_time_limit: lower\n"
    assert demands(in_one, "a", RIGHT, SLOW) == set()
    assert len(rules("accepted:\n  use_for_time_limit: lower\n")) == len(rules("accepted: {}\n"))


def test_a_glob_with_nothing_under_it_says_nothing() -> None:
    assert rules("accepted/a.cpp:\n") == rules("accepted/a.cpp: {}\n")[:-1]


def test_what_a_legacy_folder_says_of_the_time_limit_stays_when_other_keys_are_replaced() -> None:
    file = File(origin=Path("submissions.yaml"), content=b"wrong_answer:\n  permitted: [AC, WA]\n")
    found = read_rules(file, {}, Findings(), defaults=LEGACY_RULES).rules
    assert [rule.use_for_time_limit for rule in found if rule.pattern == "wrong_answer"] == [False]


def test_what_is_slow_and_accepted_may_be_too_slow_here() -> None:
    allowed = rules_for("slow_accepted/a.py", LEGACY_RULES)
    assert check_rules(allowed, (), (), None, Verdict.TIME_LIMIT_EXCEEDED, graded=True).met
    assert not check_rules(allowed, (), (), None, Verdict.WRONG_ANSWER, graded=True).met


def test_score_and_message() -> None:
    text = "a:\n  score: [10, 20]\n  message: off by\n  secret/one:\n    score: 15\n"
    assert demands(text, "a", WRONG, score=15) == set()
    assert demands(text, "a", WRONG, score=25) == {Demand.SCORE}
    assert demands(text, "a", RIGHT, score=15) == {Demand.MESSAGE}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a:\n  permited: [AC]\n", 2, "unknown key `permited`"),
        ("a:\n  required: [MLE]\n", 2, "must be one of: AC, RTE, TLE, WA"),
        ("a:\n  score: high\n", 2, "`score` must be a number"),
        ("a:\n  permitted: [[AC]]\n", 2, "`permitted` holds ['AC']"),
        ("a:\n  use_for_time_limit: maybe\n", 2, "must be false, lower or upper"),
        ("a:\n  secret/one:\n    permits: [AC]\n", 3, "unknown key `permits`"),
    ],
)
def test_faults_name_line_and_mend(text: str, line: int, message: str) -> None:
    findings = Findings()
    read_rules(File(origin=Path("submissions.yaml"), content=text.encode()), {}, findings)
    faults = findings.faults
    assert [(fault.line, message in fault.message) for fault in faults] == [(line, True)]


def test_a_submission_of_which_no_rule_speaks_is_not_called_as_expected() -> None:
    held = check_rules((), (), (), None, Verdict.WRONG_ANSWER)
    assert (held.nothing, held.met) == (True, True)
    result = SubmissionResult(path="stray/a.py", language=None, verdict=Verdict.WRONG_ANSWER, expected=held)
    assert outcome(result) == "nothing is expected of it"


@pytest.mark.parametrize("scoring", [True, False])
def test_a_score_in_a_comment_is_demanded_where_there_are_scores(scoring: bool) -> None:
    source = File(origin=Path("a.py"), content=b"# @EXPECTED_SCORE@: 50\n")
    one = Program(path="accepted/a.py", files={"a.py": source})
    found = rules_in_comments([one], Findings(), scoring=scoring)
    assert [rule.score for rule in found] == ([(50.0, 50.0)] if scoring else [])
