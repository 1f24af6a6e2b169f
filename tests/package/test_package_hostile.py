"""Packages made to harm the loader: each ends in faults that name what is wrong, soon, and never in a traceback."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE, PackageMaker
from harness.errors import PackageError
from harness.files import untrusted
from harness.package import files as files_module
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.formats.cases import CaseReader, tree_of
from harness.package.globs import matches
from harness.package.load import load
from harness.package.model import CaseSettings

MANIFEST = (DOUBLE / "problem.yaml").read_text()


def deep(root: Path) -> None:
    """Folders in each other, far deeper than a path may be long."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def cross_linked(root: Path) -> None:
    """Folders of which each links twice to the next: 2^40 ways through them."""
    for number in range(40):
        (root / f"f{number}").mkdir()
        for link in "xy":
            (root / f"f{number}" / link).symlink_to(f"../f{number + 1}")
    (root / "f40").mkdir()


def huge_yaml(root: Path) -> None:
    """A problem.yaml of a gibibyte that takes no room on the disk."""
    with (root / "problem.yaml").open("ab") as file:
        file.truncate(1 << 30)


def huge_program(root: Path) -> None:
    """A submission likewise."""
    with (root / "submissions/accepted/double.py").open("ab") as file:
        file.truncate(1 << 36)


def deep_yaml(root: Path) -> None:
    """Lists in each other."""
    (root / "problem.yaml").write_text(MANIFEST + "keywords: " + "[" * 100_000)


def wide_yaml(root: Path) -> None:
    """More values than a settings file has."""
    (root / "problem.yaml").write_text(MANIFEST + "keywords: [" + "x," * 400_000 + "x]\n")


def number_of_base_60(root: Path) -> None:
    """What YAML 1.1 takes for a number, which in quadratic time would take an hour."""
    (root / "problem.yaml").write_text(MANIFEST + "max_score: 1" + ":1" * 500_000)


def tagged_number(root: Path) -> None:
    """The same number, said to be one."""
    (root / "problem.yaml").write_text(MANIFEST + "max_score: !!int 1" + ":1" * 500_000)


def strange_bytes(root: Path) -> None:
    """A name that is no text, one with a control sequence, and a manifest that is not whole."""
    (root / os.fsdecode(b"data/secret/\xff\xfe.in")).write_text("1\n")
    (root / "data/secret/\x1b[2J.in").write_text("1\n")
    (root / "problem.yaml").write_bytes(b"\x00\xff")


def fifo(root: Path) -> None:
    """A FIFO where a settings file should be: reading it would wait for ever."""
    (root / "problem.yaml").unlink()
    os.mkfifo(root / "problem.yaml")


def linked_to_itself(root: Path) -> None:
    """Links in a circle."""
    (root / "data/secret/a.in").symlink_to("b.in")
    (root / "data/secret/b.in").symlink_to("a.in")


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (deep, "folders in each other"),
        (cross_linked, "linked folders in each other"),
        (huge_yaml, "larger than 4 MiB"),
        (huge_program, "more than 64 MiB"),
        (deep_yaml, "nested more than"),
        (wide_yaml, "more than 200,000 values"),
        (number_of_base_60, "unknown key `max_score`"),
        (tagged_number, "more than 300 characters"),
        (strange_bytes, "not"),
        (fifo, "neither a file nor a folder"),
        (linked_to_itself, "points to nothing"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_hostile_package_is_a_fault(
    harm: Callable[[Path], None], message: str, double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "MOST_ENTRIES", 5000)
    root = double_with()
    harm(root)
    try:
        with pytest.raises(PackageError) as caught:
            load(root)
    finally:
        untrusted.remove(root)  # pytest's own cleanup of later sessions dies of such depths
    assert any(message in fault.message for fault in caught.value.faults), str(caught.value)[:2000]
    str(caught.value).encode()  # can be shown anywhere


def test_globs_take_no_time_whatever_they_hold() -> None:
    assert not matches("{a,b}" * 300, "a" * 299)
    assert matches("{a,b}" * 300, "ab" * 150)
    assert not matches("*a" * 400, "a" * 250 + "b")
    assert not matches("{" * 1900, "a")
    assert not matches("{" * 900 + "a" + "}" * 900, "a")
    assert not matches("x" * 5000, "x")


def test_an_author_with_blanks_without_end_is_read_at_once(double_with: PackageMaker) -> None:
    """In quadratic time this would take an hour."""
    names = f"Ann and Bo & Cy,  D{' ' * 500_000}E"
    root = double_with({"problem.yaml": f'problem_format_version: legacy\nname: Double\nauthor: "{names}"\n'})
    assert [one.name for one in load(root).authors][:3] == ["Ann", "Bo", "Cy"]


class _NeverSearched(list[str]):
    """A list of folders: to search it for each case would take the square of their number."""

    def __contains__(self, name: object) -> bool:
        raise AssertionError(f"searched for {name}")


def test_a_folder_of_a_cases_name_is_found_without_a_search_in_all_folders() -> None:
    paths = ("secret/1.in", "secret/1.ans", "secret/1/2.in", "secret/3.in", "secret/3.ans")
    tree = tree_of({path: File(origin=Path(path), content=b"") for path in paths})
    tree = replace(tree, folders={folder: _NeverSearched(names) for folder, names in tree.folders.items()})
    findings = Findings()
    CaseReader(tree=tree, root=Path("data"), constants={}, findings=findings).cases_in("secret", CaseSettings())
    assert [str(warning) for warning in findings.warnings] == [
        "secret/1.in: a folder beside it has the same name: rename one"
    ]
