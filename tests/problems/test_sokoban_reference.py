"""The reference solutions of `sokoban`: right ones against brute force and each other, wrong ones against the right."""

import functools
import itertools
import random
import resource
import subprocess

import pytest
import yaml

from problems.conftest import ROOT, command_of, compiled, load_program

REFERENCE = ROOT / "reference" / "sokoban"
WRONG = sorted((REFERENCE / "wrong_answer").glob("*.*"))
RIGHT = sorted((REFERENCE / "accepted").glob("*.*"))
STACK_BYTES = 512 * 1024 * 1024

# Runs a submission, which must return from main, on many inputs in one process; a line before each gives its length.
BATCH = """
#define main submission_main
#include "{source}"
#undef main
int main() {{
    FILE* inputs = stdin;
    size_t length;
    static char text[1 << 21];
    while (std::fscanf(inputs, "%zu", &length) == 1 && std::fgetc(inputs) == 10) {{
        if (length > sizeof text || std::fread(text, 1, length, inputs) != length) return 1;
        stdin = fmemopen(text, length, "r");
        submission_main();
        std::fclose(stdin);
    }}
    return 0;
}}
"""


@pytest.fixture(scope="session")
def batch(tmp_path_factory):
    """batch(path, inputs): the answers of a C++ submission that reads by stdio, all in one process."""
    folder = tmp_path_factory.mktemp("sokoban-batch")

    def run(path, inputs):
        source, program = folder / f"{path.stem}.cpp", folder / path.stem
        source.write_text(BATCH.format(source=path))
        compiled(source, program)
        blob = b"".join(b"%d\n%s" % (len(text), text) for text in inputs)
        done = subprocess.run([program], input=blob, stdout=subprocess.PIPE, check=True)
        return [int(token) for token in done.stdout.split()]

    return run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """run(path, text): what a submission in any language prints, with the stack that the judge gives; each once."""
    folder = tmp_path_factory.mktemp("sokoban")

    @functools.cache
    def get(path, text):
        return subprocess.run(command_of(path, folder), input=text, capture_output=True).stdout.decode().strip()

    before = resource.getrlimit(
        resource.RLIMIT_STACK
    )  # what is set here is theirs; in a preexec_fn it takes longer
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, before[1]))
    yield get
    resource.setrlimit(resource.RLIMIT_STACK, before)


@pytest.fixture(scope="session")
def generate():
    """generate("family rows cols …"): the input that this line of the recipe makes, without a process."""
    program = load_program(ROOT / "generators" / "sokoban.py")
    return lambda arguments: program.built(arguments.split())


def text_of(rows):
    """The input for rows written as `..#/.X.`."""
    lines = rows.split("/")
    return f"{len(lines)} {len(lines[0])}\n{chr(10).join(lines)}\n".encode()


def all_grids(rows, cols):
    """Every grid of this size."""
    for goal in range(rows * cols):
        for others in itertools.product(".#", repeat=rows * cols - 1):
            cells = "".join(others[:goal]) + "X" + "".join(others[goal:])
            yield text_of("/".join(cells[row * cols : (row + 1) * cols] for row in range(rows)))


def canonical(text):
    """The least of the eight (or four) mirror images of a grid: they share one answer."""
    rows = text.decode().split()[2:]
    images = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]  # a quarter turn
        images += [rows, [row[::-1] for row in rows]]
    return text_of(min("/".join(image) for image in images))


def recipe_lines(group):
    """The inputs of one group of the recipe: literal text, or generator arguments with a fixed seed."""
    recipe = yaml.safe_load((ROOT / "problems/sokoban/generators/generators.yaml").read_text())
    for rule in recipe["data"]["secret"]["data"][group]["data"].values():
        if "in" in rule:
            yield rule["in"]
        else:
            yield rule["generate"].removeprefix("sokoban.py ").partition("{seed")[0] + " 7"


@pytest.fixture(scope="session")
def small_inputs(generate):
    """The inputs of group 1."""
    lines = list(recipe_lines("group1"))
    return [line.encode() if "\n" in line else generate(line) for line in lines]


SMALL = {
    "##.##/#...#/#.X.#/#...#/##.##": 2,
    "...../..X..": 16,
    ".X..": 1,
    "..#/..X/#..": 3,
    "....../.##.#./.X..#./....#.": 17,
    "X": 0,
}


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.name)
@pytest.mark.parametrize("rows", SMALL)
def test_small_values(path, rows, run):
    assert run(path, text_of(rows)) == str(SMALL[rows])


@pytest.mark.parametrize("name", ["naive.py", "naive.cpp", "pulling_bfs.py", "pulling_bfs.cpp"])
@pytest.mark.parametrize("rows", SMALL)
def test_brute_force_gives_the_small_values(name, rows, run):
    assert run(REFERENCE / "brute_force" / name, text_of(rows)) == str(SMALL[rows])


def python_answers(name, inputs):
    """The answers of a Python submission, all in this process."""
    module = load_program(REFERENCE / "accepted" / name)
    return [module.count_placements(*module.grid_of(text)) for text in inputs]


def check_against_brute_force(inputs, batch):
    """Both C++ methods and the Python one against forward play."""
    images = [canonical(text) for text in inputs]
    unlike = list(dict.fromkeys(images))
    truth = dict(zip(unlike, batch(REFERENCE / "brute_force" / "naive.cpp", unlike), strict=True))
    expected = [truth[image] for image in images]
    assert batch(REFERENCE / "accepted" / "lowlink.cpp", inputs) == expected
    assert batch(REFERENCE / "accepted" / "faces.cpp", inputs) == expected
    assert python_answers("lowlink.py", inputs) == expected
    assert python_answers("faces.py", inputs) == expected


