"""Loading: what a package is, and a fault with file, line and how to fix it for whatever it is not."""

import ast
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import DOUBLE, NO_SECRET, TESTS, PackageMaker, write_files
from harness.errors import PackageError, UsageError
from harness.package import Aggregation, ProblemType
from harness.package.constants import substitute
from harness.package.find import find_package
from harness.package.findings import Findings
from harness.package.load import load
from harness.package.model import Format
from harness.package.workspace import lay_out, slugs_in, workspace_of

MANIFEST = (DOUBLE / "problem.yaml").read_text()
REPOSITORY = TESTS.parent


def faults_of(make: PackageMaker, changes: Mapping[str, str | bytes | None]) -> list[str]:
    root = make(changes)
    with pytest.raises(PackageError) as caught:
        load(root)
    return [str(fault).removeprefix(f"{root}/") for fault in caught.value.faults]


def test_defaults_of_the_format_are_filled_in() -> None:
    package = load(DOUBLE)
    assert package.types == {ProblemType.PASS_FAIL}
    assert (package.limits.time_limit_s, package.limits.code_kib, package.limits.ac_to_time_limit) == (
        1.0,
        128,
        2.0,
    )
    assert [case.name for case in package.judged_cases()] == [
        "sample/1",
        "secret/01-zero",
        "secret/02-largest",
        "secret/03-some",
    ]
    assert [submission.path for submission in package.submissions] == [
        "accepted/double.py",
        "wrong_answer/adds_one.py",
    ]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"problem.yaml": None}, "problem.yaml: not found"),
        ({"problem.yaml": "name: [\n"}, "problem.yaml:2: not YAML"),
        ({"problem.yaml": "name: X\nlimits:\n\tmemory: 1\n"}, "problem.yaml:3: not YAML: a tab where only spaces"),
        ({"problem.yaml": "name: Cats: a story\n"}, "a text that holds `: ` needs quotes"),
        ({"problem.yaml": "name: @Home\n"}, "a text that begins so needs quotes"),
        (
            {"data/secret/9.in": "1\n", "data/secret/9.out": "2\n"},
            "no answer beside it: expected `9.ans`; if `9.out` is the answer, rename it",
        ),
        ({"problem.yaml": "- a\n"}, "problem.yaml:1: expected a mapping"),
        (
            {"problem.yaml": MANIFEST.replace("2025-09", "2031-01")},
            "problem.yaml:1: the format '2031-01' is not known",
        ),
        ({"problem.yaml": MANIFEST + "colour: red\n"}, "unknown key `colour` in problem.yaml: remove it"),
        (
            {"problem.yaml": MANIFEST + "keyword: a\n"},
            "unknown key `keyword` in problem.yaml: did you mean `keywords`?",
        ),
        ({"problem.yaml": MANIFEST + "type: [scoring, pass-fail]\n"}, "either pass-fail or scoring"),
        ({"problem.yaml": MANIFEST + "type: puzzle\n"}, "the type 'puzzle' must be one of"),
        ({"problem.yaml": MANIFEST + "name: Twice\n"}, "the key `name` stands twice"),
        (
            {"problem.yaml": MANIFEST.replace("1.0", "2s")},
            "`time_limit` must be a number from 0.001 to 86,400 (in seconds), not '2s'",
        ),
        (
            {"problem.yaml": MANIFEST.replace("256", "256MB")},
            "`memory` must be a whole number from 1 to 1,048,576 (in MiB), not '256MB'",
        ),
        (
            {"problem.yaml": MANIFEST + "memory_limit: 64\n"},
            "unknown key `memory_limit` in problem.yaml: write `memory` below `limits`",
        ),
        (
            {"problem.yaml": MANIFEST + "authors: Ada\n"},
            "unknown key `authors` in problem.yaml: write `authors` below `credits`",
        ),
        ({"problem.yaml": "name: A: B\n"}, "a text that holds `: ` needs quotes"),
        ({"problem.yaml": "name: A\n  limits:\n    memory: 1\n"}, "problem.yaml:2: not YAML: mapping values"),
        (
            {"problem.yaml": "name: A\n  limits:\n    memory: 1\n"},
            "is this line, or the one above it, indented as it should be?",
        ),
        (
            {"problem.yaml": "limits:\ntime_limit: 1\n  memory: 1\n"},
            "is this line, or the one above it, indented as it should be?",
        ),
        (
            {"problem.yaml": MANIFEST.encode("utf-16")},
            "problem.yaml: not YAML: it is UTF-16: save the file as UTF-8",
        ),
        ({"problem.yaml": MANIFEST + "  0bad: 1\n"}, "the constant `0bad` must be"),
        ({"data/secret/01-zero.ans": None}, "data/secret/01-zero.in: no answer beside it: expected `01-zero.ans`"),
        ({"data/secret/01-zero.in": None}, "data/secret/01-zero.ans: no input beside it: expected `01-zero.in`"),
        ({"data/secret/01-zero.yaml": "hints: x\n"}, "data/secret/01-zero.yaml:1: unknown key `hints`"),
        (
            {"data/secret/test_group.yaml": "max_score: 5\n"},
            "`max_score` has no meaning here",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_thing_wrong_is_one_fault(
    changes: Mapping[str, str | bytes | None], fault: str, double_with: PackageMaker
) -> None:
    found = faults_of(double_with, changes)
    assert len(found) == 1, found
    assert fault in found[0]


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({"problem.yaml": MANIFEST + "license: gpl\n"}, "`license` is 'gpl', should be one of"),
        ({"problem.yaml": MANIFEST + "license: cc0\n"}, "needs a `rights_owner`"),
        (
            {"problem.yaml": MANIFEST.replace("name: Double", "name: {en: Double, de: Doppelt}")},
            "no statement in `de`",
        ),
        ({"data/secret/01-zero.txt": "x"}, "data/secret/01-zero.txt: no file of a test case ends so"),
        (
            {"data/secret/test_group.yml": "{}"},
            "test_group.yml: no file of a test case ends so, ignored: did you mean `test_group.yaml`?",
        ),
        ({"data/secret/a b.in": "1\n"}, "data/secret: the name 'a b.in' is not allowed"),
        ({"data/secret/lösung.in": "1\n"}, "data/secret: the name 'lösung.in' is not allowed"),
        ({"data/secret/a\x1bb\udcff.in": "1\n"}, r"data/secret: the name 'a\x1bb\udcff.in' is not allowed"),
        ({"input_validators/validate.py": None}, "input_validators: no input validator"),
        ({"input_validator/v.py": ""}, "input_validator: no folder of this format, so it is not read"),
        (
            {"submission/accepted/a.py": ""},
            "submission: no folder of this format, so it is not read: did you mean submissions/?",
        ),
        ({"Statements/problem.en.md": ""}, "did you mean statement/?"),
        ({"validators/v.py": ""}, "did you mean output_validator/ or input_validators/?"),
        (
            {"data/secrets/1.in": "1\n"},
            "data/secrets: no part of data/ in this format: ignored: did you mean data/secret?",
        ),
        ({"data/Sample/1.in": "1\n"}, "did you mean data/sample?"),
        ({"data/9.in": "1\n"}, "data/9.in: lies directly in data/: ignored; move it to data/secret/"),
        (
            {"submissions/submissions.yml": "accepted: {}\n"},
            "submissions.yml: lies directly in submissions/: rename it to submissions.yaml",
        ),
        (
            {"statement/problem.en.md": None, "statement/statement.md": "x"},
            "no statement: judging does without, readers do not; rename statement/statement.md to problem.en.md",
        ),
        (
            {
                "submissions/submissions.yaml": "accepted/*:\n  secret/zero:\n    required: [AC]\n",
            },
            "`secret/zero` matches no test group and no test case: did you mean `secret/01-zero`?",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_judging_does_not_depend_on_is_a_warning(
    changes: Mapping[str, str | bytes | None], warning: str, double_with: PackageMaker
) -> None:
    root = double_with(changes)
    package = load(root)
    assert [case.name for case in package.judged_cases()] == [case.name for case in load(DOUBLE).judged_cases()]
    [found] = package.warnings
    assert warning in found.removeprefix(f"{root}/")


def test_folders_of_other_names_are_passed_over_in_silence(double_with: PackageMaker) -> None:
    root = double_with({"viewer/index.html": "", "notes/todo.txt": "", "tests/a.py": "", "v/x": ""})
    assert load(root).warnings == load(DOUBLE).warnings == ()


@pytest.mark.parametrize("name", ["problem.yml", "Problem.yaml", "problem.yaml.txt"])
def test_a_manifest_of_another_name_is_to_be_renamed(double_with: PackageMaker, name: str) -> None:
    root = double_with({"problem.yaml": None, name: MANIFEST})
    for problem, cwd in ((str(root), TESTS), (None, root)):
        with pytest.raises(UsageError, match=rf": rename {re.escape(name)} to problem\.yaml$"):
            find_package(problem, cwd)


@pytest.mark.parametrize("manifest", ["", "# name: later\n" * 20])
def test_a_manifest_without_keys_is_one_of_a_legacy_package(manifest: str, double_with: PackageMaker) -> None:
    package = load(double_with({"problem.yaml": manifest}))
    assert package.format is Format.LEGACY and any("is empty" in warning for warning in package.warnings)


def test_authors_of_a_legacy_package_have_its_key(double_with: PackageMaker) -> None:
    manifest = "problem_format_version: legacy\nname: Double\nauthors: Ada\n"
    warnings = load(double_with({"problem.yaml": manifest})).warnings
    assert any("unknown key `authors` in problem.yaml: did you mean `author`?" in warning for warning in warnings)


def test_a_missing_version_is_named_where_a_folder_has_the_name_of_another_version(
    double_with: PackageMaker,
) -> None:
    checker = {"output_validator/v.py": "import sys\nsys.exit(42)\n"}
    forgotten = MANIFEST.replace("problem_format_version: 2025-09\n", "")
    assert forgotten != MANIFEST
    found = [
        text
        for text in load(double_with({"problem.yaml": forgotten, **checker})).warnings
        if "its name is" in text
    ]
    assert found and all("legacy, as problem.yaml has no problem_format_version" in text for text in found)


def test_links_may_not_leave_the_package(double_with: PackageMaker) -> None:
    root = double_with()
    (root / "data/secret/04.in").symlink_to("/etc/hostname")
    (root / "data/secret/05.in").symlink_to("nowhere")
    (root / "data/secret/06.in").symlink_to("01-zero.in")
    (root / "data/secret/06.ans").symlink_to("01-zero.ans")
    with pytest.raises(PackageError) as caught:
        load(root)
    assert [fault.message for fault in caught.value.faults] == [
        "the link leaves the package: copy the file in",
        "the link points to nothing: copy the file in",
    ]


def test_a_folder_of_the_repository_may_be_linked_in_but_none_that_holds_the_package(
    double_with: PackageMaker, tmp_path: Path
) -> None:
    root = double_with({"input_validators/validate.py": None})
    (root / "input_validators").rmdir()
    (tmp_path / ".git").mkdir()
    shutil.copytree(DOUBLE / "input_validators", tmp_path / "common" / "validators")
    (root / "input_validators").symlink_to("../common/validators")
    (root / "data/secret/shared").symlink_to("../../../harder/data")
    (tmp_path / "harder" / "data").mkdir(parents=True)
    for end in ("in", "ans"):
        shutil.copy(root / f"data/secret/01-zero.{end}", tmp_path / "harder" / "data" / f"9.{end}")
    (root / "loop").symlink_to("loop")
    (root / "everything").symlink_to("..")
    package = load(root)
    assert [one.path for one in package.input_validators] == ["input_validators/validate.py"]
    assert "secret/shared/9" in [case.name for case in package.judged_cases()]
    assert not any(path.startswith(("everything", "loop")) for path in package.files)
    assert sum("read here" in warning for warning in package.warnings) == 2
    assert sum("counts as absent" in warning for warning in package.warnings) == 2


def test_hidden_files_are_absent(double_with: PackageMaker) -> None:
    assert ".gitattributes" not in "".join(load(double_with({"data/.gitattributes": "* -text\n"})).files)


SCORING = MANIFEST + "type: scoring\n"
GROUPS = {
    "problem.yaml": SCORING,
    "data/secret/test_group.yaml": "max_score: 30\n",
    "data/secret/a/test_group.yaml": "max_score: 10\noutput_validator_args: [case_sensitive]\n",
    "data/secret/a/1.in": "1\n",
    "data/secret/a/1.ans": "2\n",
    "data/secret/b/test_group.yaml": "max_score: 20\nscore_aggregation: sum\nrequire_pass: [sample, a]\n",
    "data/secret/b/2.in": "2\n",
    "data/secret/b/2.ans": "4\n",
    "data/secret/b/2.yaml": "description: two\n",
    **NO_SECRET,
}


def test_scoring_groups(double_with: PackageMaker) -> None:
    secret = load(double_with(GROUPS)).secret
    assert (secret.max_score, secret.aggregation) == (30, Aggregation.SUM)
    first, second = secret.groups
    assert (first.aggregation, first.max_score, second.aggregation) == (Aggregation.PASS_FAIL, 10, Aggregation.SUM)
    assert second.require_pass == ("sample", "secret/a")
    assert first.cases[0].settings.output_validator_args == ("case_sensitive",)
    assert second.cases[0].settings.description == "two"


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"data/secret/c/3.in": "3\n", "data/secret/c/3.ans": "6\n"}, "data/secret/c: lacks a test_group.yaml"),
        ({"data/secret/3.in": "3\n"}, "data/secret/3.in: lies beside test groups"),
        ({"data/secret/a/test_group.yaml": "score_aggregation: sum\n"}, "lacks `max_score`"),
        (
            {"data/secret/a/test_group.yaml": "max_score: 1\nscore_aggregation: avg\n"},
            "must be one of: pass-fail",
        ),
        ({"data/secret/a/in/test_group.yaml": ""}, "test groups cannot be nested"),
        ({"data/sample/test_group.yaml": "max_score: 1\n"}, "sample is never scored"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_groups(changes: Mapping[str, str], fault: str, double_with: PackageMaker) -> None:
    found = faults_of(double_with, {**GROUPS, **changes})
    assert any(fault in one for one in found), found


def test_a_misspelt_type_does_not_make_its_scores_faults(double_with: PackageMaker) -> None:
    manifest = GROUPS["problem.yaml"].replace("scoring", "scorring")
    [fault] = faults_of(double_with, {**GROUPS, "problem.yaml": manifest})
    assert "the type 'scorring' must be one of" in fault


def test_a_constant_that_makes_a_text_vast_is_an_error_that_names_file_line_and_mend() -> None:
    constants = {"n": {"value": "9" * 100_000}}
    text = b"{{n}}\n" * 20_000
    with pytest.raises(PackageError) as caught:
        substitute(text, constants, Path("statement/problem.en.md"))
    [fault] = caught.value.faults
    assert (str(fault.path), fault.line) == ("statement/problem.en.md", 168)  # 167 of them are 16 MiB
    assert "shorten the constant in problem.yaml" in fault.message
    assert len(substitute(b"{{n}}\n" * 100, constants, Path("a"))) == 100 * 100_001


def test_constants_are_substituted_in_programs_and_group_settings(double_with: PackageMaker) -> None:
    package = load(
        double_with(
            {
                "data/secret/test_group.yaml": "output_validator_args: ['{{max_n}}', '{{unknown}}']\n",
                "submissions/accepted/double.py": "print({{max_n}} and 2 * int(input()))\n",
            }
        )
    )
    assert b'int("1000000")' in package.input_validators[0].files["validate.py"].read()
    assert package.submissions[0].files["double.py"].read() == b"print(1000000 and 2 * int(input()))\n"
    assert package.secret.cases[0].settings.output_validator_args == ("1000000", "{{unknown}}")


def test_constant_variants() -> None:
    constants = {"n": {"value": "5", "latex": "five"}}
    assert (
        substitute(b"{{n}} {{n.value}} {{n.latex}} {{n.x}} {{ n }} {n}", constants, Path("a.md"))
        == b"5 5 five {{n.x}} {{ n }} {n}"
    )


def test_workspace_parts_become_one_package_with_the_helper_inlined() -> None:
    root = REPOSITORY / "problems" / "sokoban"
    assert workspace_of(root) == REPOSITORY
    package = load(root, built=False)
    [validator] = package.input_validators
    text = validator.files["validate.py"].read()
    assert b"\nfrom judgelib import" not in text
    assert b"class Reader" in text
    assert b"{{" not in text
    assert {"generators/sokoban.py", "generators/grids.py", "submissions/accepted/lowlink.cpp"} <= set(
        package.files
    )


def test_judge_program_of_a_workspace_holds_the_modules_beside_it(tmp_path: Path) -> None:
    written = {
        "problems/double/problem.yaml": MANIFEST,
        "checkers/judgelib.py": "HELP = 1\n",
        "checkers/double/first.py": "from judgelib import HELP\nfrom second import (\n    TWO,\n)\nprint(HELP, TWO)\n",
        "checkers/double/second.py": "from os import path\nfrom judgelib import HELP\nTWO = HELP + 1\n",
        "checkers/double/by_itself.py": "print(0)\n",
        "checkers/double/deeper/second.py": "not a module of theirs\n",
    }
    files = lay_out(write_files(tmp_path, written), "double", Findings())
    assert {path: file.read() for path, file in files.items() if path.startswith("output_validator/")} == {
        "output_validator/first.py": b"HELP = 1\nfrom os import path\nTWO = HELP + 1\nprint(HELP, TWO)\n",
        "output_validator/by_itself.py": b"print(0)\n",
        "output_validator/deeper/second.py": b"not a module of theirs\n",
    }


@pytest.mark.parametrize("slug", slugs_in(REPOSITORY))
def test_modules_that_share_a_judge_program_share_no_name(slug: str) -> None:
    package = load(REPOSITORY / "problems" / slug, built=False)
    programs = [*package.input_validators, *package.output_validators]
    texts = [file.read() for program in programs for path, file in program.files.items() if path.endswith(".py")]
    assert texts
    for text in texts:
        names = [name for node in ast.parse(text).body for name in _defined_by(node)]
        assert len(names) == len(set(names))


def _defined_by(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def test_problem_is_found_by_slug_by_path_and_by_where_we_stand() -> None:
    sokoban = REPOSITORY / "problems" / "sokoban"
    assert find_package("sokoban", REPOSITORY / "docs") == sokoban
    assert find_package("problems/sokoban", REPOSITORY) == sokoban
    assert find_package(None, sokoban / "data" / "sample") == sokoban
    with pytest.raises(UsageError, match="neither a package's folder or zip nor one of "):
        find_package("nosuch", REPOSITORY)
    with pytest.raises(UsageError, match=r"tests/packages: no problem.yaml .* it holds packages \(double, "):
        find_package("tests/packages", REPOSITORY)


@pytest.mark.parametrize(
    "value",
    ["2025-13-45", "!!int abc", "9" * 5000, "!foo x", "!!python/object:os.system x", "{? [a] : b}", "[" * 10_000],
    ids=["date", "int", "digits", "tag", "object", "key", "deep"],
)
def test_hostile_yaml_is_a_fault(value: str, double_with: PackageMaker) -> None:
    root = double_with({"problem.yaml": MANIFEST + f"version: {value}\n"})
    try:
        load(root)  # a value that is merely odd is fine; anything else must be a fault
    except PackageError as error:
        assert all(fault.path.name == "problem.yaml" for fault in error.faults)


def test_yaml_aliases_are_refused_before_they_grow(double_with: PackageMaker) -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    [fault] = faults_of(double_with, {"problem.yaml": MANIFEST + "a0: &a0 x\n" + levels})
    assert "aliases" in fault


def test_what_is_neither_file_nor_folder_is_a_fault(double_with: PackageMaker) -> None:
    root = double_with()
    os.mkfifo(root / "data/secret/04.in")
    with pytest.raises(PackageError, match="neither a file nor a folder"):
        load(root)


def test_private_folder_of_somebody_else_does_not_hide_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "private").mkdir()
    is_file = Path.is_file

    def refused(self: Path) -> bool:
        if "private" in self.parts:
            raise PermissionError
        return is_file(self)

    monkeypatch.setattr(Path, "is_file", refused)
    with pytest.raises(UsageError, match="no problem `three`"):
        find_package("three", tmp_path)


@pytest.mark.parametrize(
    ("latex", "name"),
    [
        ("\\problemname{\\#exclude<scoring> \\& co}\n", "#exclude<scoring> & co"),
        ("\\problemname{Earn \\$5}\n", "Earn $5"),
        ("\\problemname{A $n^2$ \\& co}\n%% plainproblemname: A n2 & co\n", "A n2 & co"),
        ("\\problemname{A $n^2$ \\& co}\n", "A $n^2$ \\& co"),
    ],
)
def test_a_name_in_latex_is_read_as_text(latex: str, name: str, double_with: PackageMaker) -> None:
    root = double_with(
        {
            "problem.yaml": "author: X\n",
            "statement/problem.en.md": None,
            "problem_statement/problem.en.tex": latex,
        }
    )
    assert load(root).names == {"en": name}
