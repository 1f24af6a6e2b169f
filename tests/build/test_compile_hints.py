"""A compile error that is of this machine or of today's standard says what fixes it."""

from dataclasses import replace
from pathlib import Path

import pytest

from conftest import DOUBLE, PackageMaker, judge_file
from harness.build import compile_hints
from harness.build.compiler import BuildLimits
from harness.build.executable import CompileFailure, Executable
from harness.errors import JudgeError
from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.results.verdict import Verdict

READS = "int main() { long long n; std::cin >> n; std::cout << 2 * n << std::endl; }\n"


@pytest.mark.parametrize(
    ("header", "fix"),
    [
        ("boost/multiprecision/no_such_part.hpp", "apt install libboost-dev"),
        ("gmpxx.h", "apt install libgmp-dev"),
        ("Eigen/Dense", "apt install libeigen3-dev"),
        ("iostream.h", "include <iostream>"),
        ("algo.h", "include <algorithm>"),
        ("bits/stdc++.h", "apt install g++"),
        ("conio.h", "is of Windows"),
        ("flat_map", "-std=gnu++23"),
    ],
)
def test_missing_header_is_told_with_what_brings_it(header: str, fix: str) -> None:
    gcc = f"a.cpp:1:10: fatal error: {header}: No such file or directory\n"
    clang = f"a.cpp:1:10: fatal error: '{header}' file not found\n"
    for said in (gcc, clang):
        assert fix in (compile_hints.of_headers(said) or "")


@pytest.mark.parametrize(
    ("said", "header"),
    [
        ("error: field ‘buffer’ has incomplete type ‘std::array<char, 512>’", "<array>"),
        ("error: implicit instantiation of undefined template; incomplete type 'std::array<int, 2>'", "<array>"),
        (
            "error: variable ‘std::stringstream s’ has initializer but incomplete type ‘std::stringstream’",
            "<sstream>",
        ),
        ("error: aggregate ‘std::ofstream o’ has incomplete type ‘std::basic_ofstream<char>’", "<fstream>"),
    ],
)
def test_the_header_that_defines_a_class_is_told(said: str, header: str) -> None:
    assert f"#include {header} is missing" in (compile_hints.of_headers(said) or "")


FORGETS_HEADERS = b"""#include <tuple>
std::array<int, 3> a;
#ifdef _GLIBCXX_ARRAY
std::unordered_map<int, int> seen;
#endif
int main() { return a[0]; }
"""


def test_a_judge_program_whose_compiler_brought_more_headers_along_is_built_with_them(host: Host) -> None:
    """GCC first says that `std::array` is incomplete, then that there is no `std::unordered_map`."""
    files = {
        "v.cpp": File(origin=Path("v.cpp"), content=FORGETS_HEADERS),
        "array": File(origin=Path("array"), content=b"#error this is not the header\n"),
    }
    program = Program(path="v.cpp", files=files)
    [refused] = host.build_all([program], BuildLimits())
    assert isinstance(refused, CompileFailure)
    [built] = host.build_all([program], BuildLimits(older_dialects=True))
    assert isinstance(built, Executable), built.retries
    assert built.warnings.partition("\n")[0].endswith("#include <array>, #include <unordered_map>")


