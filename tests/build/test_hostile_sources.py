"""Sources that would keep the judge itself busy, before any program of theirs runs."""

from pathlib import Path

import pytest

from harness.build.compiler import BuildLimits, read_diagnostics
from harness.build.executable import Executable
from harness.build.source_files import is_perl
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.formats.submission_rules import rules_in_comments


def program_of(path: str, source: bytes) -> Program:
    return Program(path=path, files={path: File(origin=Path(path), content=source)})


@pytest.mark.parametrize(
    ("source", "perl"),
    [
        (b"my $n = <STDIN>;\n", True),
        (b"our \t( @list );\n", True),
        (b"my" + b" " * 50_000 + b"$n;\n", True),
        (b"my(X) :- write(X).\n", False),
    ],
    ids=range(4),
)
def test_perl_and_prolog_are_told_apart_by_their_text(source: bytes, perl: bool) -> None:
    assert is_perl(program_of("a.pl", source)) == perl


def test_blanks_without_end_are_read_at_once() -> None:
    """In quadratic time each would take hours."""
    blanks = b" " * 1_000_000
    for source in (b"my" + blanks, b"my(" + blanks, b"my" + blanks + b"(" + blanks):
        assert not is_perl(program_of("a.pl", source + b"x"))
    scored = program_of("accepted/a.pl", b"# @EXPECTED_SCORE@: 5" + blanks + b"x")
    assert rules_in_comments([scored], Findings(), scoring=True) == ()


def test_a_file_may_be_called_like_a_placeholder(host: Host) -> None:
    [built] = host.build_all([program_of("{memory_mib}.py", b"print(1)\n")], BuildLimits())
    assert isinstance(built, Executable)
    assert built.command(256 << 20).argv[-1].endswith("{memory_mib}.py")
    [built] = host.build_all(
        [program_of("Main.java", b"class Main { public static void main(String[] a) {} }\n")], BuildLimits()
    )
    assert not isinstance(built, Executable) or "-Xmx256m" in built.command(256 << 20).argv


def test_diagnostics_full_of_slashes_are_read_at_once(tmp_path: Path) -> None:
    """In quadratic time they would take minutes: `#error` prints what a contestant likes."""
    slashes = "/" * 60_000
    (tmp_path / "stdout").write_text(slashes)
    (tmp_path / "stderr").write_text("ld: /tmp/b-1/ccAbC123.o: in `main': undefined `x', in ccAbC123.o\n")
    text = read_diagnostics(tmp_path, tmp_path / "work")
    assert text == f"{slashes}ld: program.o: in `main': undefined `x', in program.o\n"
