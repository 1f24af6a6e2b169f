"""What a folder of hand-ins may hold: each file is graded or named, and none ends the grading of the others."""

import os
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE, PackageMaker
from harness.build.executable import CompileFailure
from harness.build.languages import load_table
from harness.errors import UsageError
from harness.grade.collect import Collection, Collector
from harness.package import ProblemType
from harness.package.load import load

PACKAGE = load(DOUBLE)
COLLECTOR = Collector(package=PACKAGE, languages=load_table(()))


def collect(*paths: Path, collector: Collector = COLLECTOR) -> Collection:
    return collector.collect(paths)


def names(found: Collection) -> list[str]:
    return [entry.program.path for entry in found.entries]


def troubles(found: Collection) -> dict[str, str]:
    return {
        entry.program.path: entry.built.diagnostics
        for entry in found.entries
        if isinstance(entry.built, CompileFailure)
    }


def test_a_link_out_of_the_folder_is_not_followed_and_its_author_gets_a_compile_error(tmp_path: Path) -> None:
    folder = tmp_path / "subs"
    (folder / "project").mkdir(parents=True)
    (tmp_path / "secret.py").write_text("print('the answers')")
    (folder / "out.py").symlink_to(tmp_path / "secret.py")
    (folder / "home").symlink_to(tmp_path)
    (folder / "project" / "main.py").symlink_to(tmp_path / "secret.py")
    (folder / "good.py").write_text("print(1)")
    (folder / "inside.py").symlink_to("good.py")
    (folder / "nowhere.py").symlink_to("gone.py")
    (folder / "round.py").symlink_to("round.py")
    os.mkfifo(folder / "pipe.py")
    found = collect(folder)
    told = troubles(found)
    assert sorted(told) == ["home", "nowhere.py", "out.py", "pipe.py", "project", "round.py"]
    assert sorted(set(names(found)) - set(told)) == ["good.py", "inside.py"]
    assert "leads out of the folder" in told["out.py"]
    assert str(tmp_path) not in "".join(told.values())


@pytest.mark.parametrize("target", ["../package/submissions/accepted", "../package/submissions/accepted/right.py"])
def test_a_repository_cannot_hand_in_the_solutions_of_the_package_by_a_link(
    target: str, tmp_path: Path, double_with: PackageMaker
) -> None:
    root = double_with({"submissions/accepted/right.py": "print(2 * int(input()))\n"}).rename(tmp_path / "package")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "hand-ins").symlink_to(target)
    collector = replace(COLLECTOR, package=load(root))
    with pytest.raises(UsageError, match=r"a link that leads out of its folder: name .*accepted"):
        collect(tmp_path / "theirs" / "hand-ins", collector=collector)


def test_nor_by_a_folder_that_is_a_link_where_files_in_it_are_named(
    tmp_path: Path, double_with: PackageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = double_with({"submissions/accepted/right.py": "print(2 * int(input()))\n"}).rename(tmp_path / "package")
    (tmp_path / "repos" / "ann").mkdir(parents=True)
    (tmp_path / "repos" / "ann" / "src").symlink_to("../../package/submissions/accepted")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"a link that leads out of its folder: name .*right.py"):
        collect(Path("repos/ann/src/right.py"), collector=replace(COLLECTOR, package=load(root)))


def test_a_link_in_the_package_is_one_of_its_submissions(double_with: PackageMaker) -> None:
    root = double_with({})
    link = root / "submissions/wrong_answer/linked.py"
    shared = root / "shared.py"
    (root / "submissions/wrong_answer/adds_one.py").rename(shared)
    link.symlink_to("../../shared.py")
    collector = replace(COLLECTOR, package=load(root))
    [entry] = collect(link, collector=collector).entries
    assert entry.program.path == "wrong_answer/linked.py"
    assert entry.rules


def test_a_link_within_its_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "monday").mkdir()
    (tmp_path / "monday" / "ann.py").write_text("print(1)")
    (tmp_path / "latest").symlink_to("monday")
    assert names(collect(tmp_path / "latest")) == ["ann.py"]


def test_a_folder_of_folders_of_submissions_is_refused(double_with: PackageMaker) -> None:
    """Else all programs of accepted/ would be one submission, and one verdict."""
    root = double_with({"submissions/wrong_answer/one.py": "print(1)\n"})
    with pytest.raises(UsageError, match=r"each would count as one: write .*submissions/\*, or --flat"):
        collect(root / "submissions")
    beside = collect(root / "submissions", root / "submissions" / "accepted")
    assert "double.py" in str(names(beside)), "a hand-in may hold such folders"
    flat = replace(COLLECTOR, flat=True)
    assert "accepted/double.py" in names(collect(root / "submissions", collector=flat))


def test_an_empty_folder_is_a_submission_that_does_not_compile(tmp_path: Path) -> None:
    (tmp_path / "subs" / "eve").mkdir(parents=True)
    assert troubles(collect(tmp_path / "subs")) == {"eve": "no program in this folder"}


