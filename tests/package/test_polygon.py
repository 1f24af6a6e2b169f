"""Polygon's packages beyond their folders in tests/packages: what is absent is made, what is of Windows is read."""

import shutil
import zipfile
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import TESTS, calls_in, judge_file, reachable, write_files
from harness.errors import JudgeError, PackageError
from harness.generate.overlay import load_built
from harness.generate.recipe import read_recipe
from harness.host.host import Host
from harness.package import Package, Program
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.formats import polygon_tests
from harness.package.formats.polygon_scoring import GroupPolicy
from harness.package.formats.polygon_statements import add_statements, markdown_of
from harness.package.headers import nearest, with_headers
from harness.package.load import load
from harness.package.xml_lines import Element
from harness.results.verdict import Verdict

POLYGON = TESTS / "packages" / "load_polygon"


@pytest.fixture
def double(tmp_path: Path) -> Path:
    return Path(shutil.copytree(POLYGON, tmp_path / "double"))


def edit(root: Path, *changes: tuple[str, str]) -> None:
    path = root / "problem.xml"
    text = path.read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)


def calls_of(package: Package) -> dict[str, tuple[str, ...]]:
    recipe = read_recipe(package.files, package.constants)
    assert recipe is not None
    return {
        case.name: (case.invocation.generator, *case.invocation.arguments)
        for case in recipe.cases
        if case.invocation is not None
    }


def test_a_full_package_keeps_the_calls_of_its_generators_for_stress() -> None:
    assert calls_of(load(POLYGON)) == {"secret/03": ("gen", "1000")}


def test_what_is_absent_is_made_and_what_is_there_is_kept(double: Path) -> None:
    for name in ("02.a", "03", "03.a"):
        (double / "tests" / name).unlink()
    package = load(double, built=False)
    recipe = read_recipe(package.files, package.constants)
    assert recipe is not None
    assert {case.name: sorted(case.texts) for case in recipe.cases} == {"secret/02": [".in"], "secret/03": []}
    assert {case.solution for case in recipe.cases} == {"/submissions/accepted/main.py"}


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("doall.sh", 'scripts/gen-input-via-stdout.sh "wine files/gen.exe 7 \'a b\'" "tests/03" 3\n'),
        ("doall.bat", 'call scripts\\gen-input-via-stdout.bat "files\\gen.exe 7 \'a b\'" "tests\\03" 3\r\n'),
    ],
)
def test_calls_are_taken_from_doall_where_problem_xml_has_none(script: str, line: str, double: Path) -> None:
    edit(double, ('cmd="gen 1000" ', ""))
    (double / script).write_text(line, newline="")
    (double / "tests/03").unlink()
    assert calls_of(load(double, built=False)) == {"secret/03": ("gen", "7", "a b")}


PAGE = """<html><head><title>Doubles</title></head><body><div class="problem-statement">
<div class="header"><div class="title">Doubles</div><div class="time-limit">1 second</div></div>
<div class="legend"><p>Print <i>2n</i>, not $$$n_1 &lt; n$$$ or n_1.</p><img src="figure.png"></div>
<div class="input-specification"><div class="section-title">Input</div><ul><li>one number</li></ul></div>
<div class="sample-tests"><div class="section-title">Example</div><pre>1</pre></div></div>
<!-- <p>no</p> --></body></html>
"""


def test_a_statement_that_polygon_has_set_is_read_where_there_is_no_latex(double: Path) -> None:
    shutil.rmtree(double / "statement-sections")
    pages = {
        ".html/english/problem.html": PAGE,
        ".html/english/figure.png": "png",
        ".pdf/english/problem.pdf": "%PDF-1.7",
        ".pdf/russian/problem.pdf": "%PDF-1.7",
    }
    write_files(double / "statements", pages)
    package = load(double)
    assert {code: file.origin.suffix for code, file in package.statements.items()} == {"en": ".html", "ru": ".pdf"}
    assert package.statements["en"].read().decode() == (
        "Print *2n*, not $n_1 < n$ or n\\_1.\n\n![](figure.png)\n\n## Input\n\n- one number\n"
    )
    assert package.files["statement/figure.png"].read() == b"png"


