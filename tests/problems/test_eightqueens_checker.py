"""The judge programs of `eightqueens`, as the files that are shipped: they accept what is right and nothing else."""

import itertools
import random

import pytest

from problems.conftest import ACCEPT, JUDGE_ERROR, REJECT, ROOT, load_program

PACKAGE = ROOT / "problems" / "eightqueens"
NO = b"No Answer\n"
SQUARES = list(itertools.product(range(8), range(8)))
LINES = [lambda r, c: r, lambda r, c: c, lambda r, c: r + c, lambda r, c: r - c]


def peaceful(queens):
    """Whether no two of the squares share a line."""
    return all(len({line(*queen) for queen in queens}) == len(queens) for line in LINES)


BOARDS = [
    board
    for board in (tuple(enumerate(columns)) for columns in itertools.permutations(range(8)))
    if peaceful(board)
]
INPUTS = list(itertools.combinations(SQUARES, 3))
COMPLETIONS = {}
for one in BOARDS:
    for triple in itertools.combinations(one, 3):
        COMPLETIONS.setdefault(triple, []).append(one)


def text_of(queens):
    """A board as bytes."""
    return b"".join(bytes(b".Q"[(row, column) in queens] for column in range(8)) + b"\n" for row in range(8))


TEXT = {board: text_of(set(board)) for board in BOARDS}


@pytest.fixture(scope="module")
def verdict(shipped):
    """verdict(input, answer, output): the exit code, in this process."""
    module = load_program(shipped("output_validator"))

    def get(case, answer, output):
        try:
            module.check(module.JudgeAnswer(case), module.JudgeAnswer(answer), module.TeamOutput(output))
        except module.Rejected:
            return REJECT
        except module.JudgeError:
            return JUDGE_ERROR
        return ACCEPT

    return get


def answer_of(given):
    """The jury's answer."""
    return TEXT[COMPLETIONS[given][0]] if given in COMPLETIONS else NO


def check_all_boards(given, boards, verdict):
    """Of these boards, exactly the completions are accepted, and `No Answer` exactly where there is none."""
    case, answer, completions = text_of(given), answer_of(given), COMPLETIONS.get(given, [])
    assert verdict(case, answer, NO) == (REJECT if completions else ACCEPT)
    assert verdict(case, answer, case) == REJECT
    for board in boards:
        assert verdict(case, answer, TEXT[board]) == (ACCEPT if board in completions else REJECT)


def test_classes_have_the_sizes_that_the_editorial_names():
    attacked = sum(not peaceful(given) for given in INPUTS)
    counts = [len(found) for found in COMPLETIONS.values()]
    assert (len(INPUTS), attacked, len(INPUTS) - attacked - len(counts)) == (41_664, 31_344, 6_288)
    assert [counts.count(number) for number in (1, 2, 3, 4)] == [3_064, 832, 120, 16]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)], ids=["every fifth", "every one"])
def test_input_accepts_each_completion_and_no_answer_exactly_where_there_is_none(step, verdict):
    for at, given in enumerate(INPUTS[::step]):
        check_all_boards(given, {*COMPLETIONS.get(given, ()), BOARDS[at % 92]}, verdict)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_input_accepts_its_completions_only_among_all_boards(verdict):
    for given in INPUTS:
        check_all_boards(given, BOARDS, verdict)


def test_inputs_of_every_class_accept_their_completions_only_among_all_boards(verdict):
    rng = random.Random(8)
    for size in range(5):
        of_class = [given for given in INPUTS if len(COMPLETIONS.get(given, ())) == size]
        for given in rng.sample(of_class, min(len(of_class), 60)):
            check_all_boards(given, BOARDS, verdict)


@pytest.mark.slow
def test_of_all_ways_to_place_eight_rooks_exactly_92_are_accepted(verdict):
    """Given three of the eight themselves, so that nothing but an attack can be wrong."""
    accepted = 0
    for columns in itertools.permutations(range(8)):
        board = tuple(enumerate(columns))
        given = next((three for three in itertools.combinations(board, 3) if three in COMPLETIONS), None)
        if given is not None:
            accepted += verdict(text_of(given), answer_of(given), text_of(board)) == ACCEPT
    assert accepted == 92


def test_no_board_one_square_away_from_a_completion_is_accepted(verdict):
    """A queen lost, a queen too many, a queen moved to any other square."""
    for board in BOARDS[::4]:
        given = board[1:7:2]
        case, answer, queens = text_of(given), answer_of(given), set(board)
        changed = [queens ^ {square} for square in SQUARES]
        changed += [queens ^ {old, new} for old in board for new in SQUARES if new not in queens]
        for other in changed:
            allowed = tuple(sorted(other)) in COMPLETIONS[given]
            assert verdict(case, answer, text_of(other)) == (ACCEPT if allowed else REJECT)


