"""Packages that are real ones but for a few changes: each loads, or is refused with errors that name its files.

Change number N is the same on every machine: `malformed(N, folder)` makes it again.
"""

import functools
import os
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import write_files
from harness.errors import HarnessError, PackageError
from harness.generate.recipe import read_recipe
from harness.package import Group, Package
from harness.package.archive import opened
from harness.package.files import Files
from harness.package.findings import Findings
from harness.package.load import load, load_to_read, read_package_files
from harness.package.model import rules_for
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.rules.expectations import check_rules
from harness.rules.score import group_results, static_case_name
from harness.search.target import declared_shape
from harness.statement.page import render_html
from harness.statement.source import chosen_language

ROOT = Path(__file__).parents[2]
SEEDS = sorted(path.parent for path in ROOT.glob("tests/packages/*/problem.yaml")) + sorted(
    path.parent for path in ROOT.glob("problems/*/problem.yaml")
)
LARGEST_BYTES = 50_000  # of a seed's file: larger ones make the copies slow and nothing else
SAMPLE, ALL, PART = range(120), 10_000, 250

Contents = dict[str, bytes]
Change = Callable[[random.Random, Path], None]

STRANGE: list[Any] = [
    None, True, -1, 0, 10**30, 1e308, float("inf"), float("nan"), "", " ", "x" * 5000, "9" * 5000, "1e999999999",
    "{{n}}", "{{", "../../x", "/etc/passwd", "\x00", "\x1b[31m", "\u202e", "\U0001f600",
    [], {}, [[]], [None], {"": ""}, {"a": {"b": [1, {"c": None}]}}, ["a", ["b"]], {1: 2}, "legacy", "2025-09", "draft",
    "interactive", ["pass-fail", "scoring"], "1 2 3", "0x10", "1_000", "١٢", b"\xff\xfe",
]  # fmt: skip
NAMES = (
    "test_group.yaml", "testdata.yaml", "problem.yaml", "1.yaml", "x.in", "x.ans", "x.args", "x.hint", ".timelimit",
    "domjudge-problem.ini", "submissions.yaml", "judgelib.py", "build", "run", "validator.ctd", "generators.yaml",
    "shape.txt", "-rf", "a b", "\u00e9", "COM1", "problem.en.md", "problem.xx-YY.tex", "1.interaction", "x.files",
)  # fmt: skip
TEXTS = (
    b"", b"\x00", b"\xff\xfe\xfd", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"[", b"{", b"- ", b": ", b"&a [*a]",
    b"!!python/object:os.system x",
    b"a: 1\na: 2\n", b"%YAML 9.9\n---\n", b"---\n---\n", b"? [a]\n: b\n", b"\t", b"'", b'"\\x', b"<<: x\n",
    b"!!binary x",
    b"2020-99-99",
    b"12:30:45", b"[" * 500, b"\r\n" * 50, b"{{n.x}}", b"{seed:", b"\\begin{", b"${",
    b"@EXPECTED_RESULTS@: X, ", b"@EXPECTED_SCORE@: 1e9999",
)  # fmt: skip


@functools.cache
def seed(path: Path) -> Contents:
    """The files of a package that are not large, wherever its parts lie."""
    files: Files = read_package_files(path, Findings())
    return {name: file.read() for name, file in files.items() if file.size() <= LARGEST_BYTES}


def malformed(number: int, folder: Path) -> Path:
    """Write a package with one to four changes; returns the folder, or a zip of it."""
    chance = random.Random(number)
    source = SEEDS[number % len(SEEDS)]
    root = write_files(folder / source.name.replace("_", ""), seed(source))
    for _ in range(chance.choice((1, 1, 2, 4))):
        chance.choice(CHANGES)(chance, root)
    return zipped(chance, root) if chance.random() < 0.1 else root


def files_of(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())


def some_file(chance: random.Random, root: Path) -> Path:
    """A file, one that the loader reads closely more often than not."""
    found = files_of(root)
    settings = [path for path in found if path.suffix in (".yaml", ".ini") or path.name == "shape.txt"]
    chosen = settings if settings and chance.random() < 0.6 else found
    return chance.choice(chosen) if chosen else fresh(root)


def fresh(root: Path) -> Path:
    """An empty settings file, in the place of whatever was there: nobody may wait for a pipe."""
    path = root / "problem.yaml"
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.touch()
    return path


def change_bytes(chance: random.Random, root: Path) -> None:
    path = some_file(chance, root)
    content = bytearray(path.read_bytes() if path.is_file() else b"x")
    for _ in range(chance.choice((1, 3, 20))):
        if content:
            content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)


def insert_text(chance: random.Random, root: Path) -> None:
    path = some_file(chance, root)
    content = path.read_bytes() if path.is_file() else b""
    place = chance.randrange(len(content) + 1)
    end = chance.choice((place, len(content), min(len(content), place + 9)))
    path.write_bytes(content[:place] + chance.choice(TEXTS) + content[end:])


def replace_text(chance: random.Random, root: Path) -> None:
    some_file(chance, root).write_bytes(chance.choice(TEXTS) * chance.choice((1, 1, 300)))


def change_yaml(chance: random.Random, root: Path) -> None:
    """A key deleted, renamed or given another value, somewhere in a settings file."""
    paths = [path for path in files_of(root) if path.suffix == ".yaml"]
    path = chance.choice(paths) if paths else fresh(root)
    try:
        content = yaml.safe_load(path.read_bytes())
    except (OSError, ValueError, TypeError, RecursionError, yaml.YAMLError):
        content = None
    holders = list(holders_in(content)) or [content := {}]
    holder = chance.choice(holders)
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    key = chance.choice(keys) if keys else ""
    value = chance.choice(STRANGE)
    if isinstance(holder, dict) and keys and chance.random() < 0.4:
        old = holder.pop(key)
        if chance.random() < 0.5:
            holder[
                chance.choice((f"{key}s", str(key).upper(), str(key)[:-1], value if isinstance(value, str) else 7))
            ] = old
    elif isinstance(holder, dict) or keys:
        holder[key] = value
    else:
        holder.append(value)
    try:
        text = yaml.dump(content, allow_unicode=True, sort_keys=False)
    except RecursionError:
        text = "[" * 1000
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


