"""How people name a package's own submissions on the command line."""

import os
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import PackageMaker
from harness.errors import UsageError
from harness.package import Package
from harness.package.find import split_arguments
from harness.package.load import load
from harness.package.named_programs import own_at, own_named, own_or_strange, places

DOUBLES = "print(int(input()) * 2)\n"


@pytest.fixture
def package(double_with: PackageMaker) -> Package:
    """accepted/ and wrong_answer/ have a twice.py each; once.py and a folder are there once."""
    return load(
        double_with(
            {
                "submissions/accepted/twice.py": DOUBLES,
                "submissions/wrong_answer/twice.py": "print(1)\n",
                "submissions/wrong_answer/once.py": "print(1)\n",
                "submissions/wrong_answer/folder/main.py": "print(1)\n",
            }
        )
    )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("once.py", "wrong_answer/once.py"),
        ("once", "wrong_answer/once.py"),
        ("folder", "wrong_answer/folder"),
        ("accepted/twice.py", "accepted/twice.py"),
        ("accepted/twice", "accepted/twice.py"),
        ("submissions/wrong_answer/twice.py", "wrong_answer/twice.py"),
    ],
)
def test_own_submission_goes_by_every_name_that_is_of_it_alone(package: Package, name: str, path: str) -> None:
    assert own_named(package, Path(name)).path == path


def test_ambiguous_name_is_told_with_its_candidates(package: Package) -> None:
    with pytest.raises(UsageError, match=r"accepted/twice\.py, wrong_answer/twice\.py in .*: say which"):
        own_named(package, Path("twice.py"))


def test_of_several_the_one_that_can_be_meant_is_taken(package: Package) -> None:
    accepted = [one for one in package.submissions if one.path.startswith("accepted/")]
    assert own_named(package, Path("twice.py"), among=accepted).path == "accepted/twice.py"


def test_file_here_comes_before_a_name(package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "once.py").write_text(DOUBLES)
    monkeypatch.chdir(tmp_path)
    program, is_own = own_or_strange(package, Path("once.py"), None)
    assert (program.path, is_own) == ("once.py", False)
    assert places(package, [Path("once.py")]) == [Path("once.py")]


def test_path_of_an_own_submission_is_seen_from_where_we_stand(
    package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package.root / "submissions" / "wrong_answer")
    found = own_at(package, Path("../accepted/twice.py"))
    assert found is not None
    assert found.path == "accepted/twice.py"


def test_within_a_package_the_first_word_may_be_a_submission(
    package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(package.root / "data")
    assert split_arguments(["accepted/twice.py", "once.py"], Path.cwd()) == (
        None,
        [Path("accepted/twice.py"), Path("once.py")],
    )
    other = os.path.relpath(package.root, Path.cwd())
    assert split_arguments([other, "once.py"], Path.cwd()) == (other, [Path("once.py")])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", [["judge"], ["mutate", "--inputs", "0"], ["stress", "--time", "1"]])
def test_commands_take_the_names_of_their_help_inside_a_package(package: Package, command: list[str]) -> None:
    done = harness(*command, "accepted/twice.py", cwd=package.root)
    assert done.returncode in (0, 1), said(done)
    unknown = harness(*command, "nosuch.py", cwd=package.root)
    assert unknown.returncode == 2
    assert "nosuch.py: no such file or folder, and no submission of" in said(unknown)
    assert "accepted/twice.py" in said(unknown)
