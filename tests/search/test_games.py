"""The same board against another king: a game is tried once for each answer that the interactor may be given."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from harness.check.batch_checks import Question
from harness.check.classify import Judgement
from harness.errors import JudgeError
from harness.generate.recipe import PlannedCase, Recipe
from harness.package import Group, ProblemType
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.results.verdict import Verdict
from harness.search.candidates import CandidateOutcome, Source, TriedCandidate
from harness.search.games import Games
from harness.search.sources import cases_of
from harness.search.tried_inputs import TriedInputs
from search import candidate, case, package, target

STYLES = (b"Yes path 1\n", b"Yes trap 1\n", b"Yes trap 2\n", b"No\n")


def test_a_game_is_new_once_for_each_answer_and_other_inputs_once() -> None:
    tried = TriedInputs(distinct=STYLES)
    assert [tried.count_try(b"2 1\n", None, played=True) for _ in range(5)] == [True] * 4 + [False]
    assert [tried.count_try(b"2 1\n", b"No\n", played=True) for _ in range(2)] == [True, False]
    assert [tried.count_try(b"3 1\n", None, played=False) for _ in range(2)] == [True, False]


def test_every_answer_has_its_turn_and_one_of_another_word_comes_next() -> None:
    answers, firsts = TriedInputs(distinct=STYLES), []
    for _ in STYLES:
        assert answers.count_try(b"2 1\n", None, played=True)
        order = answers.in_turn(b"2 1\n")
        firsts.append(order[0])
        assert sorted(order) == sorted(STYLES)
        assert {one.split()[0] for one in order[:2]} == {b"Yes", b"No"}
    assert sorted(firsts) == sorted(STYLES)


def test_the_answer_that_an_input_failed_with_is_tried_first() -> None:
    assert all(TriedInputs(distinct=STYLES).in_turn(b"9 9\n", first)[0] == first for first in STYLES)


def test_the_largest_cases_are_those_with_the_most_bytes_or_the_largest_numbers() -> None:
    boards = ("20 19 First", "2 1 Second", "10 10 Second", "4 2 First", "9 " * 60)
    group = Group(name="secret", cases=tuple(case(text[:5], f"{text}\n".encode()) for text in boards))
    for both_ends, order in ((False, (1, 3, 2, 0, 4)), (True, (1, 4, 3, 0, 2))):
        found = [one.data for one in cases_of(group, with_answers=False, both_ends=both_ends)]
        assert found == [f"{boards[at]}\n".encode() for at in order]


def test_a_case_with_files_of_its_own_is_no_input_of_a_search_which_gives_programs_none() -> None:
    alone = case("alone", b"1\n")
    beside = replace(case("beside", b"2\n"), extra_files={"map": File(origin=Path("map"), content=b"x")})
    group = Group(name="secret", cases=(beside, alone))
    assert [each.data for each in cases_of(group, with_answers=False)] == [b"1\n"]


class King:
    """In the place of the interactor: beaten, but for one style; its board knows nothing of `No`."""

    def __init__(self, strong: bytes) -> None:
        self.strong, self.games = strong, 0

    def game(
        self, _sandbox: object, _program: object, question: Question, _limits: object
    ) -> tuple[Any, Judgement]:
        self.games += 1
        if question.answer.startswith(b"No"):
            raise JudgeError("this board can be won")
        lost = question.answer == self.strong
        ran = SimpleNamespace(result=SimpleNamespace(signal=None, exit_code=0, cpu_s=0.0), output=b"", errors=b"")
        return ran, Judgement(verdict=Verdict.WRONG_ANSWER if lost else Verdict.ACCEPTED)


def played(king: King, first: bytes, games: int) -> CandidateOutcome:
    given = replace(candidate(b"9 9\n", Source.GIVEN), answer=first)
    trial = TriedCandidate(candidate=given, data=given.data or b"")
    anything: Any = king
    limits: Any = None
    reference: Any = SimpleNamespace(program=None)
    submission: Any = SimpleNamespace(executable=SimpleNamespace(as_in_package=lambda text: text))
    answers = TriedInputs(distinct=STYLES)
    table = Games(runner=anything, submission=submission, reference=reference, limits=limits, tried_inputs=answers)
    return table.play(anything, trial, CaseSettings(), limits=limits, games=games).outcome


def test_a_smaller_input_is_played_with_several_answers_before_it_is_no_find() -> None:
    king = King(b"Yes trap 2\n")
    assert played(king, b"Yes path 1\n", 1) is CandidateOutcome.PASSED and king.games == 1
    assert played(king, b"Yes path 1\n", 4) is CandidateOutcome.FAILED
    assert played(king, b"No\n", 1) is not CandidateOutcome.UNANSWERED


def test_answers_for_the_interactor_are_those_of_the_cases_and_of_the_recipe() -> None:
    known = replace(case("sample/1", b"1\n"), answer=File(origin=Path("1.ans"), content=b"a\n"))
    planned = PlannedCase(name="1", texts={".in": b"2\n", ".ans": b"b\n"})
    game = replace(
        package(),
        types=frozenset({ProblemType.INTERACTIVE}),
        sample=Group(name="sample", cases=(known, known)),
    )
    recipe = Recipe(cases=(planned,), group_files={}, generators={})
    assert target(package=game, recipe=recipe).answers() == [b"a\n", b"b\n"]
    assert target().answers() == [b""]
