"""Which mutants there are, and that a schema behaves as each of them does alone."""

import re
import subprocess
from pathlib import Path

import pytest

from harness.host.host import Host
from harness.mutate import cpp, python
from harness.mutate.building import build_mutants, failing_mutants, schema_of
from harness.mutate.mutants import Edit, Operator
from harness.package import Program
from harness.package.files import File

pytest.importorskip("tree_sitter_cpp")

REFERENCE = Path(__file__).parent.parent.parent / "reference"

SEARCH = b"""#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
int rows, columns;
int64_t total(int n) {
    int64_t sum = 0;
    for (int i = 0; i < n; ++i) sum += i * int64_t{n} / 2;
    return sum;
}
int main() {
    if (std::scanf("%d %d", &rows, &columns) != 2) return 1;
    const int steps[4] = {1, -1, columns, -columns};
    std::vector<int> seen(100, 0), queue = {0};
    size_t at = 0;
    int most = 0;
    while (at < queue.size()) {
        const int cell = queue[at++];
        for (const int step : steps) {
            const int next = cell + step;
            if (next < 0 || next >= rows * columns || seen[next]) continue;
            seen[next] = 1;
            queue.push_back(next);
            most = std::max(most, next % 7);
        }
    }
    int left = 3;
    left = 0;
    left += most;
    std::printf("%d %zu %lld\\n", left, queue.size(), (long long)total(rows));
}
"""

SUM_PY = b"""def total(rows, columns):
    grid = [[row * column for column in range(columns)] for row in range(rows)]
    best = 0
    for row in range(rows):
        for column in range(columns):
            if grid[row][column] > best and not row == column:
                best = min(grid[row][column], 50) // 2
                continue
            best += 0
    return best

rows, columns = map(int, input().split())
print(total(rows, columns))
"""


def mutated(source: bytes, edit: Edit) -> bytes:
    """Apply one edit."""
    return source[: edit.start] + edit.text.encode() + source[edit.end :]


def test_cpp_has_mutants_of_every_kind_of_mistake() -> None:
    found = {mutant.operator for mutant in cpp.mutants_of(SEARCH)}
    assert found >= set(Operator) - {Operator.CONDITION, Operator.ARGUMENTS, Operator.JUMP, Operator.ORDER}


def test_python_has_mutants_of_the_kinds_that_it_knows() -> None:
    found = {mutant.operator for mutant in python.mutants_of(SUM_PY)}
    wanted = {Operator.BOUNDARY, Operator.RELATION, Operator.CONDITION, Operator.CONJUNCTION, Operator.CONSTANT}
    wanted |= {Operator.MINMAX, Operator.AXES, Operator.DIVISION, Operator.RESET, Operator.JUMP, Operator.UPDATE}
    assert found >= wanted


@pytest.mark.parametrize("source", [SEARCH, SUM_PY], ids=["cpp", "python"])
def test_every_mutant_changes_the_source_and_has_an_id_of_its_own(source: bytes) -> None:
    mutants = cpp.mutants_of(source) if source is SEARCH else python.mutants_of(source)
    assert len({mutant.id for mutant in mutants}) == len(mutants)
    assert all(mutated(source, mutant.edit) != source for mutant in mutants)


def test_ids_survive_changes_elsewhere_and_not_those_of_their_line() -> None:
    before = {mutant.id for mutant in cpp.mutants_of(SEARCH)}
    moved = {mutant.id for mutant in cpp.mutants_of(b"// a comment\n" + SEARCH)}
    renamed = {mutant.id for mutant in cpp.mutants_of(SEARCH.replace(b"left += most;", b"left += most + 0;"))}
    assert before == moved
    assert before - renamed


def test_constants_of_types_are_left_alone() -> None:
    source = b"#include <array>\nconstexpr int k = 7;\nint f() { std::array<int, 4> a{}; return a[k - 4]; }\n"
    assert not [one for one in cpp.mutants_of(source) if one.before in ("7", "4") and one.line != 3]
    assert not [one for one in cpp.mutants_of(source) if one.before == "4" and "array" in one.after]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["return", "return None"])
def test_a_return_of_nothing_at_a_function_s_end_is_no_mutant_but_one_before_is(end: str) -> None:
    source = f"def f(values):\n    for one in values:\n        {end}\n    {end}\n".encode()
    changed = [(mutant.line, mutant.after) for mutant in python.mutants_of(source)]
    assert changed == [(3, "(nothing)")]


@pytest.mark.slow
def test_every_mutated_python_reference_still_compiles() -> None:
    for path in sorted(REFERENCE.glob("*/accepted/*.py")):
        source = path.read_bytes()
        for mutant in python.mutants_of(source):
            compile(mutated(source, mutant.edit), "mutant.py", "exec")


def test_compiler_s_complaints_name_the_mutants_of_their_lines() -> None:
    mutants = cpp.mutants_of(SEARCH)
    schema = schema_of(SEARCH, mutants)
    lines = enumerate(schema.splitlines(), start=1)
    line, number = next(
        (at, found[1]) for at, text in lines if (found := re.match(r"harness_mutant == (\d+) ", text))
    )
    assert failing_mutants(schema, f"program.cpp:{line}:3: error: no\nprogram.cpp:1:1: note: no") == {int(number)}


