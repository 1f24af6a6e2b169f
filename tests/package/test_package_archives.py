"""Packages in archives: what loads, what is refused by name, and that nothing is left behind."""

import stat
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import DOUBLE
from harness.errors import PackageError
from harness.generate.recipe import read_recipe
from harness.package import archive as archive_module
from harness.package.archive import opened, slug_of
from harness.package.find import find_package
from harness.package.load import load
from harness.package.workspace import RECIPE

Fill = Callable[[zipfile.ZipFile], None]


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where unpacked packages go in this test."""
    folder = tmp_path / "private"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def zipped(path: Path, top: str = "", extra: Fill = lambda _: None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(DOUBLE.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                archive.write(file, top + file.relative_to(DOUBLE).as_posix())
        extra(archive)
    return path


@pytest.mark.parametrize("top", ["", "double/", "another-name/", "repository-main/2025/double/"])
@pytest.mark.parametrize("ending", [".zip", ".kpp"])
def test_archive_loads_as_the_folder_does(top: str, ending: str, tmp_path: Path, private: Path) -> None:
    path = zipped(tmp_path / f"double{ending}", top)
    assert find_package(path.name, tmp_path) == path
    assert slug_of(path) == "double"
    with opened(path) as root:
        package, same = load(root), load(DOUBLE)
        assert (package.slug, package.names) == ("double", same.names)
        assert {name: file.read() for name, file in package.files.items()} == {
            name: file.read() for name, file in same.files.items()
        }
        assert list(private.iterdir())
    assert not list(private.iterdir())


def test_findings_name_the_archive_and_not_where_it_was_unpacked(tmp_path: Path, private: Path) -> None:
    def spoil(archive: zipfile.ZipFile) -> None:
        archive.writestr("top/double/data/secret/notes", "")
        archive.writestr("top/double/data/secret/01-zero.yaml", "hint: a\nargz: [1]\n")

    path = zipped(tmp_path / "double.zip", "top/double/", spoil)
    with opened(path) as root, pytest.raises(PackageError) as found:
        load(root)
    assert str(found.value.faults[0]).startswith(f"{path}/top/double/data/secret/01-zero.yaml:2: unknown key")
    assert str(found.value.warnings[0]).startswith(f"{path}/top/double/data/secret/notes: ")
    assert str(private) not in str(found.value)


def test_a_fault_of_a_recipe_names_the_archive(tmp_path: Path, private: Path) -> None:
    broken = zipped(tmp_path / "broken.zip", extra=lambda archive: archive.writestr(RECIPE, "{[1]: 2}\n"))
    with opened(broken) as root:
        package = load(root)
        with pytest.raises(PackageError) as caught:
            read_recipe(package.files, package.constants)
    [fault] = caught.value.faults
    assert (fault.path, fault.line) == (broken / RECIPE, 1)


def test_a_top_folder_with_two_manifests_is_one_package(tmp_path: Path, private: Path) -> None:
    path = zipped(
        tmp_path / "double.zip",
        "double/",
        lambda archive: archive.writestr("double/domjudge-problem.ini", "timelimit=1\n"),
    )
    with opened(path) as root:
        assert load(root).title == "Double"


def test_modes_come_out_of_the_archive_and_litter_does_not(tmp_path: Path, private: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        entry = zipfile.ZipInfo("double/output_validator/run")
        entry.external_attr = (stat.S_IFREG | 0o755) << 16
        archive.writestr(entry, "#!/bin/sh\n")
        archive.writestr("__MACOSX/double/._problem.yaml", "x")
        archive.writestr("double/.DS_Store", "x")

    with opened(zipped(tmp_path / "double.zip", "double/", fill)) as root:
        files = load(root).files
        assert files["output_validator/run"].executable
        assert not files["problem.yaml"].executable
        assert [name for name in files if "DS_Store" in name or "MACOSX" in name] == []


def named(name: str, mode: int = stat.S_IFREG | 0o644, *, encrypted: bool = False) -> Fill:
    def fill(archive: zipfile.ZipFile) -> None:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        archive.writestr(entry, "x")
        if encrypted:
            archive.filelist[-1].flag_bits |= 0x1

    return fill


def linked(leads_to: str, *names: str) -> Fill:
    """A link to there, and files of these further names."""

    def fill(archive: zipfile.ZipFile) -> None:
        entry = zipfile.ZipInfo(names[0] if names else "data/secret/9.in")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, leads_to)
        for name in names[1:]:
            archive.writestr(name, "x")

    return fill


def test_a_link_within_the_package_is_read_as_in_a_folder(tmp_path: Path, private: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        linked("../sample/1.in", "double/data/secret/9.in")(archive)
        linked("9.ans.target", "double/data/secret/9.ans")(archive)
        linked("sample/", "double/data/again")(archive)
        linked("../../../data/sample/1.ans", "double/data/secret/deep/9.in")(archive)
        archive.writestr("double/data/secret/9.ans.target", "2\n")
        archive.writestr("double/data/secret/deep/9.ans", "2\n")

    with opened(zipped(tmp_path / "double.zip", "double/", fill)) as root:
        files = load(root).files
        assert files["data/secret/9.in"].read() == files["data/sample/1.in"].read()
        assert files["data/secret/9.ans"].read() == b"2\n"
        assert files["data/again/1.in"].read() == files["data/sample/1.in"].read()
        assert files["data/secret/deep/9.in"].read() == files["data/sample/1.ans"].read()


@pytest.mark.parametrize("dressed", ["./{}", "{}"], ids=["dotted", "windows"])
def test_names_of_other_tools_are_read(dressed: str, tmp_path: Path, private: Path) -> None:
    path = tmp_path / "double.zip"
    with zipfile.ZipFile(path, "w") as archive:
        if dressed != "{}":
            archive.writestr(zipfile.ZipInfo("./"), "")
        for file in sorted(DOUBLE.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                entry = zipfile.ZipInfo(dressed.format(file.relative_to(DOUBLE).as_posix()))
                if dressed == "{}":
                    entry.create_system = 0
                    entry.filename = entry.filename.replace("/", "\\")
                archive.writestr(entry, file.read_bytes())
    with opened(path) as root:
        assert sorted(load(root).files) == sorted(load(DOUBLE).files)


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        (named("../outside"), "outside: a name that leads out of the package"),
        (named("data/../../outside"), "a name that leads out of the package"),
        (named("/etc/passwd"), "an absolute name"),
        (named("C:/windows"), "an absolute name"),
        (named("data\\secret\\1.in"), "as some tools of Windows write it"),
        (linked("../../../etc/passwd"), "data/secret/9.in: a link to b'../../../etc/passwd'"),
        (linked("/etc/passwd"), "may leave the package"),
        (linked("../sample/../../../x"), "may leave the package"),
        (linked("x" * 2000), "a link of many letters"),
        (linked("../sample", "data/secret/9.in", "data/secret/9.in/1.in"), "is a file and a folder at once"),
        (named("data/secret/9.in", stat.S_IFIFO | 0o644), "neither a file nor a folder"),
        (named("data/secret/9.in", encrypted=True), "encrypted"),
        (named("a/" * 60 + "b"), "too long or too deep"),
        (named("problem.yaml"), "stands in the archive twice"),
        (named("problem.yaml/inside"), "is a file and a folder at once"),
        (lambda archive: archive.writestr("data/secret/9.in", bytes(300 << 20)), "too much for an archive"),
    ],
    ids=[
        "up",
        "up_inside",
        "absolute",
        "drive",
        "backslash",
        "link_up",
        "absolute_link",
        "link_up_further_on",
        "long_link",
        "through_a_link",
        "fifo",
        "encrypted",
        "deep",
        "twice",
        "both",
        "bomb",
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_entry_that_could_do_harm_is_refused_by_name(
    fill: Fill, message: str, tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "FREE_BYTES", 1 << 20)
    path = zipped(tmp_path / "double.zip", "", fill)
    with pytest.raises(PackageError) as caught, opened(path):
        pytest.fail("unpacked")
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert not list(private.iterdir())
    assert not (tmp_path / "outside").exists()


def test_archive_that_lies_about_its_sizes_unpacks_no_more_than_it_promised(tmp_path: Path, private: Path) -> None:
    path = zipped(tmp_path / "double.zip", "", lambda archive: archive.writestr("big.txt", bytes(5_000_000)))
    lying = path.read_bytes().replace((5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(lying)
    try:
        with opened(path) as root:
            assert (root / "big.txt").stat().st_size <= 10
    except PackageError as error:
        assert "not a zip that can be read" in str(error)
    assert not list(private.iterdir())


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive at all", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_archive_is_a_fault(content: bytes, tmp_path: Path, private: Path) -> None:
    path = tmp_path / "double.zip"
    path.write_bytes(content)
    with pytest.raises(PackageError), opened(path) as root:
        load(root)
    assert not list(private.iterdir())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_packing_whose_output_has_no_bound_is_refused(method: int, tmp_path: Path, private: Path) -> None:
    path = zipped(tmp_path / "double.zip", extra=lambda archive: archive.writestr("data/x", "x", method))
    with pytest.raises(PackageError, match="use Deflate"), opened(path):
        pass
    assert not list(private.iterdir())


@pytest.mark.parametrize("names", [("./x", "x/y"), ("x//y", "x"), (".",)])
def test_names_that_mean_another_are_refused(names: tuple[str, ...], tmp_path: Path, private: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        for name in names:
            archive.writestr(name, "x")

    with pytest.raises(PackageError, match="not plain"), opened(zipped(tmp_path / "double.zip", extra=fill)):
        pass


@pytest.mark.parametrize("name", ["..zip", "...zip", "....kpp"])
def test_an_archive_s_own_name_leads_nowhere(name: str, tmp_path: Path, private: Path) -> None:
    with opened(zipped(tmp_path / name)) as root:
        assert root.resolve().parent.parent == private
    assert not list(private.iterdir())


def test_what_was_unpacked_is_nobody_else_s_to_read(tmp_path: Path, private: Path) -> None:
    with opened(zipped(tmp_path / "double.zip")):
        [folder] = private.iterdir()
        assert folder.stat().st_mode & 0o077 == 0


def test_several_packages_in_one_archive_are_named(tmp_path: Path, private: Path) -> None:
    def second(archive: zipfile.ZipFile) -> None:
        archive.writestr("contest/other/problem.yaml", "name: Other\n")

    path = zipped(tmp_path / "contest.zip", "contest/double/", second)
    with (
        pytest.raises(PackageError, match=r"holds 2 packages \(contest/double, contest/other\): unpack it"),
        opened(path),
    ):
        pass


def test_names_of_an_archive_are_shown_in_their_letters_but_control_and_direction_marks_are_escaped(
    tmp_path: Path, private: Path
) -> None:
    path = zipped(tmp_path / "double.zip", "größe/", named("größe/日\u202e\x1b/../x"))
    with pytest.raises(PackageError) as caught, opened(path):
        pass
    assert f"{path}/größe/日\\u202e\\x1b/../x: " in str(caught.value)


def test_an_archive_in_an_archive_is_named(tmp_path: Path, private: Path) -> None:
    inner, outer = zipped(tmp_path / "double.zip"), tmp_path / "twice.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "double.zip")
    with pytest.raises(PackageError, match=r"another archive \(double\.zip\): unpack it once"), opened(outer):
        pass
