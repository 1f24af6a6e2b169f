"""Packages of Polygon and Library Checker that are broken by hand: the fault names file and line, and what to do."""

import shutil
from pathlib import Path

import pytest

from conftest import TESTS
from harness.errors import PackageError
from harness.package.load import load

PACKAGES = TESTS / "packages"
LIMITS = ("        <time-limit>1500</time-limit>", "<memory-limit>268435456</memory-limit>")
TESTS_OF_XML = """            <tests>
                <test method="manual" sample="true"/>
                <test method="manual"/>
                <test cmd="gen 1000" method="generated"/>
            </tests>
"""
GENERATED = 'cmd="gen 1000" method="generated"'
SUM = "0" * 64
LATIN_1 = "Übung".encode("latin-1")


def broken(tmp_path: Path, package: str, name: str, before: str, after: str | bytes) -> Path:
    """Copy a package, with one change in a file; before "": all of the file is replaced."""
    root = tmp_path / "common" / package
    shutil.copytree(PACKAGES / package, root)
    if (PACKAGES / "common").is_dir() and package == "load_library_checker":
        shutil.copytree(PACKAGES / "common", tmp_path / "common" / "common")
    path, new = root / name, after.encode() if isinstance(after, str) else after
    content = path.read_bytes()
    assert before.encode() in content
    path.write_bytes(content.replace(before.encode(), new, 1) if before else new)
    return root


def faults_of(root: Path) -> str:
    with pytest.raises(PackageError) as raised:
        load(root, built=False)
    return "\n".join(f"{fault.path.name}:{fault.line}: {fault.message}" for fault in raised.value.faults)


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('value="Double"', b'value="' + LATIN_1 + b'"', "problem.xml:4: not XML: bytes that are not UTF-8: save it"),
        (">1500<", ">fast<", "problem.xml:8: <time-limit> must be a number of milliseconds"),
        (">1500<", f">{'9' * 400}<", "problem.xml:8: <time-limit> must be a number of milliseconds"),
        (">268435456<", f">{'9' * 60}<", "problem.xml:9: <memory-limit> must be a number of bytes"),
        ("tests/%02d.a", "tests/%02d", "problem.xml:7: the path patterns of inputs and of answers are the same"),
        (TESTS_OF_XML, "", "problem.xml:7: tests/04, tests/05, tests/06 and 24 more: not found, and no generator"),
        ("solutions/wrong.py", "/etc/passwd", "problem.xml:41: the source of a solution, /etc/passwd, is not in"),
        ('<source path="files/check.cpp" type="cpp.g++17"/>', "", "problem.xml:28: the checker has no <source>: add"),
    ],
)  # fmt: skip
def test_a_broken_polygon_package_is_described_with_its_line(
    tmp_path: Path, before: str, after: str | bytes, fault: str
) -> None:
    root = broken(tmp_path, "load_polygon", "problem.xml", before, after)
    if before == TESTS_OF_XML:
        manifest = root / "problem.xml"
        manifest.write_text(manifest.read_text().replace("<test-count>3<", "<test-count>30<"))
    assert fault in faults_of(root)


@pytest.mark.parametrize("count", ["many", "0", "-4"])
def test_a_testset_without_tests_and_without_their_number_is_a_fault(tmp_path: Path, count: str) -> None:
    root = broken(tmp_path, "load_polygon", "problem.xml", TESTS_OF_XML, "")
    manifest = root / "problem.xml"
    manifest.write_text(manifest.read_text().replace("<test-count>3<", f"<test-count>{count}<"))
    assert "problem.xml:7: no <test>, and no number of tests in <test-count>: add them" in faults_of(root)


