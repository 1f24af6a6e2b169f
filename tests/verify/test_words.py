"""What harness verify says names file, line and how to fix it, says it once, and of nothing that it has not seen."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from conftest import TESTS, PackageMaker, write_files
from harness.host.host import Host
from harness.package.load import load
from harness.package.template import template_files
from harness.report.verification import conclusion, hidden_notes
from harness.shapes import parse, read_shape
from harness.verify.coverage import Coverage
from harness.verify.data import unlisted_cases
from harness.verify.findings import Finding, FindingCollector, Level, PartResult, Verification, error_line
from harness.verify.run import Verifier

UUID = "1f5f7c1e-6f0c-4a3e-9a54-0b7c1d2e3f40"
Changes = Mapping[str, str | None]
Verify = Callable[..., Verification]


# Cases that lie in data/, in the place of a recipe.
PLAIN: Changes = {
    "generators/generators.yaml": None,
    "generators/between.py": None,
    **{f"data/secret/{n}.in": f"{n}\n" for n in (1, 5, 999999, 1000000)},
    **{f"data/secret/{n}.ans": f"{2 * n}\n" for n in (1, 5, 999999, 1000000)},
}


@pytest.fixture
def kittens(tmp_path: Path) -> Callable[[Changes], Path]:
    """What `harness new` makes, with cases in place of its recipe and some files changed."""

    def make(changes: Changes) -> Path:
        files: dict[str, str | None] = {**template_files(title="Kittens", identity=UUID), **PLAIN, **changes}
        return write_files(tmp_path / "kittens", {path: text for path, text in files.items() if text is not None})

    return make


@pytest.fixture
def verify(host: Host, tmp_path: Path) -> Verify:
    return lambda root, *parts: Verifier(root=root, host=host, cache=tmp_path / "cache").run(parts)


@pytest.fixture
def said(verify: Verify, kittens: Callable[[Changes], Path]) -> Callable[..., list[str]]:
    def run(changes: Changes, *parts: str) -> list[str]:
        root = kittens(changes)
        verification = verify(root, *parts)
        return [
            f"{one.level} {part.part} {one.subject}: {one.message}".replace(f"{root}/", "")
            for part in verification.parts
            for one in part.findings
            if one.level != "note"
        ]

    return run


Said = Callable[..., list[str]]


def test_a_contradicted_answer_is_told_with_both_tokens_and_no_other_case(said: Said) -> None:
    found = said({"data/secret/5.ans": "11\n", "submissions/accepted/doubles.cpp": None}, "answers")
    told = "data/secret/5.ans says 11, accepted/doubles.py prints 10"
    assert f"error answers secret/5: no accepted solution gets this case right: {told}" in found
    assert sum(line.startswith("error") for line in found) == 1


def test_cases_of_a_recipe_without_a_lock_that_are_absent_are_told(said: Said) -> None:
    recipe = "data:\n  secret:\n    data:\n      '1': {in: '1'}\n      gone: {in: '3'}\n      lost: {in: '4'}\n"
    line, unlisted = said({"generators/generators.yaml": recipe}, "data")
    assert unlisted.endswith("is judged, but not in generators/generators.yaml: name it there, or remove it")
    assert line.startswith(
        "warning data generators/generators.yaml: makes 2 cases that are not in data/, secret/gone first: "
        "only what is there is judged; harness generate "
    )


def test_more_than_one_contradicted_answer_is_found_in_one_run(said: Said) -> None:
    found = said({"data/secret/5.ans": "11\n", "data/secret/999999.ans": "3\n"}, "answers")
    assert [line.partition(":")[0] for line in found] == ["error answers secret/5", "error answers secret/999999"]


def test_without_an_accepted_solution_that_runs_no_answer_is_called_wrong(said: Said) -> None:
    changes = {"submissions/accepted/doubles.cpp": "int main(", "submissions/accepted/doubles.py": None}
    assert said(changes, "answers") == [
        "error answers submissions/accepted: no accepted solution could be judged: nothing confirms the answers"
    ]


def test_without_submissions_no_part_counts_them(verify: Verify, double_with: PackageMaker) -> None:
    root = double_with(
        {f"submissions/{name}": None for name in ("accepted/double.py", "wrong_answer/adds_one.py")}
    )
    verification = verify(root, "submissions", "answers")
    assert [(part.part, part.summary, part.skipped) for part in verification.parts] == [
        ("submissions", "no submission in the package: none is judged", True),
        ("answers", "no accepted solution: no answer is confirmed", False),
    ]


def test_one_submission_is_counted_in_the_singular(verify: Verify, double_with: PackageMaker) -> None:
    root = double_with({"submissions/wrong_answer/adds_one.py": None})
    verification = verify(root, "package", "answers", "time")
    package, answers, time = (part.summary for part in verification.parts)
    assert package.endswith(", 1 submission")
    assert answers.startswith("1 accepted solution in python3; ")
    assert re.search(r"; submissions allow any limit from [0-9.]+ s up;", time)


@pytest.mark.parametrize(
    ("shape", "content", "names"),
    [
        ("n: 1..9\nn * (0..9)", b"1\n5\n", {"n", "item of line 2"}),
        ("n: 1..9 (0..9)\n(0..9)", b"1 5\n5\n", {"n", "item 2 of line 1", "line 2"}),
        ("1..4 * (string(1..9, a..z))", b"ab c\n", {"length of item of line 1"}),
        ('grid(2, 2, ".#")\n(0..9)', b"..\n..\n7\n", {"line 1 after the grid"}),
        ("T: 1..9\nT times { n: 1..9; n * (0..9) }", b"1\n1\n5\n", {"T", "each n", "item of each line 2"}),
    ],
)
def test_a_number_without_a_name_is_named_by_its_line(shape: str, content: bytes, names: set[str]) -> None:
    coverage, read = Coverage(), read_shape(shape + "\n")
    coverage.add(read, parse(read, content), "sample/1")
    assert set(coverage.reaches) == names


def test_a_finding_names_a_few_subjects_and_counts_the_rest() -> None:
    findings = FindingCollector()
    for number in range(1, 10):
        findings.error(f"secret/{number}", "is wrong")
    [only] = findings.result()
    assert only.subject == "secret/1, secret/2, secret/3, secret/4, secret/5, secret/6 and 3 more"


def test_a_fault_that_only_a_measured_figure_tells_apart_is_one_finding() -> None:
    findings = FindingCollector()
    for name, end in (
        ("1", " of memory, with 2049 MiB"),
        ("2", " of memory, with 2051 MiB"),
        ("3", ", after 61.2 s"),
    ):
        findings.error(name, f"check.cc: the input validator failed: stopped at its limit{end}")
    assert [(each.subject, each.message.rpartition(": ")[2]) for each in findings.result()] == [
        ("1, 2", "stopped at its limit of memory, with 2049 MiB"),
        ("3", "stopped at its limit, after 61.2 s"),
    ]


def test_a_folder_of_which_no_rule_speaks_is_warned_about(kittens: Callable[[Changes], Path]) -> None:
    root = kittens({"submissions/wrong/x.py": "print(3)\n", "submissions/wrong/y.py": "print(4)\n"})
    [warning] = load(root).warnings
    assert "submissions/wrong/x.py: nothing says what submissions in `wrong/` must get" in warning
    assert "did you mean `wrong_answer/`? Or name it in submissions/submissions.yaml" in warning


def test_a_folder_that_submissions_yaml_names_is_not_warned_about(kittens: Callable[[Changes], Path]) -> None:
    rules = "mixed:\n  permitted: [AC, WA]\n"
    root = kittens({"submissions/mixed/x.py": "print(3)\n", "submissions/submissions.yaml": rules})
    assert load(root).warnings == ()


def test_a_compiler_is_quoted_where_it_speaks_of_an_error(said: Said) -> None:
    [found] = said({"submissions/accepted/bad.cpp": "int main() { no_such(); }\n"}, "submissions")
    assert found.startswith("error submissions accepted/bad.cpp: does not compile: bad.cpp:1:")
    assert " error: " in found and "no_such" in found
    assert (
        error_line("In file included from error.h:1:\nx.c:2:1: fatal error: gone") == "x.c:2:1: fatal error: gone"
    )
    assert error_line("first\nsecond") == "first"


def test_an_unknown_constant_of_the_shape_is_told_once_with_those_there_are(said: Said) -> None:
    changes = {"generators/shape.txt": "# the input\nn: 1..{{max_m}}\n"}
    assert said(changes, "inputs", "bounds") == [
        "error bounds generators/shape.txt: line 2: `{{max_m}}` is no constant of problem.yaml, which has: `max_n`"
    ]


def test_what_a_statement_cannot_show_is_told_with_its_line(said: Said) -> None:
    text = "Print $2n$\nand $x^{2$,\n$\\foo$ and\n![a cat](cat.png).\n\nUp to {{max_m}}.\n\n$$\nx^\n$$\n"
    found = said({"statement/problem.en.md": text}, "statement")
    where = "statement statement/problem.en.md"
    assert found == [
        f"error {where}:6: `{{{{max_m}}}}` is no constant of problem.yaml, which has: `max_n`",
        f"error {where}:2: the formula `$x^{{2$` is no TeX that can be read: "
        'expected closing token "}", but reached end of input',
        f"error {where}:4: the picture `cat.png` is not in the package: pictures lie beside the statement",
        f"error {where}:8: the formula `$x^$` is no TeX that can be read: expected argument but reached end of input",
        f"warning {where}:3: the formula `$\\foo$`: the command `\\foo` is not known, and shown as it is",
    ]


def test_what_a_latex_statement_loses_is_told_with_its_line(said: Said) -> None:
    latex = (
        "Foo \\undefinedmacro{x}, $\\foo{x}$ % \\undefinedcomment $ {\n\n\\includegraphics{nofile}\n\\input{nothere}\n"
        "\\input{more}\n\nUnclosed $n and {brace, as \\cref{fig:x} shows\n\n\\begin{itemize}\\item a\n"
        "\\verb|$| \\ifdefined\\x a\\else b\\fi\n\\newcommand{\\own}[1]{$#1$}\\own{3}\n"
    )
    changes: Changes = {"statement/problem.en.md": None, "statement/problem.en.tex": latex}
    found = said(changes | {"statement/more.tex": "\n\\SI{5}{}\n"}, "statement")
    where, left_out = "warning statement statement/", "it is left out, and what stands in its braces is shown"
    assert [one for one in found if one.startswith("warning")] == [
        f"{where}problem.en.tex:4: `\\input{{nothere}}`: no such file is beside the statement, "
        "so nothing is shown for it",
        f"{where}problem.en.tex:3: the picture `nofile` is not in the package: pictures lie beside the statement",
        f"{where}problem.en.tex:7: `\\cref{{fig:x}}` is shown as nothing: write what it stands for",
        f"{where}problem.en.tex:7: `$` has no partner in its paragraph: close the formula, or write `\\$`",
        f"{where}problem.en.tex:7: `{{` is not closed",
        f"{where}problem.en.tex:9: `\\begin{{itemize}}` is not closed",
        f"{where}more.tex:2: the command `\\SI` is not known: {left_out}",
        f"{where}problem.en.tex:10: the command `\\ifdefined` is not decided: both branches are shown",
        f"{where}problem.en.tex:1: the command `\\undefinedmacro` is not known: {left_out}",
        f"{where}problem.en.tex:10: the command `\\x` is not known: {left_out}",
        f"{where}problem.en.tex:1: the formula `$\\foo{{x}}$`: the command `\\foo` is not known, and shown as it is",
    ]


def test_a_second_statement_of_a_language_is_told(said: Said) -> None:
    changes: Changes = {"statement/problem.en.md": "Print\n$2n$.\n", "statement/problem.en.tex": "Print $3n$."}
    found = said(changes | {"statement/problem.md": "Print $4n$.\n"}, "package")
    why = "is the statement in `en`, too: remove one of them"
    assert [one for one in found if "too" in one] == [
        f"warning package kittens: statement/problem.md: is not shown: problem.en.md {why}",
        f"warning package kittens: statement/problem.en.tex: is not shown: problem.en.md {why}",
    ]


@pytest.mark.parametrize(("suffix", "shown"), [("md", "shown as �"), ("tex", "all is read as Latin-1")])
def test_a_byte_that_is_not_utf_8_is_told_with_its_line(
    verify: Verify, kittens: Callable[[Changes], Path], suffix: str, shown: str
) -> None:
    root = kittens({"statement/problem.en.md": None})
    (root / "statement").mkdir()
    (root / f"statement/problem.en.{suffix}").write_bytes(b"Print\ncaf\xe9 $2n$.\n")
    (part,) = verify(root, "statement").parts
    assert [one.message for one in part.findings if one.subject.endswith(f"{suffix}:2")] == [
        f"the byte 0xe9 is not UTF-8, and {shown}: save the file as UTF-8"
    ]


def test_a_formula_of_a_latex_statement_that_is_not_set_is_a_note_that_names_it(
    verify: Verify, kittens: Callable[[Changes], Path]
) -> None:
    latex = "\\problemname{Double}\nLet $\\frac{a}$ and $x^2$."
    root = kittens({"statement/problem.en.md": None, "statement/problem.en.tex": latex})
    (part,) = verify(root, "statement").parts
    assert [one.message for one in part.findings if one.level == "note" and "formula" in one.message] == [
        "the formula `$\\frac{a}$` is no TeX that can be read: expected argument but reached end of input; "
        "it is shown as it is written"
    ]


def test_braces_that_are_escaped_need_no_partner(said: Said) -> None:
    text = "The set $\\{1, \\dots, n$ and $\\left\\{ \\frac{1}{2} \\right.$.\n"
    assert said({"statement/problem.en.md": text}, "statement") == []


def test_a_validator_from_the_template_says_why_it_refuses(said: Said) -> None:
    found = said({"data/secret/5.in": "5 \n", "data/secret/1.in": "1000001\n"}, "inputs")
    assert any(
        "secret/5: refused by input_validators/validate.py: one line with an integer" in one for one in found
    )
    assert any("secret/1: refused by input_validators/validate.py: n = 1000001 is not in" in one for one in found)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (43, "exit code 43, without a word: let it say why"),
        (0, "exit code 0, but 42 is that of a valid input"),
    ],
)
def test_a_validator_that_does_not_say_what_the_format_asks_for_is_told_so(
    code: int, told: str, said: Said
) -> None:
    found = said({"input_validators/validate.py": f"import sys\nsys.exit({code})\n"}, "inputs")
    assert any(told in one for one in found)


def test_a_package_without_a_statement_is_not_said_to_hold_in_all(
    verify: Verify, kittens: Callable[[Changes], Path]
) -> None:
    root = kittens({"statement/problem.en.md": None})
    verification = verify(root, "package", "statement")
    package, statement = verification.parts
    assert "write statement/problem.en.md" in package.findings[0].message
    assert statement.skipped and statement.summary.startswith("no statement")
    assert (
        conclusion(verification, strict=False).plain
        == "kittens: holds, with warnings (0 errors, 1 warning, 0 notes; 2 of 11 parts looked at)"
    )
    assert not list(hidden_notes(verification))


def test_an_empty_statement_is_an_error(said: Said) -> None:
    assert any("is empty" in one for one in said({"statement/problem.en.md": "\n"}, "statement"))


def test_where_all_asked_parts_were_skipped_nothing_was_checked() -> None:
    part = PartResult(part="inputs", summary="no input validator", skipped=True)
    verification = Verification(problem="kittens", title="", tier="T3", parts=(part,))
    assert conclusion(verification, strict=False).plain.startswith("kittens: nothing was checked")


def test_notes_that_are_only_counted_are_said_to_be_shown_by_an_option() -> None:
    note = Finding(level=Level.NOTE, subject="x", message="a note")
    part = PartResult(part="time", summary="", findings=(note,))
    verification = Verification(problem="kittens", title="", tier="T3", parts=(part,))
    assert [line.plain for line in hidden_notes(verification)] == ["-v shows the notes"]


def test_a_validator_that_crashes_is_quoted_in_a_line_with_its_place_in_the_package(said: Said) -> None:
    [validator] = [path for path in template_files(title="", identity=UUID) if "input_validators" in path]
    broken = "import sys\nif int(input()) > {{most_of}}:\n    sys.exit(1)\nsys.exit(42)\n"
    [found] = [line for line in said({validator: broken}, "inputs") if "refused by" in line]
    place = f"refused by {validator}: {validator}:2: NameError: name 'most_of' is not defined"
    assert found.endswith(f"{place} (problem.yaml has no constant `most_of`)")


def test_crashes_that_end_alike_are_one_error_that_lists_the_outputs(said: Said) -> None:
    checker = (
        "import sys\nif not sys.stdin.buffer.read():\n    raise ValueError('empty')\nraise ValueError('full')\n"
    )
    lines = said({"output_validator/check.py": checker}, "outputs")
    assert any(": crashes on an empty output, " in line and line.endswith("ValueError: empty") for line in lines)
    assert any(": crashes on the jury's answer, " in line and line.endswith("ValueError: full") for line in lines)
    assert "\n".join(lines).count("Traceback") == 2
    assert len(lines) <= 6


def test_a_slow_python_solution_and_a_missing_module_are_told_with_the_case_and_the_mend(said: Said) -> None:
    lines = said(
        {
            "problem.yaml": "name: Kittens\nlimits: {time_limit: 0.2}\n",
            "submissions/accepted/endless.py": "while True:\n    pass\n",
            "submissions/accepted/array.py": "import sys\nsys.stderr.write('x')\nimport no_such_module\n",
        },
        "submissions",
    )
    found = "\n".join(lines)
    assert "accepted/endless.py: must get AC, got TLE (sample/1)" in found
    assert "(sample/1: exit code 1: ModuleNotFoundError: No module named 'no_such_module')" in found
    assert sum("pypy3" in line for line in lines) == 1
    assert sum("apt install python3-no_such_module" in line for line in lines) == 1


def test_a_validator_that_crashes_is_told_once_with_its_last_words(said: Said) -> None:
    found = said({"output_validator/check.py": "raise ValueError('boom')\n"}, "submissions", "answers")
    judge_error, unconfirmed = [line for line in found if line.startswith("error")]
    assert judge_error.endswith("exit code 1, not 42 or 43: ValueError: boom")
    assert unconfirmed.endswith("no accepted solution could be judged: nothing confirms the answers")


def test_a_validator_that_does_not_end_on_junk_gets_no_more_of_it(said: Said) -> None:
    manifest = template_files(title="Kittens", identity=UUID)["problem.yaml"]
    looping = "import sys\nwhile len(sys.stdin.read().split()) != 1: pass\nsys.exit(42)\n"
    manifest = manifest.replace("  memory:", "  validation_time: 1\n  memory:")
    changes = {"output_validator/check.py": looping, "problem.yaml": manifest}
    errors = [line for line in said(changes, "outputs") if "an empty output" in line]
    assert errors
    assert all(": fails on an empty output: " in line and "stopped at its limit" in line for line in errors)


def test_where_every_solution_loses_the_game_the_interactor_may_be_wrong(said: Said) -> None:
    interactor = "import sys\nopen(sys.argv[3] + 'judgemessage.txt', 'w').write('never')\nsys.exit(43)\n"
    manifest = template_files(title="Kittens", identity=UUID)["problem.yaml"]
    manifest = manifest.replace("type: pass-fail", "type: interactive")
    changes = {"output_validator/check.py": interactor, "problem.yaml": manifest}
    [told] = [line for line in said(changes, "answers") if line.startswith("error")]
    assert told.startswith("error answers sample/1, secret/1, secret/1000000, secret/5, secret/999999: ")
    assert told.endswith("the interactor or accepted/doubles.cpp is wrong (never)")


def test_where_numbers_differ_by_little_a_tolerance_is_proposed(said: Said) -> None:
    program = "print(2 * int(input()) + 0.000001)\n"
    told = said({"submissions/accepted/doubles.py": program}, "submissions")
    assert any(line.endswith("set output_validator_args to float_tolerance 1e-6") for line in told)
    assert not any(
        "tolerance" in line for line in said({"submissions/accepted/doubles.py": "print(7.5)\n"}, "submissions")
    )


SOUND_LATEX = (
    "\\newenvironment{hint}{\\begin{quote}}{\\end{quote}}",
    "a \\\\% costs 5$ {",
    "\\begin{verbatim*}\n{ $\n\\end{verbatim*}",
    "\\begin{verbatim}\n" + "{ x\n" * 3000 + "\\end{verbatim}",
    "\\url{http://a/$x}",
    "a \\iff b, \\setlength\\parindent{0pt}",
    "\\newcommand{\\st}%\n{\\begin{quote}}",
)


@pytest.mark.parametrize("latex", SOUND_LATEX)
def test_what_sound_latex_opens_elsewhere_or_shows_as_code_is_closed(latex: str, said: Said) -> None:
    changes = {"statement/problem.en.md": None, "statement/problem.en.tex": f"\\problemname{{X}}\n{latex}\n"}
    found = said(changes, "statement")
    assert not any("closed" in line or "partner" in line or "decided" in line for line in found), found


def test_columns_of_several_repeated_blocks_have_names_of_their_own() -> None:
    shape = read_shape("n: 1..9\nn times { 1..50 1..50 }\nq: 1..9\nq times { 1..1000 1..1000 }\n")
    coverage = Coverage(guessed=True)
    coverage.add(shape, parse(shape, b"1\n2 3\n1\n991 4\n"), "secret/1")
    highest = {name: reach.highest for name, reach in coverage.reaches.items()}
    assert highest["repeated from line 2: first integer of line 1"] == 2
    assert sorted(highest.values()) == [1, 1, 2, 3, 4, 991]


def test_tests_of_polygon_that_no_generator_makes_are_not_called_unlisted() -> None:
    package = load(TESTS / "packages" / "load_polygon", built=False)
    assert package.judged_cases() and not list(unlisted_cases(package))