def program(name: str, source: bytes, tmp_path: Path) -> Program:
    path = tmp_path / name
    path.write_bytes(source)
    return Program(path=f"accepted/{name}", files={name: File(origin=path)})


def test_mutants_that_do_not_compile_are_left_out_of_the_schema(host: Host, tmp_path: Path) -> None:
    source = b"#include <string>\nint len(std::string s, int n) { return s.size() + n; }\n"
    source += b'int main() { return len("a", 3) - 4; }\n'
    built = build_mutants(program("a.cpp", source, tmp_path), host)
    assert [one.after for one in built.unbuilt] == ['len(3, "a")']
    assert built.mutants


@pytest.mark.parametrize(
    "head", ["signed main()", "int32_t main(int32_t argc, char* argv[])", "signed main(signed n, const char** a)"]
)
def test_a_program_may_define_int_as_a_macro(host: Host, tmp_path: Path, head: str) -> None:
    source = f"#include <cstdint>\n#define int long long\n{head} {{ int twice = 4; return twice - 4; }}\n"
    built = build_mutants(program("wide.cpp", source.encode(), tmp_path), host)
    assert built.mutants and len(built.unbuilt) < len(built.mutants)


@pytest.mark.slow
def test_a_program_that_is_judged_under_other_names_is_mutated_so(host: Host, tmp_path: Path) -> None:
    source = b"#include <bits/stdc++.h>\nint link[3];\nint main() { link[0] = 4; return link[0] - 4; }\n"
    built = build_mutants(program("names.cpp", source, tmp_path), host, older_dialects=True)
    assert len(built.unbuilt) < len(built.mutants)


def output(command: list[str], given: bytes, **environment: str) -> tuple[int, bytes]:
    try:
        done = subprocess.run(command, input=given, capture_output=True, env=environment, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return -999, b""
    return done.returncode, done.stdout


def same_as_alone(host: Host, tmp_path: Path, numbers: slice) -> None:
    built = build_mutants(program("search.cpp", SEARCH, tmp_path), host)
    binary = str(built.executable.directory / "program.bin")
    ends = {Operator.STATEMENT, Operator.RELATION, Operator.CONJUNCTION, Operator.BOUNDARY, Operator.LATE_MARK}
    chosen = [one for one in built.mutants if one.operator not in ends][numbers]
    assert chosen
    for mutant in chosen:
        source, alone = tmp_path / f"{mutant.number}.cpp", tmp_path / f"{mutant.number}.bin"
        source.write_bytes(mutated(SEARCH, mutant.edit))
        subprocess.run(["g++", "-std=gnu++20", "-O0", "-o", alone, source], check=True, capture_output=True)
        for given in (b"3 4\n", b"2 2\n", b"5 1\n"):
            found = output([binary], given, HARNESS_MUTANT=str(mutant.number))
            assert found == output([str(alone)], given), f"{mutant.line}: {mutant.before} → {mutant.after}"


def test_what_the_package_gives_each_submission_is_given_to_mutants(host: Host, tmp_path: Path) -> None:
    source = b'#include "given.h"\nint main() { return given() > 1 ? 1 : 0; }\n'
    given = {"given.h": File(origin=tmp_path / "given.h", content=b"inline int given() { return 1; }\n")}
    built = build_mutants(program("a.cpp", source, tmp_path), host, {"cpp": given})
    assert "boundary" in {mutant.operator for mutant in built.mutants}


def test_schema_behaves_as_a_mutant_that_was_compiled_alone(host: Host, tmp_path: Path) -> None:
    same_as_alone(host, tmp_path, slice(3, None, 12))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_schema_behaves_as_every_mutant_that_was_compiled_alone(host: Host, tmp_path: Path) -> None:
    same_as_alone(host, tmp_path, slice(None))


def test_python_schema_behaves_as_the_mutated_source(host: Host, tmp_path: Path) -> None:
    built = build_mutants(program("sum.py", SUM_PY, tmp_path), host)
    command = ["python3", str(built.executable.directory / "main.py")]
    for mutant in built.mutants[::9]:
        alone = tmp_path / "alone.py"
        alone.write_bytes(mutated(SUM_PY, mutant.edit))
        found = output(command, b"3 4\n", HARNESS_MUTANT=str(mutant.number))
        assert found == output(["python3", str(alone)], b"3 4\n"), f"{mutant.before} → {mutant.after}"


def test_a_macro_that_begins_a_loop_is_not_left_out_and_keeps_its_order() -> None:
    mutants = cpp.mutants_of(b"void f(int n) { rep(i, 0, n) { g(i); } }")
    assert not [one for one in mutants if one.before.startswith("rep")]


def test_a_comment_in_japanese_leaves_the_late_mark_where_it_is() -> None:
    comment = f"/* {'訪問済み' * 50} */ const int cell".encode()
    source = SEARCH.replace(b"const int cell", comment)
    [plain], [commented] = (
        [one.edit for one in cpp.mutants_of(text) if one.operator is Operator.LATE_MARK]
        for text in (SEARCH, source)
    )
    assert mutated(source, commented) == mutated(SEARCH, plain).replace(b"const int cell", comment)