@pytest.mark.parametrize(
    ("call", "removed", "fault"),
    [
        (
            "gen ${i}",
            "tests/03",
            "its call `gen ${i}` is of a script that is not expanded (`${`): use the package",
        ),
        ("gen 5", "files/gen.cpp", "files/gen.cpp, the source of its generator, is not in the package: add it"),
        ("", "tests/03", "no generator makes it: add the file, or a call of a generator (`cmd`)"),
        (
            "rand 5",
            "tests/03",
            "its generator `rand` is not among the <executables>: add it there, or put the test",
        ),
    ],
)
def test_an_absent_test_that_cannot_be_made_is_described(
    tmp_path: Path, call: str, removed: str, fault: str
) -> None:
    cmd = f'cmd="{call}" method="generated"'
    root = broken(tmp_path, "load_polygon", "problem.xml", GENERATED, cmd)
    for name in {"tests/03", "tests/03.a", removed}:
        (root / name).unlink()
    assert f"problem.xml:16: tests/03: not found, and {fault}" in faults_of(root)


def test_an_interactor_without_a_source_is_a_fault(tmp_path: Path) -> None:
    """Else the checker alone would judge."""
    source = '<source path="files/interactor.cpp" type="cpp.g++17"/>'
    root = broken(tmp_path, "load_polygon_interactive", "problem.xml", source, "")
    assert "the interactor has no <source>: add it, or remove the element" in faults_of(root)


def test_a_second_main_solution_is_a_warning(tmp_path: Path) -> None:
    root = broken(tmp_path, "load_polygon", "problem.xml", 'tag="wrong-answer"', 'tag="main"')
    [warning] = load(root).warnings
    assert "problem.xml:40: a second solution with the tag `main`: answers are made by" in warning


@pytest.mark.parametrize(
    ("package", "name"), [("load_polygon", "problem.xml"), ("load_library_checker", "info.toml")]
)
def test_a_manifest_that_is_a_link_out_of_the_package_is_a_fault(tmp_path: Path, package: str, name: str) -> None:
    root = Path(shutil.copytree(PACKAGES / package, tmp_path / package))
    (root / name).rename(tmp_path / name)
    (root / name).symlink_to(tmp_path / name)
    assert f"{name}:None: not a file of this package: copy the file in" in faults_of(root)


@pytest.mark.parametrize(
    ("name", "before", "after", "fault"),
    [
        ("info.toml", '"Double"', "4", "info.toml:1: `title` is 4: expected a text"),
        ("info.toml", '"Double"', b'"' + LATIN_1 + b'"', "info.toml:1: bytes that are not UTF-8: save it as UTF-8"),
        ("info.toml", "2.0", '"2"', "info.toml:2: `timelimit` is '2': expected a number"),
        ("info.toml", "2.0", "nan", "info.toml:2: `timelimit` is nan: expected seconds, above 0"),
        ("info.toml", "1_000_000", "9" * 5000, "info.toml:None: a number of thousands of digits: write a smaller one"),
        ("info.toml", "N_MAX =", '"Ñ" =', "info.toml:23: `Ñ` must be a name of C and its value a number or a text"),
        ("info.toml", "random.cpp", "example.cpp", "info.toml:8: another test makes example_00.in, too: use each"),
        ("info.toml", 'name = "small_only.cpp"', "", "a solution needs the `name` of a file of sol/"),
        ("hash.json", "", '{"random_00.in": 4', "hash.json:1: not JSON: Expecting ',' delimiter"),
        ("hash.json", "", '{"random_00.in": 4}', "hash.json:None: `random_00.in`: expected the SHA-256 of the file"),
        ("hash.json", "", '["ab"]', 'hash.json:None: expected {"NAME": "SHA-256 OF THE FILE", …}'),
        ("task.md", "", b"# Double\n" + LATIN_1, "task.md:2: bytes that are not UTF-8: save it as UTF-8"),
    ],
)  # fmt: skip
def test_a_broken_library_checker_problem_is_described_with_its_line(
    tmp_path: Path, name: str, before: str, after: str | bytes, fault: str
) -> None:
    faults = faults_of(broken(tmp_path, "load_library_checker", name, before, after))
    assert fault in faults
    assert faults.count("\n") == 0  # one mistake, one fault


def test_info_toml_may_begin_with_the_mark_of_windows_editors(tmp_path: Path) -> None:
    root = broken(tmp_path, "load_library_checker", "info.toml", "title", b"\xef\xbb\xbftitle")
    assert load(root, built=False).names