def test_a_file_in_a_folder_may_have_blanks_brackets_and_letters_of_any_kind_in_its_name(tmp_path: Path) -> None:
    for folder, name in (("ann", "my solution.py"), ("bob", "größe (1).py"), ("eve", "@x.py")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("print(1)")
    found = collect(tmp_path)
    assert [list(entry.program.files) for entry in found.entries[:2]] == [["my solution.py"], ["größe (1).py"]]
    [(folder, trouble)] = troubles(found).items()
    assert folder == "eve" and trouble.startswith(
        "the name '@x.py' is not allowed (names begin with a letter, digit or _,"
    )


def test_names_that_are_no_text_are_told_apart(tmp_path: Path) -> None:
    for name in (b"a\xff.py", b"a\xfe.py"):
        (tmp_path / os.fsdecode(name)).write_text("print(1)")
    found = collect(tmp_path)
    assert names(found) == [r"a\xfe.py", r"a\xff.py"]
    for entry in found.entries:
        "".join(entry.program.files).encode()


def test_names_that_are_shown_alike_are_told_apart_by_numbers(tmp_path: Path) -> None:
    for name in (b"\\xff.py", b"\xff.py", b"\\xff.py (2)", b"good.py"):
        (tmp_path / os.fsdecode(name)).write_bytes(name)
    found = collect(tmp_path, collector=replace(COLLECTOR, language="python3"))
    contents = {entry.program.path: next(iter(entry.program.files.values())).read() for entry in found.entries}
    assert contents == {
        r"\xff.py": rb"\xff.py",
        r"\xff.py (2)": rb"\xff.py (2)",
        r"\xff.py (3)": b"\xff.py",
        "good.py": b"good.py",
    }


def test_a_source_over_the_limit_is_not_read(tmp_path: Path) -> None:
    vast = tmp_path / "vast.py"
    with vast.open("wb") as file:
        file.truncate(1 << 40)  # a hole: reading it would take all memory, or hours
    (tmp_path / "good.py").write_text("print(1)")
    found = collect(tmp_path)
    [(name, trouble)] = troubles(found).items()
    assert (name, trouble.partition(" (")[0]) == (
        "vast.py",
        f"{1 << 40} bytes of source, the limit is {128 * 1024}",
    )
    assert names(found) == ["good.py", "vast.py"]


def test_two_folders_with_files_of_one_name_are_told_apart_by_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "main.py").write_text("print(1)")
    assert names(collect(Path("ann"), Path("bob"))) == ["ann/main.py", "bob/main.py"]
    with pytest.raises(UsageError, match="named twice"):
        collect(Path("ann"), Path("ann"))


def test_answers_that_are_handed_in_may_be_called_anything(tmp_path: Path) -> None:
    (tmp_path / "ann.zip").write_bytes(b"")
    (tmp_path / "bob.txt").write_text("1")
    package = replace(PACKAGE, types=frozenset({ProblemType.SUBMIT_ANSWER}))
    assert names(collect(tmp_path, collector=replace(COLLECTOR, package=package))) == ["ann.zip", "bob.txt"]


def test_what_is_no_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("print(1)")
    (tmp_path / "notes.md").write_text("hello")
    (tmp_path / ".hidden.py").write_text("")
    (tmp_path / "__MACOSX").mkdir()
    found = collect(tmp_path)
    assert (names(found), found.passed_over) == (["good.py"], (f"{tmp_path.name}/notes.md",))


def test_a_submission_of_the_package_keeps_its_demands_when_it_is_named_by_its_folder(
    double_with: PackageMaker,
) -> None:
    root = double_with(
        {
            "submissions/wrong_answer/alone/main.py": "print(2)\n",
            "submissions/wrong_answer/deep/a/util.py": "TWO = 2\n",
            "submissions/wrong_answer/deep/main.py": "print(2)\n",
        }
    )
    collector = Collector(package=load(root), languages=load_table(()))
    folder = root / "submissions/wrong_answer"
    own = ["wrong_answer/adds_one.py", "wrong_answer/alone", "wrong_answer/deep"]
    named = collect(folder / "adds_one.py", folder / "alone", folder / "deep", collector=collector)
    for found in (named, collect(folder, collector=collector)):
        assert names(found) == own
        assert all(entry.rules for entry in found.entries)
    single = collect(folder / "alone" / "main.py", collector=collector)
    assert names(single) == ["wrong_answer/alone"]
    [part] = collect(folder / "deep" / "main.py", collector=collector).entries
    assert part.rules is None


def test_a_zip_is_a_submission_of_the_files_in_it_also_below_a_single_folder(tmp_path: Path) -> None:
    files = {"main.py": "import twice\n", "twice.py": "n = 2\n"}
    for name, top in (("ann.zip", ""), ("bob.ZIP", "bob/my hand-in/")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("__MACOSX/._main.py", "made by a Mac")
            for path, text in files.items():
                archive.writestr(top + path, text)
    found = collect(tmp_path)
    assert names(found) == ["ann.zip", "bob.ZIP"]
    assert troubles(found) == {}
    for entry in found.entries:
        assert {path: file.read().decode() for path, file in entry.program.files.items()} == files
    assert names(collect(tmp_path / "ann.zip")) == [str(tmp_path / "ann.zip")]


def test_a_zip_is_unpacked_also_if_the_language_is_stated(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        archive.writestr("main", "print(1)")
    [entry] = collect(tmp_path, collector=replace(COLLECTOR, language="python3")).entries
    assert list(entry.program.files) == ["main"]


def test_an_archive_that_cannot_be_used_is_a_compile_error_of_its_author(tmp_path: Path) -> None:
    (tmp_path / "cut.zip").write_bytes(b"PK\3\4")
    (tmp_path / "a.tar.gz").write_bytes(b"\x1f\x8b")
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        archive.writestr("../main.py", "print(1)")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with zipfile.ZipFile(tmp_path / "large.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", b" " * (65 << 20))
    told = troubles(collect(tmp_path))
    words = {
        "a.tar.gz": "hand in a zip",
        "cut.zip": "not a zip that can be read",
        "empty.zip": "no program in this folder",
        "large.zip": "too much",
        "out.zip": "leads out of the package",
    }
    assert told.keys() == words.keys()
    for name, word in words.items():
        assert word in told[name]
        assert str(tmp_path) not in told[name]