@pytest.mark.parametrize("start", ["<!--", "<a ", "<![", "$$$", "<div class=header>"])
def test_a_page_without_end_is_read(start: str) -> None:
    markdown_of(start * 10_000)


def test_line_ends_of_windows_are_read_as_those_of_this_system(double: Path) -> None:
    for path in (double / "tests").iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    package = load(double)
    for case in package.judged_cases():
        assert case.answer is not None
        assert case.input.read().endswith(b"\n") and b"\r" not in case.input.read() + case.answer.read()
        assert case.input.size() == len(case.input.read())


def test_a_package_in_which_only_some_tests_have_such_lines_is_left_as_it_is(double: Path) -> None:
    (double / "tests/02").write_bytes(b"2\r\n")
    assert load(double).secret.cases[0].input.read() == b"2\r\n"


def test_extra_tags_are_demands_on_groups(tmp_path: Path) -> None:
    root = Path(shutil.copytree(TESTS / "packages" / "load_polygon_groups", tmp_path / "groups"))
    extra = '<extra-tags><extra-tag group="2" tag="time-limit-exceeded"/></extra-tags>'
    edit(root, ('<solution tag="wrong-answer">', f'<solution tag="wrong-answer">{extra}'))
    rules = [rule for rule in load(root).rules if rule.pattern == "wrong_answer/wrong.py" and rule.cases]
    assert {(rule.cases, *sorted(rule.required or ())) for rule in rules} == {
        ("secret/2-1", "TLE"),
        ("secret/2-2", "TLE"),
    }


def test_tests_of_programs_become_data_for_validators(double: Path) -> None:
    tests = "<testset><input-path-pattern>files/v/%02d</input-path-pattern><tests>{}</tests></testset>"
    verdicts = '<test verdict="VALID"/><test verdict="INVALID"/>'
    edit(double, ("</validator>", f"{tests.format(verdicts)}</validator>"))
    (double / "files/v").mkdir()
    (double / "files/v/01").write_text("1\n")
    (double / "files/v/02").write_text("1001\n")
    assert [case.input.read() for case in load(double).invalid_inputs] == [b"1001\n"]


def test_a_zip_is_read_as_the_folder_is(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "double.zip", "w") as archive:
        for path in sorted(POLYGON.rglob("*")):
            archive.write(path, f"double/{path.relative_to(POLYGON)}")
    done = harness("statement", tmp_path / "double.zip", "-o", tmp_path / "page.html")
    assert done.returncode == 0, said(done)
    assert "Print twice the number." in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("name", ["load_polygon_document_type", "load_polygon_unknown_generator"])
def test_a_broken_package_is_an_error_with_file_and_line(name: str) -> None:
    done = harness("judge", TESTS / "packages" / name)
    assert done.returncode == 2, said(done)
    assert f"{name}/problem.xml:" in said(done)


@pytest.mark.slow
def test_an_absent_test_is_made_before_judging_though_the_others_are_whole(double: Path) -> None:
    for name in ("03", "03.a"):
        (double / "tests" / name).unlink()
    reachable(double)
    done = harness("judge", double)
    assert "1 test case built" in said(done), said(done)
    assert done.returncode == 0


def test_generate_says_that_the_package_is_left_alone_and_where_all_tests_are(double: Path) -> None:
    (double / "tests" / "02.a").unlink()
    reachable(double)
    done = harness("generate", double)
    assert "the package is left as it was; harness export writes one with all tests" in said(done), said(done)
    assert not (double / "tests" / "02.a").exists()


