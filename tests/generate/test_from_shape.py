"""The generator that every recipe may call: draws of the package's shape, and known killers by their names."""

from pathlib import Path

import pytest

from conftest import NO_SECRET, PackageMaker
from harness.errors import HarnessError
from harness.generate.data import build_data
from harness.host.host import Host
from harness.shapes import parse, read_shape

SHAPE = "q: 1..{{most}}\nq * (1..10^9)\n"
PROBLEM = "problem_format_version: 2025-09\nname: First\nuuid: 1\nlicense: unknown\nconstants:\n  most: 5000\n"
VALIDATOR = "import sys\nsys.exit(42)\n"
FIRST = "print(input())\n"


@pytest.fixture
def listed(double_with: PackageMaker) -> PackageMaker:
    """A package whose inputs are lists, with a case of each call in the argument."""

    def make(calls: dict[str, str]) -> Path:  # type: ignore[type-arg]
        cases = "".join(f"      {name}: {call}\n" for name, call in calls.items())
        recipe = f"solution: /submissions/accepted/double.py\ndata:\n  secret:\n    data:\n{cases}"
        return double_with(
            {
                **NO_SECRET,
                "problem.yaml": PROBLEM,
                "generators/generators.yaml": recipe,
                "generators/shape.txt": SHAPE,
                "input_validators/validate.py": VALIDATOR,
                "submissions/accepted/double.py": FIRST,
            }
        )

    return make  # type: ignore[return-value]


def built(package: Path, host: Host, name: str) -> bytes:
    build_data(package, host)
    return (package / "data" / "secret" / f"{name}.in").read_bytes()


def test_draws_follow_shape_constants_size_and_seed(listed: PackageMaker, host: Host) -> None:
    calls = {"full": "from_shape {seed}", "again": "from_shape {seed:1}", "small": "from_shape --size 10"}
    package = listed(calls)
    full, again, small = (built(package, host, name) for name in calls)
    shape = read_shape(SHAPE.replace("{{most}}", "5000"))
    assert len(parse(shape, full).parts[1]) > 1000 > 10 >= len(parse(shape, small).parts[1])
    assert full != again


def test_a_killer_is_named(listed: PackageMaker, host: Host) -> None:
    package = listed({"buckets": "from_shape --killer unordered_map"})
    first, *keys = map(int, built(package, host, "buckets").split())
    assert len(keys) == first > 1000
    assert {key % 5087 for key in keys} == {0}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("from_shape --killer thue", "no killer 'thue'; known are: 'rising'"),
        ('from_shape --killer "quicksort middle pivot"', "did you mean 'quicksort, middle pivot'?"),
        ('from_shape --killer "long path"', "the killer 'long path' fits nothing in the shape"),
        ("from_shape --sizes", "unrecognized arguments"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(listed: PackageMaker, host: Host, call: str, message: str) -> None:
    with pytest.raises(HarnessError, match="generators/generators") as error:
        built(listed({"bad": call}), host, "bad")
    assert message in str(error.value)


def test_a_package_without_a_shape_is_told_to_write_one(listed: PackageMaker, host: Host) -> None:
    package = listed({"full": "from_shape"})
    (package / "generators" / "shape.txt").unlink()
    with pytest.raises(HarnessError, match=r"write generators/shape\.txt"):
        build_data(package, host)


def test_a_generator_of_the_package_comes_first(listed: PackageMaker, host: Host) -> None:
    package = listed({"full": "from_shape"})
    folder = package / "generators" / "from_shape"
    folder.mkdir()
    (folder / "main.py").write_text("print('1\\n7')\n")
    assert built(package, host, "full") == b"1\n7\n"