def holders_in(value: Any) -> list[Any]:
    """The mappings and lists in a YAML value, to some depth and number; aliases count once."""
    found, level = [], [value]
    for _ in range(9):
        level = [one for one in level if isinstance(one, dict | list) and not any(one is other for other in found)]
        found += level[:300]
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return found


def remove(chance: random.Random, root: Path) -> None:
    path = chance.choice(sorted(root.rglob("*")) or [root / "x"])
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def rename(chance: random.Random, root: Path) -> None:
    path = some_file(chance, root)
    if path.is_file():
        target = path.with_name(chance.choice((*NAMES, path.name.upper(), path.name + "~", path.stem)))
        if not target.is_dir():
            path.rename(target)


def put_in_its_place(chance: random.Random, root: Path) -> None:
    """A link, a pipe or a folder where a file was; a file where a folder was."""
    path = chance.choice(sorted(root.rglob("*")) or [root / "x"])
    was_folder = path.is_dir() and not path.is_symlink()
    if was_folder:
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    kind = chance.randrange(4)
    if kind == 0:
        path.symlink_to(
            chance.choice(("nowhere", path.name, ".", "..", "/etc/passwd", "/", str(root / "problem.yaml")))
        )
    elif kind == 1:
        os.mkfifo(path)
    elif was_folder:
        path.write_bytes(chance.choice(TEXTS))
    else:
        path.mkdir()


def add(chance: random.Random, root: Path) -> None:
    folders = [root, *(path for path in sorted(root.rglob("*")) if path.is_dir() and not path.is_symlink())]
    path = chance.choice(folders) / chance.choice(NAMES)
    if path.exists() or path.is_symlink():
        return
    others = files_of(root)
    path.write_bytes(chance.choice((chance.choice(TEXTS), chance.choice(others).read_bytes() if others else b"")))


CHANGES: tuple[Change, ...] = (
    change_bytes, insert_text, replace_text, change_yaml, change_yaml, change_yaml, change_yaml, remove, rename,
    put_in_its_place, add,
)  # fmt: skip


def zipped(chance: random.Random, root: Path) -> Path:
    path = root.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in files_of(root):
            archive.write(file, file.relative_to(root.parent).as_posix().encode("utf-8", "replace").decode())
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice((0, 1, 5))):
        content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)
    return path


def groups_in(group: Group) -> list[Group]:
    return [group, *(inner for child in group.groups for inner in groups_in(child))]


def use(package: Package, root: Path) -> None:
    """What every command does with a package, as far as nothing has to run."""
    groups = [group for group in groups_in(package.secret) if group.name]
    names = [case.name for case in package.judged_cases()] + [static_case_name(group) for group in groups]
    cases = {name: CaseResult(name=name, group="", verdict=Verdict.ACCEPTED, score=1.0) for name in names}
    scored = group_results(package.secret, cases)
    for submission in package.submissions:
        check_rules(rules_for(submission.path, package.rules), list(cases.values()), scored, scored[0].score)
    for step in (
        lambda: read_recipe(package.files, package.constants),
        lambda: declared_shape(package),
        lambda: render_html(package, chosen_language(package, None)),
    ):
        refusal_of(step, root)


def refusal_of(step: Callable[[], object], root: Path) -> None:
    """Take the step. A refusal is in plain words: each fault names a file of the package, without a traceback."""
    try:
        step()
    except PackageError as error:
        assert error.faults
        for fault in error.faults:
            assert str(fault.path).startswith(str(root)), fault
            assert fault.message.strip() and len(fault.message) < 2000, fault
    except HarnessError as error:
        assert str(error).strip() and "Traceback" not in str(error)


def look_at(number: int, folder: Path) -> None:
    """Load what change `number` makes, and use it."""
    path = malformed(number, folder)

    def loaded() -> None:
        with opened(path) as root:
            refusal_of(lambda: load_to_read(root), path)
            use(load(root), path)

    try:
        refusal_of(loaded, path)
    except Exception as error:
        raise AssertionError(f"malformed({number}): {type(error).__name__}: {error}") from error


def clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


@pytest.mark.parametrize("first", range(0, len(SAMPLE), 40))
def test_a_sample_of_malformed_packages_is_refused_in_words_or_loads(first: int, tmp_path: Path) -> None:
    for number in range(first, first + 40):
        clear(tmp_path / "packages")
        look_at(number, tmp_path / "packages")


@pytest.mark.parametrize("number", [239, 960, 3560, 5963, 6920])
def test_packages_that_once_were_not_refused_in_words(number: int, tmp_path: Path) -> None:
    clear(tmp_path / "packages")
    look_at(number, tmp_path / "packages")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, ALL, PART))
def test_ten_thousand_malformed_packages_are_refused_in_words_or_load(first: int, tmp_path: Path) -> None:
    for number in range(first, first + PART):
        clear(tmp_path / "packages")
        look_at(number, tmp_path / "packages")


def test_the_changes_break_most_packages_and_leave_some(tmp_path: Path) -> None:
    refused = 0
    for number in range(40):
        clear(tmp_path / "packages")
        try:
            with opened(malformed(number, tmp_path / "packages")) as root:
                load(root)
        except HarnessError:
            refused += 1
    assert 5 < refused < 40
