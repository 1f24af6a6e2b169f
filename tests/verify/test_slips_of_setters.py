"""Slips that setters make: each is named where it is, and mending it is enough."""

import shutil
from pathlib import Path

import pytest

from command_line import invoke


def call(*words: str) -> tuple[int, str]:
    """Call harness in the package; return its exit code, and what it prints or raises."""
    result = invoke(*words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return 2, f"{result.output}{result.exception}"
    return result.return_value or 0, result.output


def verified(*parts: str) -> tuple[int, str]:
    """Verify these parts of the package; return the exit code and the output on one line."""
    code, said = call("verify", *(word for part in parts for word in ("--only", part)))
    return code, said.replace("\n", " ")


@pytest.fixture(autouse=True)
def mine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a new package, which `harness new` makes with the options that are the parameter."""
    monkeypatch.chdir(tmp_path)
    assert call("new", "mine", *getattr(request, "param", ()))[0] == 0
    monkeypatch.chdir("mine")
    assert call("generate")[0] == 0


def with_option(option: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("mine", [(option,)], indirect=True, ids=[option])


def changed(path: str, old: str, new: str) -> None:
    file = Path(path)
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))


@with_option("--groups")
def test_a_slip_in_a_group_file_of_the_recipe_is_not_written_into_the_data() -> None:
    changed("generators/generators.yaml", "score_aggregation: pass-fail", "score_aggregation: passfail")
    code, said = call("judge")
    assert code == 2
    assert "generators/generators.yaml:13: secret/1-small/test_group.yaml: `score_aggregation`" in said
    assert not any("passfail" in file.read_text() for file in Path("data").rglob("*.yaml"))
    changed("generators/generators.yaml", "score_aggregation: passfail", "score_aggregation: pass-fail")
    assert call("judge")[0] == 0


@with_option("--groups")
def test_points_that_do_not_add_up_and_groups_out_of_order_are_one_error_at_the_line_of_the_recipe() -> None:
    changed("generators/generators.yaml", "max_score: 60", "max_score: 70")
    code, said = call("judge")
    assert code == 2
    assert (
        "generators.yaml:8: secret/test_group.yaml: its groups sum to 110 points, more than its max_score" in said
    )
    changed("generators/generators.yaml", "max_score: 70", "max_score: 60")
    changed("generators/generators.yaml", "max_score: 40", "max_score: 40\n          require_pass: [2-large]")
    code, said = call("judge")
    assert code == 2
    assert (
        "generators.yaml:13: secret/1-small/test_group.yaml: `require_pass: 2-large` names no earlier group"
        in said
    )
    assert "groups go by name, `1-small` before `2-large`: call them" in said


@with_option("--groups")
def test_a_required_group_that_does_not_exist_comes_with_the_names_of_those_that_may_be_required() -> None:
    changed("generators/generators.yaml", "max_score: 60", "max_score: 60\n          require_pass: [group9]")
    said = call("judge")[1]
    assert "`require_pass: group9` names no earlier group that passes or fails: there are sample, 1-small" in said


@with_option("--groups")
def test_a_broken_group_file_in_the_data_is_mended_by_the_recipe() -> None:
    changed("data/secret/1-small/test_group.yaml", "pass-fail", "passfail")
    assert "edited or written by hand" in call("judge")[1]
    lines = [line for line in call("verify", "--only", "data")[1].splitlines() if line.startswith("error data")]
    assert [line.count("/data/") for line in lines] == [1, 0]
    assert "or make the files anew with --force: harness generate" in lines[1]
    assert call("generate", "--force")[0] == 0
    assert call("judge")[0] == 0


def test_data_that_was_built_here_follows_its_recipe_without_a_lock() -> None:
    Path("generators/data.lock").unlink()
    changed("generators/generators.yaml", "between.py 5 5", "between.py 7 7")
    assert call("judge")[0] == 0
    assert Path("data/secret/02-carry.in").read_text() == "7\n"
    assert not Path("generators/data.lock").exists()


def test_a_scope_that_no_case_has_is_named() -> None:
    demand = "wrong_answer/small_numbers_only.py:\n  secrets/*:\n    permitted: [AC]\n"
    Path("submissions/submissions.yaml").write_text(demand)
    assert "`secrets/*` matches no test group and no test case" in verified("data")[1]


def test_a_generator_without_a_seed_is_named_with_its_inputs() -> None:
    text = Path("generators/between.py").read_text()
    Path("generators/between.py").write_text(f"{text}import os\nprint(os.urandom(40).hex() and '', end='')\n")
    assert call("generate", "--relock")[0] == 0
    assert verified("data")[0] == 0
    chance = "import os, sys\nprint(1 + int.from_bytes(os.urandom(3), 'big') % 1000)\n"
    Path("generators/between.py").write_text(chance)
    changed("generators/generators.yaml", "between.py 5 5", "between.py 1 1000")
    assert call("generate", "--relock")[0] == 0
    code, said = verified("data")
    assert code == 1
    assert "secret/02-carry.in" in said
    assert "made another input when it was called again" in said


@with_option("--interactive")
def test_lines_of_a_dialogue_that_no_statement_shows_are_named() -> None:
    Path("data/sample/1.interaction").write_text("500000\n< less\n>250000\n--\n")
    said = verified("statement")[1]
    assert "begins with none of `<` (the judge)" in said
    assert [line for line in range(1, 5) if f"1.interaction:{line}" in said] == [1, 4]


@pytest.mark.parametrize(
    ("part", "file", "old", "new", "told"),
    [
        (
            "statement",
            "statement/problem.en.md",
            "{{max_n}}",
            "{{ max_n }}",
            "`{{ max_n }}` is shown as it is: write `{{max_n}}`",
        ),
        (
            "package",
            "problem.yaml",
            "type:",
            "validation: default\ntype:",
            "problem.yaml:3: `validation` is a legacy key",
        ),
    ],
    ids=["a constant between blanks", "validation in the current format"],
)
def test_a_slip_in_a_file_is_named(part: str, file: str, old: str, new: str, told: str) -> None:
    changed(file, old, new)
    assert told in verified(part)[1]


def test_files_where_nothing_reads_them_are_named() -> None:
    Path("submissions.yaml").write_text("accepted/doubles.py:\n  required: TLE\n")
    Path("generators/generators.yaml").rename("generators/generator.yaml")
    said = verified("package")[1]
    assert "submissions.yaml: not read here: move it to submissions/submissions.yaml" in said
    assert "data.lock: not checked, for there is no generators/generators.yaml" in said
    assert "generator.yaml: not read here: move it to generators/generators.yaml" in said
    assert "generators.yaml: not found: rename generators/generator.yaml so" in call("generate")[1]


def test_a_case_that_is_there_twice_is_named() -> None:
    assert "the same input" not in verified("data")[1]
    first = sorted(Path("data/secret").rglob("*.in"))[0]
    for ending in (".in", ".ans"):
        first.with_name(f"zz{ending}").write_bytes(first.with_suffix(ending).read_bytes())
        Path(f"data/sample/zz{ending}").write_bytes(first.with_suffix(ending).read_bytes())  # shown: not the same
    said = verified("data")[1]
    assert f"secret/zz: has the same input and answer as secret/{first.stem}" in said
    assert said.count("the same input") == 1
    assert "secret/zz: is judged, but not in generators/generators.yaml" in said


def test_slips_in_the_manifest_are_named_once() -> None:
    lines = [line for line in Path("problem.yaml").read_text().splitlines() if not line.startswith("uuid")]
    Path("problem.yaml").write_text(
        "\n".join([*lines, "uuid: 123", "author: Max", "languages: [pyton3, java]", ""])
    )
    _, said = verified("package", "data", "bounds")
    assert said.count("`uuid` is not a UUID") == 1
    assert said.count("`author` is a legacy key") == 1
    assert "no language is called `pyton3`: did you mean `python3`?" in said


@pytest.fixture
def cobol(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language whose tool is missing."""
    tool = '[languages.cobol]\nname = "COBOL"\nextensions = [".cob"]\nrun = ["no-such-tool"]\n'
    Path("harness.toml").write_text(tool)
    monkeypatch.setenv("HARNESS_CONFIG", str(Path("harness.toml").resolve()))


@pytest.mark.usefixtures("cobol")
def test_a_missing_tool_of_a_generator_is_no_fault_of_the_package() -> None:
    Path("generators/more.cob").write_text("x\n")
    recipe = Path("generators/generators.yaml")
    recipe.write_text(recipe.read_text().replace("between.py", "more.cob"))
    code, said = verified("data")
    assert "no-such-tool: could not be started" in said
    assert code == 2


def test_windows_line_ends_in_inputs_are_named() -> None:
    shutil.rmtree("input_validators")  # it refuses such inputs
    Path("data/secret").mkdir(exist_ok=True)
    Path("data/secret/windows.in").write_bytes(b"3\r\n1 2 3\r\n")
    Path("data/secret/windows.ans").write_bytes(b"6\n")
    assert "secret/windows: lines of the input end in CR LF" in verified("data")[1]


def test_line_ends_of_windows_in_an_answer_are_named() -> None:
    shutil.rmtree("generators")
    Path("data/sample/1.ans").write_bytes(Path("data/sample/1.ans").read_bytes().replace(b"\n", b"\r\n"))
    assert "sample/1: lines of the answer end in CR LF" in verified("data")[1]
    Path("data/sample/1.in").write_bytes(Path("data/sample/1.in").read_bytes().replace(b"\n", b"\r\n"))
    assert "sample/1: lines of the input and answer end in CR LF" in verified("data")[1]


def test_a_byte_order_mark_in_a_case_is_named() -> None:
    shutil.rmtree("input_validators")  # it refuses such inputs
    for ending in ("in", "ans"):
        Path(f"data/sample/1.{ending}").write_bytes(b"\xef\xbb\xbf3\n")
    said = verified("data")[1]
    for kind in ("input", "answer"):
        assert f"sample/1: the {kind} begins with a byte order mark: save it without one" in said


def test_slips_in_names_and_keys_come_with_what_was_meant() -> None:
    changed("problem.yaml", "time_limit:", "time:")
    Path("data/sample/2.IN").write_text("3\n")
    Path("data/sample/3.in.txt").write_text("3\n")
    Path("submissions/accepted/old.exe").write_bytes(b"MZ")
    Path("submissions/submissions.yaml").write_text("accepted/doubles.py:\n  permitted: AC\n")
    said = verified("package")[1]
    assert "unknown key `time` in limits: did you mean `time_limit`?" in said
    changed("problem.yaml", "time:", "time_limit:")
    said = verified("package")[1]
    assert "2.IN: no file of a test case ends so, ignored: did you mean `2.in`?" in said
    assert "3.in.txt: no file of a test case ends so, ignored: did you mean `3.in`?" in said
    assert "old.exe: no program by its ending: not judged" in said
    assert "submissions.yaml:2: `permitted` is one string: read as the list [AC]; write it so" in said
    Path("submissions/submissions.yaml").write_text("accepted/doubles.py:\n  permitted: ''\n")
    assert "submissions.yaml:2: `permitted` holds ''" in verified("package")[1]


def test_a_statement_of_another_name_beside_a_good_one_is_named() -> None:
    for name in ("problem.EN.md", "problem_de.md", "notes.md", "problem_part.tex"):
        Path("statement", name).write_text("Text\n")
    Path("statement/problem.sv.tex").write_text("\\input{problem_part}\n")
    said = verified("package")[1]
    for name in ("problem.EN.md", "problem_de.md"):
        assert f"statement/{name}: not shown: rename it to problem.<language>.md, as problem.en.md" in said
    assert "notes.md" not in said and "part.tex" not in said


def test_a_language_of_the_name_that_is_no_code_is_named() -> None:
    changed("problem.yaml", "name: Mine", "name: {en: Mine, english: Mine}")
    said = verified("package")[1]
    assert "problem.yaml:4: `english` in `name` is no code of a language, such as en or pt-BR" in said
    assert "no statement in" not in said


def test_a_package_with_errors_shows_its_warnings_too() -> None:
    changed("problem.yaml", "type: pass-fail", "type: pasfail")
    Path("solutons").mkdir()
    Path("solutons/solution.en.md").write_text("Double it.\n")
    said = verified("package")[1]
    assert "pasfail" in said and "1 error, 1 warning" in said
    assert said.count("did you mean solution/?") == 1


def test_a_folder_of_solutions_by_verdict_is_meant_as_submissions() -> None:
    Path("submissions").rename("solutions")
    assert (
        "solutions: no folder of this format, so it is not read: did you mean submissions/?"
        in verified("package")[1]
    )


def test_a_broken_link_in_the_place_of_an_answer_is_one_error() -> None:
    shutil.rmtree("generators")  # the recipe would make the answer
    Path("data/sample/1.ans").unlink()
    Path("data/sample/1.ans").symlink_to("../gone.ans")
    said = verified("package")[1]
    assert "the link points to nothing" in said
    assert "no answer beside it" not in said


@pytest.mark.usefixtures("cobol")
def test_what_all_parts_lack_is_no_fault_of_the_package_and_told_once_with_their_names() -> None:
    Path("output_validator").mkdir()
    Path("output_validator/check.cob").write_text("x\n")
    code, said = verified("outputs", "submissions", "answers")
    assert (code, said.count("no-such-tool: could not be started")) == (2, 1)
    assert "unmeasured outputs, submissions, answers: " in said
    assert "1 unmeasured: see above" in said


def test_the_ending_of_the_file_is_the_format_of_a_statement() -> None:
    assert call("statement", "-o", "page.md")[0] == 0
    assert Path("page.md").read_text().startswith("# ")
    code, said = call("statement", "--format", "html", "-o", "other.pdf")
    assert (code, Path("other.pdf").exists()) == (2, False)
    assert "other.pdf: ends as .pdf, but --format says html" in said
    code, said = call("statement", "-o", "page.odt")
    assert (code, Path("page.odt").exists()) == (2, False)
    assert "page.odt: ends as .odt, not as .html or .pdf or .md: rename it, or give --format" in said
    assert call("statement", "-o", "page.odt", "--format", "html")[0] == 0
    assert call("statement", "-o", "page")[0] == 0


def test_a_path_beside_the_package_leads_to_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path.cwd()
    monkeypatch.chdir("..")
    assert f"it lies in the package {here}, name that" in call("judge", "mine/data")[1]
    assert (
        f"a file, but no zip: it is no problem package: it lies in the package {here}"
        in (call("statement", "mine/problem.yaml")[1])
    )
    assert "mine is a package: name the folder that holds it" in call("contest", "new", "mine")[1]
    assert "name the program to break, too: harness stress mine my.cpp" in call("stress", "mine")[1]
