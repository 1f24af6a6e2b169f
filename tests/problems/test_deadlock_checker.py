"""The judge programs of `deadlock`, as the files that are shipped: one false `dead` rejects, the rest is counted."""

import itertools

import pytest

from problems.conftest import ACCEPT, JUDGE_ERROR, REJECT, ROOT

PACKAGE = ROOT / "problems" / "deadlock"
TRUTH = ["dead", "unknown", "dead", "unknown", "unknown"]


def lines(words):
    """The words as an output."""
    return "".join(f"{word}\n" for word in words).encode()


def test_every_output_of_the_two_words_is_judged_right(process):
    """All 32 claims about five positions: a single false one rejects, else the share of the two dead ones counts."""
    for claims in itertools.product(["dead", "unknown"], repeat=5):
        code, files = process(b"5\n", lines(TRUTH), lines(claims))
        false = [
            number for number, pair in enumerate(zip(TRUTH, claims, strict=True), 1) if pair == ("unknown", "dead")
        ]
        if false:
            message = f"position {false[0]} can be solved, and is called dead\n"
            assert (code, files) == (REJECT, {"judgemessage.txt": message})
        else:
            share = claims.count("dead") / 2
            assert (code, files) == (ACCEPT, {"score_multiplier.txt": f"{share:.12f}\n"})


def test_share_of_thirds_is_written_precisely(process):
    truth = ["dead", "dead", "dead", "unknown"]
    code, files = process(b"4\n", lines(truth), lines(["dead", "unknown", "unknown", "unknown"]))
    assert code == ACCEPT
    assert float(files["score_multiplier.txt"]) == pytest.approx(1 / 3, abs=1e-12)


@pytest.mark.parametrize(
    ("truth", "said", "expected"),
    [
        ("dead", "dead", (ACCEPT, 1.0)),
        ("dead", "unknown", (ACCEPT, 0.0)),
        ("unknown", "unknown", (ACCEPT, 1.0)),
        ("unknown", "dead", (REJECT, None)),
    ],
)
def test_one_position_alone_is_judged(truth, said, expected, process):
    code, files = process(b"1\n", lines([truth]), lines([said]))
    score = float(files["score_multiplier.txt"]) if code == ACCEPT else None
    assert (code, score) == expected


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (b"5\n", lines(TRUTH[:4])),
        (b"5\n", lines([*TRUTH, "dead"])),
        (b"2\n", lines(["dead", "solvable"])),
        (b"x\n", lines(TRUTH)),
        (b"", b""),
        (b"21\n", lines(["dead", "unknown"] + 19 * ["dead"])),
    ],
    ids=["too_few", "too_many", "other_word", "no_count", "empty", "beyond_bound"],
)
def test_broken_jury_data_is_a_judge_error_not_a_verdict(case, answer, process):
    code, files = process(case, answer, lines(TRUTH))
    assert code == JUDGE_ERROR
    assert files.keys() == {"judgemessage.txt"}


@pytest.mark.parametrize(("kind", "code"), [("valid_output", ACCEPT), ("invalid_output", REJECT)])
def test_outputs_of_the_package_get_what_their_folder_says(kind, code, process):
    cases = sorted((PACKAGE / "data" / kind).glob("*.in"))
    assert len(cases) > 5
    for case in cases:
        output = case.with_suffix(".out").read_bytes()
        found, files = process(case.read_bytes(), case.with_suffix(".ans").read_bytes(), output)
        assert found == code, case.stem
        assert files.keys() == {"score_multiplier.txt" if code == ACCEPT else "judgemessage.txt"}


HOSTILE = [
    b"dead" * 2_000_000,
    b"\x1b[2J\xff" * 100,
    b"unknown " * 100_000,
    b"\xc2\xa0dead",
    bytes(range(256)) * 50,
]


@pytest.mark.parametrize("output", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_output_is_rejected_with_a_short_printable_message(output, process):
    code, files = process(b"5\n", lines(TRUTH), output)
    assert code == REJECT
    message = files["judgemessage.txt"].rstrip("\n")
    assert len(message) < 300 and message.isprintable()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("keeper_twice", "expected exactly one keeper on the board above, found 2"),
        ("boxes_beyond_bound", "expected 1 to 4 boxes on the board above, found 5"),
        ("more_goals_than_boxes", "expected as many goals as boxes on the board above, found 2 and 1"),
        ("goal_under_keeper_counts", "expected as many goals as boxes on the board above, found 2 and 1"),
        ("floor_beyond_bound", "expected at most 40 cells that are not wall, found 41"),
        ("open_at_the_left", "expected wall at both ends of row 3, found another cell"),
        ("rows_beyond_bound", "expected R, an integer from 3 to 12, found '13 12\\n'"),
        ("columns_beyond_bound", "expected C, an integer from 3 to 12, found '13\\n'"),
        ("positions_beyond_bound", "expected T, an integer from 1 to 20, found '21\\n'"),
    ],
)
def test_broken_input_breaks_the_rule_of_its_name(name, message, validate):
    text = (PACKAGE / "data" / "invalid_input" / f"{name}.in").read_bytes()
    assert validate(text)[1].partition(": ")[2] == f"{message}\n"


def test_largest_input_is_valid(validate):
    rows = ["#" * 12, "#@$$$$....-#", *["#----------#"] * 3, *["#" * 12] * 7]
    text = "20\n" + 20 * ("12 12\n" + "\n".join(rows) + "\n")
    assert validate(text.encode()) == (ACCEPT, "")


def test_any_byte_changed_or_lost_is_noticed(validate):
    text = b"1\n4 5\n#####\n#$-.#\n#-@-#\n#####\n"
    assert validate(text) == (ACCEPT, "")
    for at in range(len(text)):
        assert validate(text[:at] + b"?" + text[at + 1 :])[0] == REJECT
        assert validate(text[:at] + text[at + 1 :])[0] == REJECT
