"""`apples`: references against enumeration for all (N, M) up to 12, wrong ones, generator, recipe, validator."""

import importlib.util
import itertools
import math
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "reference" / "apples"
PACKAGE = ROOT / "problems" / "apples"
CONSTANTS = yaml.safe_load((PACKAGE / "problem.yaml").read_text())["constants"]
GROUPS = yaml.safe_load((PACKAGE / "generators" / "generators.yaml").read_text())["data"]["secret"]
MODULUS = CONSTANTS["modulus"]
RIGHT = sorted((REFERENCE / "accepted").glob("*.*"))
SLOW = [REFERENCE / "brute_force" / name for name in ("recursion.cpp", "recursion.py", "table.cpp", "table.py")]
WRONG = sorted((REFERENCE / "wrong_answer").glob("*.*"))
VALID, INVALID = 42, 43
PAIRS = [(people, apples) for people in range(1, 13) for apples in range(13)]


def by_name(path):
    return path.name


def load(path, folder=None):
    """Import a program by path; with a folder in which it finds its neighbours."""
    sys.path.insert(0, str(folder or path.parent))
    try:
        spec = importlib.util.spec_from_file_location(f"apples_{path.parent.name}_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.pop(0)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """run(path, people, apples): what a submission in any language prints."""
    folder = tmp_path_factory.mktemp("apples")

    def program(path):
        if path.suffix == ".py":
            return [sys.executable, path]
        binary = folder / f"{path.parent.name}-{path.stem}"
        if not binary.exists():
            subprocess.run(["c++", "-O2", "-std=c++17", "-o", binary, path], check=True)
        return [binary]

    def get(path, people, apples):
        text = b"%d %d\n" % (people, apples)
        return subprocess.run(program(path), input=text, capture_output=True, check=True).stdout.decode().strip()

    return get


def ways(path, people, apples, run):
    """The answer of a submission; of one in Python without a process."""
    return load(path).ways(people, apples) if path.suffix == ".py" else int(run(path, people, apples))


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


GENERATOR = load(ROOT / "generators" / "apples.py", ROOT / "generators")


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


@pytest.fixture(scope="session")
def validator(tmp_path_factory):
    """validator(input, *args) -> (exit code, standard output); in a bare interpreter, nothing else beside the file."""
    source = (PACKAGE / "input_validators" / "validate.py").read_text()
    helper = (ROOT / "checkers" / "judgelib.py").read_text()
    text = "\n".join(helper if line.startswith("from judgelib import ") else line for line in source.split("\n"))
    program = tmp_path_factory.mktemp("validator") / "validate.py"
    program.write_text(filled(text))

    def check(case, *arguments):
        command = [sys.executable, "-I", "-S", "-O", program, *map(str, arguments)]
        done = subprocess.run(command, input=case, capture_output=True, check=False)
        assert done.stderr == b""
        return done.returncode, done.stdout.decode()

    return check


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "data" / "invalid_input").glob("*.in")), ids=lambda path: path.stem
)
def test_broken_input_is_refused_with_line_and_column(path, validator):
    code, message = validator(path.read_bytes())
    assert code == INVALID
    assert message.startswith("line ") and "expected" in message and "found" in message
    assert message.rstrip("\n").isprintable()


@pytest.mark.parametrize("case", [b"1 0\n", b"1000000 1000000\n", b"1 1000000\n", b"1000000 0\n"])
def test_extreme_input_is_valid(case, validator):
    assert validator(case) == (VALID, "")


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (b"13 13\n", VALID),  # 9,657,700 calls
        (b"13 14\n", INVALID),
        (b"3 4469\n", VALID),  # 9,997,156 calls
        (b"3 4471\n", INVALID),
        (b"1 1000000\n", VALID),
        (b"2 1000000\n", VALID),
        (b"1000 1\n", VALID),
        (b"1000 2\n", INVALID),
        (b"1001 0\n", INVALID),
        (b"1000 1000000\n", INVALID),
    ],
)
def test_group_1_is_for_the_plain_recursion(case, code, validator):
    arguments = [CONSTANTS[name] for name in ("max_people_group1", "max_apples", "max_calls_group1")]
    assert validator(case, *arguments)[0] == code


def test_bound_of_calls_is_exact(validator):
    """For each number of people the most apples pass, and one more does not."""
    for people in (2, 3, 4, 7, 20, 200):
        _, apples = map(int, GENERATOR.built(["most", str(people), "10000"]).split())
        assert validator(b"%d %d\n" % (people, apples), 1000, 1_000_000, 10_000) == (VALID, "")
        assert validator(b"%d %d\n" % (people, apples + 1), 1000, 1_000_000, 10_000)[0] == INVALID


def test_message_names_the_bound_of_calls(validator):
    expected = "line 2, column 1: expected C(N + M, N - 1) of at most 10000000, found more\n"
    assert validator(b"13 14\n", 1000, 1_000_000, 10_000_000) == (INVALID, expected)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_sample_answer(number, run):
    sample = PACKAGE / "data" / "sample" / f"{number}.in"
    people, apples = map(int, sample.read_text().split())
    assert sample.with_suffix(".ans").read_text() == f"{math.comb(people + apples - 1, apples) % MODULUS}\n"