@pytest.mark.slow
def test_fast_methods_agree_with_forward_play_on_all_grids_up_to_3x3(batch):
    sizes = itertools.product(range(1, 4), repeat=2)
    check_against_brute_force([text for rows, cols in sizes for text in all_grids(rows, cols)], batch)


@pytest.mark.slow
def test_fast_methods_agree_with_forward_play_on_a_sample_of_3x4(batch):
    inputs = list(all_grids(3, 4)) + list(all_grids(4, 3))
    check_against_brute_force(random.Random(1).sample(inputs, 1500), batch)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3), (2, 5), (5, 2), (2, 6), (1, 9), (9, 1), (4, 4)])
def test_fast_methods_agree_with_forward_play_on_all_grids(rows, cols, batch):
    check_against_brute_force(list(all_grids(rows, cols)), batch)


FAMILIES = ["open", "spiral", "snake", "comb", "double-comb", "pillars", "rooms", "bridges", "islands", "maze"]
FAMILIES += [f"random {density}" for density in (5, 15, 20, 25, 30, 35, 40, 50)]


def of_size(family, rows, cols, goal, seed):
    """A line of the recipe."""
    name, _, density = family.partition(" ")
    option = f" density={density}" if density else ""
    return f"{name} {rows} {cols} goal={goal}{option} {seed}"


@pytest.mark.parametrize("family", FAMILIES)
def test_low_links_and_faces_agree_on_family(family, generate, batch):
    sizes = [(1, 40), (40, 1), (2, 31), (23, 24), (24, 23), (61, 60), (90, 47)]
    goals = ["corner", "edge", "centre", "end", "floor"]
    lines = [of_size(family, *size, goal, 3) for size in sizes for goal in goals]
    inputs = [generate(line) for line in lines]
    check_methods_agree(inputs, batch)


def check_methods_agree(inputs, batch):
    """Low-links against faces, in C++; both Python ones against them."""
    expected = batch(REFERENCE / "accepted" / "lowlink.cpp", inputs)
    assert batch(REFERENCE / "accepted" / "faces.cpp", inputs) == expected
    assert python_answers("lowlink.py", inputs) == expected
    assert python_answers("faces.py", inputs) == expected


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("goal", ["corner", "centre", "floor"])
def test_low_links_and_faces_agree_on_family_at_full_size(family, goal, generate, batch):
    check_methods_agree([generate(of_size(family, 1000, 1000, goal, 5))], batch)


@pytest.mark.parametrize(
    ("goal", "answer"), [("corner", 997_998_004_000), ("centre", 996_001_007_994), ("edge", 996_999_005_998)]
)
def test_open_grid_of_full_size(goal, answer, generate, batch):
    text = generate(f"open 1000 1000 goal={goal}")
    assert batch(REFERENCE / "accepted" / "lowlink.cpp", [text]) == [answer]
    assert batch(REFERENCE / "accepted" / "faces.cpp", [text]) == [answer]


def test_recursion_a_million_deep_fits_a_stack_of_the_memory_limit(generate, run):
    text = generate("open 1000 1000 goal=corner")
    assert run(REFERENCE / "accepted" / "lowlink_recursive.cpp", text) == "997998004000"


@pytest.mark.slow
def test_right_solutions_agree_on_group_1(small_inputs, run):
    truth = [run(REFERENCE / "brute_force" / "naive.cpp", text) for text in small_inputs]
    for path in RIGHT:
        assert [run(path, text) for text in small_inputs] == truth, path.name


# Wrong in group 3 only; or caught in group 1 by random grids of the recipe's own seeds, which its rules hold.
ELSEWHERE = {"sum_in_32_bits", "row_ends_meet", "ring_of_eight"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "path", [path for path in WRONG if path.stem not in ELSEWHERE], ids=lambda path: path.name
)
def test_wrong_solution_is_caught_in_group_1(path, small_inputs, run):
    truth = REFERENCE / "accepted" / "lowlink.cpp"
    assert any(run(path, text) != run(truth, text) for text in small_inputs)


def test_sum_in_32_bits_is_caught_by_a_large_open_grid_only(small_inputs, generate, run):
    path, truth = REFERENCE / "wrong_answer" / "sum_in_32_bits.cpp", REFERENCE / "accepted" / "lowlink.cpp"
    large = generate("open 250 250 goal=corner")
    assert run(path, large) != run(truth, large)
    assert [run(path, text) for text in small_inputs] == [run(truth, text) for text in small_inputs]


@pytest.mark.slow
@pytest.mark.parametrize(
    "order", [*itertools.permutations(("1", "-1", "grid.stride", "-grid.stride"))], ids=",".join
)
def test_group_1_catches_low_from_low_in_every_order_of_directions(order, small_inputs, batch, tmp_path):
    """Whether this bug shows depends on the order in which the search tries the directions."""
    source = (REFERENCE / "wrong_answer" / "low_from_low.cpp").read_text()
    steps = "steps[4] = {1, -1, grid.stride, -grid.stride}"
    assert source.count(steps) == 1
    variant = tmp_path / f"low_from_low_{'_'.join(order)}.cpp"
    variant.write_text(source.replace(steps, f"steps[4] = {{{', '.join(order)}}}"))
    assert batch(variant, small_inputs) != batch(REFERENCE / "accepted" / "lowlink.cpp", small_inputs)