def test_any_byte_changed_or_lost_is_noticed(verdict):
    given = BOARDS[5][:3]
    case, answer, output = text_of(given), answer_of(given), TEXT[BOARDS[5]]
    for at in range(len(output)):
        for new in (b"", b"q", b"\0", b"\xff", b"Q" if output[at : at + 1] == b"." else b".", b"x\n"):
            changed = output[:at] + new + output[at + 1 :]
            assert verdict(case, answer, changed) == (ACCEPT if changed.split() == output.split() else REJECT)


WORDS = [
    b"No answer",
    b"no answer",
    b"NO ANSWER",
    b"NoAnswer",
    b"No",
    b"Answer",
    b"No Answer.",
    b"No Answer No Answer",
]
WORDS += [
    b"",
    b"No  Answer\0",
    b"\xef\xbb\xbfNo Answer",
    b"No\xc2\xa0Answer",
    b"'No Answer'",
    b"Yes",
    b"-1",
    b"Impossible",
]


@pytest.mark.parametrize("output", WORDS)
def test_anything_but_the_two_words_is_rejected(output, verdict):
    given = next(given for given in INPUTS if given not in COMPLETIONS)
    assert verdict(text_of(given), NO, output) == REJECT


@pytest.mark.parametrize("output", [b"No Answer", b"No Answer\r\n", b"\n No\t\nAnswer \n\n"])
def test_white_space_around_the_two_words_is_free(output, verdict):
    given = next(given for given in INPUTS if given not in COMPLETIONS)
    assert verdict(text_of(given), NO, output) == ACCEPT


def test_wrong_answer_of_the_jury_is_a_judge_error_not_a_verdict(process):
    given, hopeless = BOARDS[0][:3], next(given for given in INPUTS if given not in COMPLETIONS)
    better = process(text_of(given), NO, TEXT[BOARDS[0]])
    assert better == (JUDGE_ERROR, {"judgemessage.txt": "the team has a completion where the jury has none\n"})
    assert process(text_of(hopeless), TEXT[BOARDS[0]], NO)[0] == JUDGE_ERROR
    assert process(text_of(given), b"no\n", TEXT[BOARDS[0]])[0] == JUDGE_ERROR
    assert process(b"", NO, NO)[0] == JUDGE_ERROR


def test_process_gives_the_same_verdicts_on_a_sample(process, verdict):
    rng = random.Random(3)
    solvable = sorted(COMPLETIONS)
    for number in range(60):
        given = rng.choice(solvable if number % 2 else INPUTS)
        case, answer = text_of(given), answer_of(given)
        output = rng.choice([NO, TEXT[rng.choice(BOARDS)], *(TEXT[one] for one in COMPLETIONS.get(given, ()))])
        code, files = process(case, answer, output)
        assert code == verdict(case, answer, output)
        assert files.keys() == (set() if code == ACCEPT else {"judgemessage.txt"})


@pytest.mark.parametrize(("kind", "code"), [("valid_output", ACCEPT), ("invalid_output", REJECT)])
def test_outputs_of_the_package_get_what_their_folder_says(kind, code, process):
    cases = sorted((PACKAGE / "data" / kind).glob("*.in"))
    assert len(cases) > 10
    for case in cases:
        output = case.with_suffix(".out").read_bytes()
        found, _ = process(case.read_bytes(), case.with_suffix(".ans").read_bytes(), output)
        assert found == code, case.stem


HOSTILE = [b"Q" * 5_000_000, b"\x1b[2J\xff" * 100, b"No " * 100_000, b". " * 1_000_000, bytes(range(256)) * 50]


@pytest.mark.parametrize("output", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_output_is_rejected_with_a_short_printable_message(output, process):
    given = BOARDS[0][:3]
    code, files = process(text_of(given), answer_of(given), output)
    assert code == REJECT
    message = files["judgemessage.txt"].rstrip("\n")
    assert len(message) < 300 and message.isprintable()


def test_any_byte_changed_lost_or_doubled_in_an_input_is_noticed(shipped):
    """In process, by the program that is shipped."""
    module = load_program(shipped("input_validator"))

    def valid(text):
        try:
            module.check(module.Reader(text))
        except module.Invalid:
            return False
        return True

    text = text_of(BOARDS[0][:3])
    assert valid(text)
    for at in range(len(text)):
        others = [text[:at] + new + text[at + 1 :] for new in (b"?", b"", 2 * text[at : at + 1], b" ", b"q")]
        other_square = b"Q" if text[at : at + 1] == b"." else b"."
        assert not any(valid(other) for other in [*others, text[:at] + other_square + text[at + 1 :]])
