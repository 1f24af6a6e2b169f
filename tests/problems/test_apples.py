"""`apples`: references against enumeration for all (N, M) up to 12, wrong ones, generator, recipe, validate."""

import itertools
import math
import subprocess

import pytest
import yaml

from problems.conftest import ACCEPT, REJECT, ROOT, command_of, load_program

REFERENCE = ROOT / "reference" / "apples"
PACKAGE = ROOT / "problems" / "apples"
CONSTANTS = yaml.safe_load((PACKAGE / "problem.yaml").read_text())["constants"]
GROUPS = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())["data"]["secret"]
MODULUS = CONSTANTS["modulus"]
RIGHT = sorted((REFERENCE / "accepted").glob("*.*"))
SLOW = [REFERENCE / "brute_force" / name for name in ("recursion.cpp", "recursion.py", "table.cpp", "table.py")]
WRONG = sorted((REFERENCE / "wrong_answer").glob("*.*"))
PAIRS = [(people, apples) for people in range(1, 13) for apples in range(13)]


def by_name(path):
    return path.name


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """run(path, people, apples): what a submission in any language prints."""
    folder = tmp_path_factory.mktemp("apples")

    def get(path, people, apples):
        text = b"%d %d\n" % (people, apples)
        done = subprocess.run(command_of(path, folder), input=text, capture_output=True, check=True)
        return done.stdout.decode().strip()

    return get


def ways(path, people, apples, run):
    """The answer of a submission; of one in Python without a process."""
    return load_program(path).ways(people, apples) if path.suffix == ".py" else int(run(path, people, apples))


def enumerated(people, apples):
    """How many hand-outs there are, one by one: who owns each apple, apples not told apart."""
    return sum(1 for _ in itertools.combinations_with_replacement(range(people), apples))


@pytest.fixture(scope="session")
def truth():
    """All small answers, by enumeration."""
    return {pair: enumerated(*pair) for pair in PAIRS}


@pytest.mark.parametrize("path", [*RIGHT, *SLOW[2:]], ids=by_name)
def test_solution_agrees_with_enumeration_up_to_twelve(path, truth, run):
    for pair in PAIRS:
        assert ways(path, *pair, run) == truth[pair], pair


@pytest.mark.parametrize("path", SLOW[:2], ids=by_name)
def test_recursion_agrees_with_enumeration(path, truth, run):
    """In Python up to eight of each, or it would take its time."""
    bound = 12 if path.suffix == ".cpp" else 8
    for pair in PAIRS:
        if max(pair) <= bound:
            assert ways(path, *pair, run) == truth[pair], pair


@pytest.mark.slow
def test_recursion_in_python_agrees_with_enumeration_up_to_twelve(truth, run):
    for pair in PAIRS:
        assert ways(SLOW[1], *pair, run) == truth[pair], pair


def large_cases():
    """Every pair of the recipe that no seed decides."""
    for group in GROUPS["data"].values():
        for rule in group["data"].values():
            if isinstance(rule, str) and " pair " in rule:
                yield tuple(map(int, filled(rule).split()[2:]))


def filled(rule):
    """A line of the recipe, its constants filled in."""
    for name, value in CONSTANTS.items():
        rule = rule.replace(f"{{{{{name}}}}}", str(value))
    return rule


@pytest.mark.sampled(3)
@pytest.mark.parametrize("pair", sorted(set(large_cases())), ids=str)
def test_right_solutions_agree(pair, run):
    answers = {run(path, *pair) for path in RIGHT}
    assert len(answers) == 1
    if min(pair) <= 1000:
        people, apples = pair
        assert answers == {str(math.comb(people + apples - 1, min(apples, people - 1)) % MODULUS)}


def test_twenty_and_twenty_needs_more_than_32_bits(run):
    assert math.comb(39, 19) == 68_923_264_410
    assert run(RIGHT[0], 20, 20) == str(68_923_264_410 % MODULUS)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", WRONG, ids=by_name)