@pytest.mark.slow
def test_a_standard_package_is_built_by_its_generators_and_left_alone(double: Path, host: Host) -> None:
    """Also the generator that writes its tests into files (`from-file`)."""
    for path in (double / "tests").glob("*"):
        if path.name not in ("01", "02"):
            path.unlink()
    edit(
        double,
        (
            '<test cmd="gen 1000" method="generated"/>',
            '<test cmd="gen 1000" method="generated"/><test cmd="many 5" from-file="2" method="generated"/>',
        ),
        (
            "<executables>",
            '<executables><executable><source path="files/many.cpp" type="cpp.g++17"/></executable>',
        ),
    )
    many = "for (int i = 1; i < 4; i++) { startTest(i); println(10 * i + atoi(argv[1])); }"
    (double / "files/many.cpp").write_text(
        (double / "files/gen.cpp").read_text().replace("println(rnd.next(0, atoi(argv[1])));", many)
    )
    before = {path: path.read_bytes() for path in double.rglob("*") if path.is_file()}
    reachable(double)
    package = load_built(double, host).package
    made = {case.name: (case.input.read(), case.answer.read()) for case in package.judged_cases() if case.answer}
    assert made["sample/01"] == (b"1\n", b"2\n")
    assert made["secret/04"] == (b"25\n", b"50\n")
    assert 0 <= int(made["secret/03"][0]) <= 1000
    assert {path: path.read_bytes() for path in double.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_points_of_a_checker_may_be_percent_of_the_test(double: Path, host: Host, tmp_path: Path) -> None:
    edit(
        double,
        ('<test method="manual"/>', '<test method="manual" points="10"/>'),
        ('<test cmd="gen 1000"', '<test points="30" cmd="gen 1000"'),
        ('run-count="1"', 'run-count="1" treat-points-from-checker-as-percent="true"'),
    )
    check = double / "files/check.cpp"
    check.write_text(check.read_text().replace("quitf(", 'if (ouf.readInt() == 0) quitp(50, "half");\n    quitf('))
    source = tmp_path / "zero.py"
    source.write_text("print(0)\n")
    result = judge_file(load(double), source, host)
    assert (result.verdict, result.score) == (Verdict.ACCEPTED, 20)


@pytest.mark.slow
def test_an_absent_answer_of_an_interactive_problem_is_what_the_interactor_writes(
    tmp_path: Path, host: Host
) -> None:
    root = Path(shutil.copytree(TESTS / "packages" / "load_polygon_interactive", tmp_path / "game"))
    for path in (root / "tests").glob("*.a"):
        path.unlink()
    reachable(root)
    package = load_built(root, host).package
    answers = {case.name: case.read_answer() for case in package.judged_cases()}
    assert answers == {"sample/01": b"2\n", "secret/02": b"4\n", "secret/03": b"6\n"}
    (root / "solutions/main.py").write_text("input()\nprint('no number')\n")
    with pytest.raises(JudgeError, match="its game makes no answer"):
        load_built(root, host)


def test_a_statement_that_is_one_latex_file_is_cut_into_its_sections(double: Path) -> None:
    shutil.rmtree(double / "statement-sections")
    path = double / "statements/russian/problem.tex"
    path.parent.mkdir(parents=True)
    path.write_text(
        r"""\begin{problem}{Двойка}{стандартный ввод}{стандартный вывод}{1 секунда}{256 мегабайт}
Удвойте $n$.
\InputFile
Число.
\OutputFile
Другое число.
\Examples
\begin{example}\exmpfile{example.01}{example.01.a}\end{example}
\Note
Конец.
\end{problem}
"""
    )
    text = load(double).statements["ru"].read().decode()
    assert text == (
        "\\problemname{Двойка}\n\nУдвойте $n$.\n\n\\section*{Input}\nЧисло.\n\n\\section*{Output}\nДругое число.\n\n"
        "\\section*{Notes}\nКонец.\n"
    )


def test_what_the_statement_shows_of_a_sample_is_shown_here(double: Path) -> None:
    sections = double / "statement-sections/english"
    (sections / "example.01").write_bytes((double / "tests/01").read_bytes().replace(b"\n", b"\r\n"))
    (sections / "example.01.a").write_text("another\r\n")
    [sample] = load(double).sample.cases
    assert {end: file.read() for end, file in sample.shown.items()} == {".ans.statement": b"another\n"}


def test_a_call_of_a_shell_is_no_generator(double: Path) -> None:
    edit(double, ('cmd="gen 1000"', 'cmd="gen 1000 | sort"'))
    load(double)
    (double / "tests/03").unlink()
    with pytest.raises(
        PackageError, match=r"problem.xml:16: tests/03: not found, and its call `gen 1000 \| sort`"
    ):
        load(double, built=False)


def test_a_contest_of_polygon_is_no_package_and_its_problems_are(tmp_path: Path) -> None:
    shutil.copytree(POLYGON, tmp_path / "problems" / "double")
    (tmp_path / "contest.xml").write_text("<contest/>")
    with pytest.raises(PackageError, match="this is a contest of Polygon: name a folder of its problems/"):
        load(tmp_path)
    load(tmp_path / "problems" / "double")


def test_blanks_without_end_in_a_statement_are_read_at_once() -> None:
    """In quadratic time this would take an hour."""
    blanks = "\t" * 500_000
    assert markdown_of(f"<pre>a {blanks}\n {blanks}\n b{blanks}c</pre>").count("\t") == len(blanks)


def placed_tests(count: int, *, grouped: bool) -> polygon_tests.Tests:
    """Tests of one point more each; or, grouped, each in a group that needs the next one."""
    element = Element(tag="group", line=1, attributes={})
    tests = tuple(
        polygon_tests.Test(
            index=number, element=element, path="", group=f"g{number:05}" if grouped else "", points=float(number),
            sample=False, command="", from_file="", stated=(Path("problem.xml"), 1), input=None, answer=None,
        )
        for number in range(1, count + 1)
    )  # fmt: skip
    names = [test.group for test in tests if grouped]
    policies = {
        name: GroupPolicy(element=element, complete=True, points=1.0, needs=tuple(names[number : number + 1]))
        for number, name in enumerate(names, start=1)
    }
    return polygon_tests.Tests(tests=tests, policies=policies)


def placing(tests: polygon_tests.Tests) -> polygon_tests.Placing:
    return polygon_tests.Placing(tests=tests, findings=Findings(), manifest=Path("problem.xml"), testlib=False)


def test_the_work_of_placing_tests_grows_as_their_number() -> None:
    def calls(count: int, *, grouped: bool) -> int:
        tests = placed_tests(count, grouped=grouped)
        return calls_in(lambda: placing(tests).placement())

    for grouped in (False, True):
        assert calls(400, grouped=grouped) < 3 * calls(200, grouped=grouped)


def test_groups_that_need_later_ones_come_after_them_and_else_stay_in_order() -> None:
    folders = list(placing(placed_tests(3, grouped=True)).placement().folders)
    assert folders == ["g00003", "g00002", "g00001"]


def test_the_work_of_finding_headers_grows_as_their_number() -> None:
    def calls(count: int) -> int:
        source = "".join(f'#include "absent{number}.h"\n' for number in range(count)).encode()
        files = {f"include/{number}.h": File(origin=Path(f"{number}.h"), content=b"") for number in range(count)}
        program = Program(path="check.cpp", files={"check.cpp": File(origin=Path("check.cpp"), content=source)})
        return calls_in(lambda: with_headers(program, nearest(files, "check.cpp")))

    assert calls(400) < 3 * calls(200)


def test_the_work_of_reading_statements_grows_as_the_number_of_their_folders() -> None:
    def calls(count: int) -> int:
        paths = [f"statement-sections/unknown{number}/legend.tex" for number in range(count)]
        files = {path: File(origin=Path(path), content=b"text") for path in paths}
        return calls_in(lambda: add_statements(files, {}))

    assert calls(400) < 3 * calls(200)