def test_headers_of_another_language_are_not_missing(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    if not host.builder.offers("java"):
        pytest.skip("no Java here")
    monkeypatch.setattr(compile_hints, "missing_headers", lambda _: pytest.fail("no question for Java"))
    text = b'class A { String s = "did you forget to \xe2\x80\x98#include <array>\xe2\x80\x99"; int x = ; }\n'
    program = Program(path="A.java", files={"A.java": File(origin=Path("A.java"), content=text)})
    [refused] = host.build_all([program], BuildLimits(older_dialects=True))
    assert not isinstance(refused, Executable)


@pytest.mark.parametrize(
    ("said", "headers"),
    [
        (
            "note: ‘std::sort’ is defined in header ‘<algorithm>’; did you forget to ‘#include <algorithm>’?",
            "algorithm",
        ),
        ("error: field ‘b’ has incomplete type ‘std::array<char, 512>’", "array"),
        ("error: aggregate ‘std::array<int, 3> a’ has incomplete type and cannot be defined", "array"),
        ("note: include the header <string.h> or explicitly provide a declaration for 'strlen'", "string.h"),
        ("note: did you forget to ‘#include </etc/passwd>’?", ""),
        ("note: did you forget to ‘#include <../a.h>’?", ""),
        ("error: no match for ‘operator<<’", ""),
    ],
)
def test_headers_that_are_missing_are_read_from_the_compilers_words(said: str, headers: str) -> None:
    assert compile_hints.missing_headers(said) == headers.split()


@pytest.mark.parametrize(
    "said", ["", "a.cpp:1: error: expected ';'", "fatal error: mine.h: No such file or directory"]
)
def test_nothing_is_said_of_other_errors(said: str) -> None:
    assert compile_hints.of_headers(said) is None
    assert not compile_hints.of_standards(said)


@pytest.mark.parametrize(
    ("source", "first"),
    [
        ("#include <boost/no_such_part.hpp>\nint main() {}\n", "apt install libboost-dev"),
        (
            "#include <iostream>\nusing namespace std;\nint size[9];\nint f() { return size[0]; }\n" + READS,
            "compiles with -std=gnu++14, not with -std=gnu++20",
        ),
        (
            "#include <cstdio>\n#include <iostream>\nint f(char *s) { auto t = gets(s); return *t; }\n" + READS,
            "compiles with -std=gnu++11, not with -std=gnu++20",
        ),
    ],
    ids=["header", "name_taken_in_2017", "name_given_up_in_2014"],
)
def test_compile_error_of_a_submission_begins_with_its_mend(
    host: Host, tmp_path: Path, source: str, first: str
) -> None:
    path = tmp_path / "old.cpp"
    path.write_text(source)
    result = judge_file(load(DOUBLE), path, host)
    assert result.verdict is Verdict.COMPILE_ERROR
    assert first in result.message.splitlines()[0]


@pytest.mark.parametrize("name", ["a.cpp", "a.py"])
def test_compile_error_of_a_source_in_utf_16_begins_with_that(host: Host, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("int main() {}\n", encoding="utf-16")
    result = judge_file(load(DOUBLE), tmp_path / name, host)
    assert result.message.splitlines()[0] == f"fix: {name} is UTF-16: save it as UTF-8"


def test_compile_error_of_a_folder_with_a_makefile_says_that_it_is_not_used(host: Host) -> None:
    sources = {"Makefile": b"all:\n", "src/main.c": b'#include "x.h"\nint main(void) {}\n', "include/x.h": b""}
    files = {name: File(origin=Path(name), content=content) for name, content in sources.items()}
    [built] = host.build_all([Program(path="ann", files=files)], BuildLimits())
    assert isinstance(built, CompileFailure)
    assert built.diagnostics.startswith("fix: Makefile is not used: all sources are compiled in one call")


def test_program_that_no_standard_takes_has_no_such_line(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "broken.cpp"
    path.write_text(
        "#include <iostream>\nusing namespace std;\nint size[9];\nint f() { return size[0] + nosuch; }\n"
    )
    result = judge_file(load(DOUBLE), path, host)
    assert result.verdict is Verdict.COMPILE_ERROR
    assert "compiles with" not in result.message


def test_package_decides_how_large_sources_and_compiled_files_may_be(host: Host, tmp_path: Path) -> None:
    package = load(DOUBLE)
    source = tmp_path / "tables.cpp"
    source.write_text("char table[300 << 20] = {1};\n#include <iostream>\n" + READS + "// " + "x" * 140_000 + "\n")
    refused = judge_file(package, source, host)
    assert refused.verdict is Verdict.COMPILE_ERROR
    assert "problem.yaml raises it with `limits: code: 137`" in refused.message
    package = replace(package, limits=replace(package.limits, code_kib=137, memory_mib=1024))
    refused = judge_file(package, source, host)
    assert "raise `limits: compilation_memory` in problem.yaml, of which it may be an eighth" in refused.message
    package = replace(package, limits=replace(package.limits, compilation_memory_mib=4096))
    assert judge_file(package, source, host).verdict is Verdict.ACCEPTED


def test_judge_program_that_lacks_a_known_header_is_told_the_debian_package(
    double_with: PackageMaker, host: Host
) -> None:
    validator = "#include <boost/no_such_part.hpp>\nint main() {}\n"
    package = load(double_with({"output_validator/check.cpp": validator}))
    with pytest.raises(JudgeError, match="apt install libboost-dev") as caught:
        judge_file(package, DOUBLE / "submissions" / "accepted" / "double.py", host)
    assert "is not in the package" not in str(caught.value)