def test_wrong_solution_is_caught_by_a_pair_of_group_2(path, run):
    pairs = [(1, 0), (1, 1000), (1000, 0), (20, 20), (1000, 7), (1000, 1000)]
    assert any(run(path, *pair) != run(RIGHT[0], *pair) for pair in pairs)


GENERATOR = load_program(ROOT / "generators" / "apples.py")


def calls(people, apples):
    """How often the plain recursion is called, counted."""
    if people == 1:
        return 1
    return 1 + sum(calls(people - 1, left) for left in range(apples + 1))


@pytest.mark.parametrize("people", range(1, 8))
@pytest.mark.parametrize("apples", range(8))
def test_calls_of_the_recursion_are_a_binomial_coefficient(people, apples):
    assert calls(people, apples) == math.comb(people + apples, people - 1)


@pytest.mark.parametrize("people", [2, 3, 5, 13, 50, 200, 1000])
@pytest.mark.parametrize("bound", [10_000, 10_000_000])
def test_most_apples_are_as_many_as_the_calls_allow(people, bound):
    same, apples = map(int, GENERATOR.built(["most", str(people), str(bound)]).split())
    assert same == people
    assert math.comb(people + apples, people - 1) <= bound < math.comb(people + apples + 1, people - 1)


def test_random_pairs_follow_from_the_seed_and_keep_to_the_bounds():
    drawn = [GENERATOR.built(["random", "3", "2", str(seed)]) for seed in range(200)]
    assert drawn == [GENERATOR.built(["random", "3", "2", str(seed)]) for seed in range(200)]
    assert set(drawn) == {b"%d %d\n" % (people, apples) for people in (1, 2, 3) for apples in (0, 1, 2)}


def test_groups_share_out_the_points():
    scores = [rules["test_group.yaml"]["max_score"] for rules in GROUPS["data"].values()]
    assert scores == [20, 30, 50]
    assert sum(scores) == GROUPS["test_group.yaml"]["max_score"]


@pytest.mark.parametrize("case", [b"1 0\n", b"1000000 1000000\n", b"1 1000000\n", b"1000000 0\n"])
def test_extreme_input_is_valid(case, validate):
    assert validate(case) == (ACCEPT, "")


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (b"13 13\n", ACCEPT),  # 9,657,700 calls
        (b"13 14\n", REJECT),
        (b"3 4469\n", ACCEPT),  # 9,997,156 calls
        (b"3 4471\n", REJECT),
        (b"1 1000000\n", ACCEPT),
        (b"2 1000000\n", ACCEPT),
        (b"1000 1\n", ACCEPT),
        (b"1000 2\n", REJECT),
        (b"1001 0\n", REJECT),
        (b"1000 1000000\n", REJECT),
    ],
)
def test_group_1_is_for_the_plain_recursion(case, code, validate):
    arguments = [CONSTANTS[name] for name in ("max_people_group1", "max_apples", "max_calls_group1")]
    assert validate(case, *arguments)[0] == code


def test_bound_of_calls_is_exact(validate):
    """For each number of people the most apples pass, and one more does not."""
    for people in (2, 3, 4, 7, 20, 200):
        _, apples = map(int, GENERATOR.built(["most", str(people), "10000"]).split())
        assert validate(b"%d %d\n" % (people, apples), 1000, 1_000_000, 10_000) == (ACCEPT, "")
        assert validate(b"%d %d\n" % (people, apples + 1), 1000, 1_000_000, 10_000)[0] == REJECT


def test_message_names_the_bound_of_calls(validate):
    expected = "line 2, column 1: expected C(N + M, N - 1) of at most 10000000, found more\n"
    assert validate(b"13 14\n", 1000, 1_000_000, 10_000_000) == (REJECT, expected)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_sample_answer(number, run):
    sample = PACKAGE / "data" / "sample" / f"{number}.in"
    people, apples = map(int, sample.read_text().split())
    assert sample.with_suffix(".ans").read_text() == f"{math.comb(people + apples - 1, apples) % MODULUS}\n"
