"""Test data from recipes: placeholders, numbering, validation, increments, the lock."""

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import NO_SECRET, PackageMaker
from harness.check.input_validators import InputValidators
from harness.errors import Fault, JudgeError, PackageError
from harness.generate.checks import validity_digest
from harness.generate.data import build_data, needs_building
from harness.generate.overlay import load_built, overlay_of
from harness.generate.recipe import PlannedCase, read_recipe
from harness.generate.record import RECORD, BuildRecord, digest_of, read_lock
from harness.host.host import Host
from harness.package.files import File
from harness.package.load import load
from harness.package.workspace import LOCK
from harness.store.identity import programs_identity

RECIPE = """
solution: /submissions/accepted/double.py
random_salt: abcd
data:
  secret:
    data:
      1-small: echo.py 5
      2-random: echo.py {seed}
      3-literal:
        in: |
          7
"""
WITH_SAMPLE = RECIPE + "  sample:\n    data:\n      shown:\n        in: |\n          4\n"
ECHO = "import sys\nprint(int(sys.argv[1]) % 1000001)\n"


@pytest.fixture
def recipe_package(double_with: PackageMaker) -> PackageMaker:
    def make(changes: Mapping[str, str | bytes | None] | None = None) -> Path:
        files = {"generators/generators.yaml": RECIPE, "generators/echo.py": ECHO}
        return double_with({**NO_SECRET, **files, **(changes or {})})

    return make


def planned(text: str) -> dict[str, PlannedCase]:
    files = {
        "generators/generators.yaml": File(origin=Path("generators.yaml"), content=text.encode()),
        "generators/manual/x.in": File(origin=Path("x.in"), content=b"1\n"),
        "generators/manual/x.ans": File(origin=Path("x.ans"), content=b"2\n"),
    }
    recipe = read_recipe(files, {"big": {"value": "99"}})
    assert recipe is not None
    return {case.name: case for case in recipe.cases}


def test_seed_is_bapctools_formula() -> None:
    command = "tree {seed:2} x"
    expected = int(hashlib.sha512(f"abcd{command}".encode()).hexdigest(), 16) % 2**31
    [case] = planned(f"random_salt: abcd\ndata:\n  secret:\n    data:\n      a: {command}\n").values()
    assert case.invocation is not None
    assert case.invocation.arguments == (str(expected), "x")


def test_count_makes_cases_with_seeds_of_their_own() -> None:
    cases = planned(
        "data:\n  secret:\n    data:\n      a:\n        generate: tree {count} {seed} {name}\n        count: 9..=10\n"
    )
    assert list(cases) == ["secret/a-09", "secret/a-10"]
    arguments = [case.invocation.arguments for case in cases.values() if case.invocation]
    assert [one[0] for one in arguments] == ["9", "10"]
    assert [one[2] for one in arguments] == ["testcase", "testcase"]
    assert arguments[0][1] != arguments[1][1]


def test_lists_are_numbered_and_groups_by_themselves() -> None:
    text = "data:\n  secret:\n    data:\n"
    text += "".join(f"    - g{group}:\n        data:\n        - a: x\n        - '': y\n" for group in range(5))
    names = list(planned(text))
    assert names[:2] + names[-2:] == ["secret/1-g0/01-a", "secret/1-g0/02", "secret/5-g4/09-a", "secret/5-g4/10"]


def test_copies_literals_and_constants() -> None:
    cases = planned(
        "data:\n  secret:\n    data:\n      a:\n        copy: manual/x\n      b:\n        in: '5'\n"
        "      c: tree {{big}}\n"
    )
    assert cases["secret/a"].texts == {".in": b"1\n", ".ans": b"2\n"}
    assert cases["secret/b"].texts[".in"] == b"5\n"
    assert cases["secret/c"].invocation is not None
    assert cases["secret/c"].invocation.arguments == ("99",)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("data:\n  secret:\n    data:\n      a: {ans: '1'}\n", 4, "needs `generate`, `copy` or `in`"),
        ("data:\n  secret:\n    data:\n      a:\n        copy: no/such\n", 5, "nothing to copy"),
        (
            "data:\n  secret:\n    data:\n      a:\n        generate: x\n        conut: 3\n",
            6,
            "unknown key `conut`",
        ),
        (
            "data:\n  secret:\n    data:\n      a:\n        generate: x\n        count: many\n",
            6,
            "`count` must be",
        ),
        ("data:\n  secret:\n    data:\n      a:\n        generat: x\n", 5, "did you mean `generate`?"),
        ("data:\n  secret:\n    dta:\n      a: x\n", 3, "did you mean `data`?"),
        ("data:\n  secert:\n    data:\n      a: x\n", 2, "did you mean `secret`?"),
        (
            "data:\n  secret:\n    data:\n      small: {data: {a: x}}\n      large: {include: [small]}\n",
            5,
            "nothing before it: entries go by name, `large` before `small`: call them 1-small and 2-large",
        ),
        ("generators:\n  tree: [no.py]\ndata: {}\n", 2, "no.py, which is not in generators/"),
        ("dta: {}\n", 1, "needs a `data` key"),
        ("", None, "is empty"),
    ],
)
def test_broken_recipe_names_line_and_mend(text: str, line: int | None, message: str) -> None:
    with pytest.raises(PackageError) as caught:
        planned(text)
    faults: tuple[Fault, ...] = caught.value.faults
    assert any(fault.line == line and message in fault.message for fault in faults), faults


def test_build_validates_answers_locks_and_then_only_hashes(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    assert needs_building(load(root, built=False))
    first = build_data(root, host)
    assert (first.cases, first.locked, bool(first.drift)) == (3, True, False)
    assert (root / "data/secret/1-small.in").read_bytes() == b"5\n"
    assert (root / "data/secret/1-small.ans").read_bytes() == b"10\n"
    before = {path: path.stat().st_mtime_ns for path in (root / "data").rglob("*.in")}
    second = build_data(root, host)
    assert (second.made, second.locked, bool(second.drift)) == (0, False, False)
    assert {path: path.stat().st_mtime_ns for path in (root / "data").rglob("*.in")} == before


def test_changed_generator_cannot_change_data_in_silence(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    build_data(root, host)
    lock = (root / LOCK).read_bytes()
    (root / "generators/echo.py").write_text(ECHO.replace("print(", "print(1 + "))
    drift = build_data(root, host).drift
    assert set(drift.changed) == {
        f"secret/{name}.{end}" for name in ("1-small", "2-random") for end in ("in", "ans")
    }
    assert (root / LOCK).read_bytes() == lock
    assert build_data(root, host, relock=True).locked
    assert not build_data(root, host).drift


def test_data_that_differs_from_the_lock_is_said_to_be_in_the_package_and_goes_when_the_change_is_undone(
    recipe_package: PackageMaker,
) -> None:
    root = recipe_package()
    assert harness("generate", root).returncode == 0
    (root / "generators/echo.py").write_text(ECHO.replace("print(", "print(1 + "))
    changed = harness("generate", root)
    undo = f"{root}/data holds the new files; to take them back: undo the change, then harness generate {root}"
    assert (changed.returncode, undo in changed.stdout) == (1, True), said(changed)
    assert (root / "data/secret/1-small.in").read_text() == "6\n"
    (root / "generators/echo.py").write_text(ECHO)
    undone = harness("generate", root)
    assert (undone.returncode, "holds the new files" in undone.stdout) == (0, False), said(undone)
    assert (root / "data/secret/1-small.in").read_text() == "5\n"


@pytest.mark.parametrize(
    "name", ["sample/shown.ans", "secret/1-small.in", "secret/2-random.ans", "secret/3-literal.in"]
)
@pytest.mark.parametrize("checkout", ["built_here", "fresh"])
def test_file_that_somebody_edited_is_named_and_kept_without_force(
    recipe_package: PackageMaker, host: Host, name: str, checkout: str
) -> None:
    root = recipe_package({"generators/generators.yaml": WITH_SAMPLE})
    build_data(root, host)
    made = (root / "data" / name).read_bytes()
    if checkout == "fresh":
        (root / "data" / ".build.json").unlink()
    (root / "data" / name).write_bytes(b"6\n")
    with pytest.raises(PackageError, match=rf"data/{name}: is not what the recipe makes") as caught:
        build_data(root, host)
    assert "--force" in str(caught.value)
    assert str(caught.value).count("left as it is") == 1
    assert (root / "data" / name).read_bytes() == b"6\n"
    assert not build_data(root, host, force=True).drift
    assert (root / "data" / name).read_bytes() == made


def test_fresh_checkout_of_a_changed_recipe_is_built(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package({"generators/generators.yaml": WITH_SAMPLE})
    build_data(root, host)
    (root / "data" / ".build.json").unlink()
    shutil.rmtree(root / "data" / "secret")
    assert not build_data(root, host).drift
    (root / "data" / ".build.json").unlink()
    recipe = root / "generators/generators.yaml"
    recipe.write_text(
        recipe.read_text().replace("echo.py 5", "echo.py 6").replace("          4\n", "          8\n")
    )
    assert build_data(root, host).drift.changed == (
        "sample/shown.ans",
        "sample/shown.in",
        "secret/1-small.ans",
        "secret/1-small.in",
    )


def test_edited_file_of_a_case_that_left_the_recipe_is_kept(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package({"generators/generators.yaml": WITH_SAMPLE})
    build_data(root, host)
    (root / "data/sample/shown.ans").write_bytes(b"6\n")
    (root / "generators/generators.yaml").write_text(RECIPE)
    with pytest.raises(PackageError, match=r"sample/shown\.ans: is not what the recipe makes"):
        build_data(root, host)
    assert (root / "data/sample/shown.ans").read_bytes() == b"6\n"


def test_case_that_left_the_recipe_leaves_the_data(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    build_data(root, host)
    (root / "generators/generators.yaml").write_text(RECIPE.replace("      1-small: echo.py 5\n", ""))
    (root / "data/secret/1-small.ans").unlink()
    report = build_data(root, host)
    assert report.removed == ("secret/1-small.in",)
    assert report.drift.missing == ("secret/1-small.ans", "secret/1-small.in")
    assert not (root / "data/secret/1-small.in").exists()


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            {"generators/echo.py": "raise SystemExit('no')\n"},
            JudgeError,
            "` failed for secret/",
        ),
        ({"generators/echo.py": "print(1\n"}, JudgeError, "does not compile"),
        ({"generators/echo.py": "print('x')\n"}, PackageError, "refused by input_validators/validate.py"),
        (
            {"generators/generators.yaml": RECIPE.replace("echo.py 5", "nosuch 5")},
            PackageError,
            f"generators.yaml:{RECIPE[: RECIPE.index('echo.py 5')].count(chr(10)) + 1}: no generator `nosuch`",
        ),
        (
            {"generators/generators.yaml": RECIPE.replace("echo.py 5", "ecko.py 5")},
            PackageError,
            "did you mean `echo.py`?",
        ),
        ({"submissions/accepted/double.py": "raise SystemExit(1)\n"}, JudgeError, "accepted/double.py` failed"),
        (
            {"generators/generators.yaml": RECIPE.replace("accepted/double.py", "accepted/gone.py")},
            PackageError,
            "accepted/gone.py is not in the package: add it, or correct the path",
        ),
        (
            {"generators/generators.yaml": RECIPE.replace("/submissions/", "/submission/")},
            PackageError,
            "is not in the package, which has submissions/accepted/double.py: rename one of the two",
        ),
        (
            {
                "generators/generators.yaml": RECIPE.replace(
                    "solution: /submissions/accepted/double.py", "solution:"
                )
            },
            PackageError,
            "has no answer",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_failure_names_its_cause_and_leaves_nothing_half_written(
    changes: Mapping[str, str],
    error: type[Exception],
    message: str,
    recipe_package: PackageMaker,
    host: Host,
) -> None:
    root = recipe_package(changes)
    with pytest.raises(error) as caught:
        build_data(root, host)
    assert message in str(caught.value)
    assert not list((root / "data").rglob(".new-*"))
    assert not (root / LOCK).exists()


def content_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_package_without_a_lock_is_left_as_it_was(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    before = content_of(root)
    built = load_built(root, host)
    assert built.report is not None
    assert (built.report.made, built.report.overlaid, built.report.locked) == (6, True, False)
    assert [case.name for case in built.package.secret.all_cases()] == [
        "secret/1-small",
        "secret/2-random",
        "secret/3-literal",
    ]
    assert built.package.files["data/secret/1-small.ans"].read() == b"10\n"
    assert content_of(root) == before
    again = load_built(root, host).report
    assert again is not None
    assert again.made == 0


def test_a_changed_recipe_without_a_lock_is_built_anew(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    load_built(root, host)
    recipe = root / "generators" / "generators.yaml"
    recipe.write_text(recipe.read_text().replace("echo.py 5", "echo.py 6").replace("2-random", "4-random"))
    package = load_built(root, host).package
    assert package.files["data/secret/1-small.in"].read() == b"6\n"
    assert "data/secret/2-random.in" not in package.files
    assert "data/secret/4-random.ans" in package.files


def test_data_built_for_a_package_that_is_gone_goes_too(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    gone = root.with_name("gone")
    shutil.copytree(root, gone)
    load_built(gone, host)
    kept = overlay_of(gone, host.builder.cache)
    assert kept is not None
    assert (kept / "secret/1-small.in").is_file()
    shutil.rmtree(gone)
    load_built(root, host)
    assert not kept.exists()


def test_data_built_for_another_package_at_the_same_path_goes(recipe_package: PackageMaker, host: Host) -> None:
    """Group files of a scoring problem would be faults of a pass-fail problem that has taken its place."""
    root = recipe_package()
    load_built(root, host)
    kept = overlay_of(root, host.builder.cache)
    assert kept is not None
    (root / "problem.yaml.swp").write_text("an editor's")
    with (root / "problem.yaml").open("a") as file:
        file.write("source: Another contest\n")
    assert load_built(root, host).report.made == 0, "it is still the same package"  # type: ignore[union-attr]
    (kept / "secret" / "test_group.yaml").write_text("max_score: 3\n")
    manifest = (root / "problem.yaml").read_text()
    (root / "problem.yaml").write_text(re.sub("(?m)^name: .*", "name: Another problem", manifest))
    package = load_built(root, host).package
    assert "data/secret/test_group.yaml" not in package.files
    assert package.files["data/secret/1-small.in"].read() == b"5\n"


def test_a_package_with_a_lock_is_built_in_place(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    build_data(root, host)
    shutil.rmtree(root / "data" / "secret")
    report = load_built(root, host).report
    assert report is not None
    assert not report.overlaid
    assert (root / "data/secret/1-small.in").is_file()


@pytest.mark.parametrize("name", ["../../../escaped", "/tmp/escaped", "a/../../b", ".hidden"])
def test_case_names_stay_in_the_package(name: str) -> None:
    with pytest.raises(PackageError, match="is not allowed"):
        planned(f"data:\n  secret:\n    data:\n      '{name}':\n        in: '1'\n")


def test_a_package_s_build_record_names_nothing_outside_it(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    victim = root.parent / "victim"
    victim.write_text("keep\n")
    record = {"made": {str(victim): ["x", "y"], "../../victim": ["x", "y"]}, "valid": {}}
    (root / "data" / ".build.json").write_text(json.dumps(record))
    build_data(root, host)
    assert victim.read_text() == "keep\n"


def test_a_broken_record_of_a_build_only_costs_a_rebuild(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package()
    build_data(root, host)
    broken = {"secret/1-small.in": 5, "secret/2-random.in": ["one"], "secret/3-literal.in": [{}, "two"]}
    (root / "data" / RECORD).write_text(json.dumps({"made": broken}))
    assert BuildRecord.read(root / "data" / RECORD).made == {}
    assert not build_data(root, host).drift


def test_a_generator_writes_nothing_through_a_link_that_leads_out_of_the_data(
    recipe_package: PackageMaker, host: Host
) -> None:
    root = recipe_package()
    (root.parent / ".git").mkdir()  # links that stay in a repository are read
    shared = root.parent / "shared"
    shared.mkdir()
    shutil.rmtree(root / "data" / "secret")
    (root / "data" / "secret").symlink_to(shared)
    with pytest.raises(PackageError, match="leads out of data/"):
        build_data(root, host)
    assert list(shared.iterdir()) == []


def test_a_package_cannot_vouch_for_its_own_inputs(recipe_package: PackageMaker, host: Host) -> None:
    root = recipe_package({"generators/generators.yaml": RECIPE.replace("          7\n", "          07\n")})
    with pytest.raises(PackageError, match="refused by"):
        build_data(root, host)
    package = load(root, built=False)
    validators = programs_identity(package.input_validators)
    cases = list(package.judged_cases())
    valid = {case.name: f"{validators} {digest_of(case.input.origin)} {case.settings}" for case in cases}
    more = {case.name: validity_digest(validators, case) for case in cases}
    for claimed in (valid, more, sorted(more.values())):
        (root / "data" / ".build.json").write_text(json.dumps({"made": {}, "valid": claimed}))
        with pytest.raises(PackageError, match="refused by"):
            build_data(root, host)


def test_a_solution_is_given_the_arguments_of_the_case(recipe_package: PackageMaker, host: Host) -> None:
    counts = "import sys\nprint(2 * int(input()) + len(sys.argv) - 1)\n"
    recipe = RECIPE + "        yaml: {args: [one, two]}\n"
    root = recipe_package({"generators/generators.yaml": recipe, "submissions/accepted/double.py": counts})
    build_data(root, host)
    assert (root / "data/secret/3-literal.ans").read_bytes() == b"16\n"
    fewer = recipe.replace("[one, two]", "[one]")
    (root / "generators/generators.yaml").write_text(fewer)
    build_data(root, host)
    assert (root / "data/secret/3-literal.ans").read_bytes() == b"15\n"


def test_inputs_that_were_valid_are_not_asked_about_again(
    recipe_package: PackageMaker, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = recipe_package()
    build_data(root, host)
    asked: list[str] = []
    monkeypatch.setattr(InputValidators, "refusals", lambda _self, _sandbox, case: asked.append(case.name) or ())
    build_data(root, host)
    assert asked == []
    validator = next((root / "input_validators").rglob("*.py"))
    validator.write_text(validator.read_text() + "# changed\n")
    build_data(root, host)
    assert "secret/1-small" in asked


def recipe(data: str, top: str = "") -> dict[str, PlannedCase]:
    """The cases of a recipe whose `secret` holds these lines."""
    return planned(
        f"{top}data:\n  secret:\n    data:\n" + "".join(f"      {line}\n" for line in data.splitlines())
    )


def test_included_cases_are_made_again_under_the_new_folder_once() -> None:
    cases = recipe(
        "1-small:\n  data:\n    a: tree 1\n    b: tree 2\n"
        "2-large:\n  data:\n    c: tree 3\n  include: [1-small]\n"
        "3-all:\n  include: [2-large, a]\n"
    )
    inside = [name for name in cases if name.startswith("secret/3-all/")]
    assert sorted(inside) == ["secret/3-all/a", "secret/3-all/b", "secret/3-all/c"]
    assert cases["secret/3-all/a"].invocation == cases["secret/1-small/a"].invocation


def test_numbers_run_through_all_folders_in_the_order_of_names_and_count_takes_one_each() -> None:
    cases = recipe("b:\n  data:\n  - x: {generate: tree, count: 2}\n  - y: tree\n" + "a:\n  data:\n  - ~: tree\n")
    assert sorted(cases) == ["secret/a/1", "secret/b/2-x-1", "secret/b/3-x-2", "secret/b/4-y"]


def test_counts_that_are_no_row_are_not_padded() -> None:
    cases = recipe("a: {generate: tree, count: [1, 100]}\nb: {generate: tree, count: -9..=1}")
    assert {"secret/a-1", "secret/a-100", "secret/b--9", "secret/b-01"} <= set(cases)


def test_words_are_split_as_a_shell_does_but_the_seed_is_of_the_command_as_written() -> None:
    [case] = recipe("a: tree 'a b' {seed}").values()
    expected = int(hashlib.sha512(b"tree 'a b' {seed}").hexdigest(), 16) % 2**31
    assert case.invocation is not None
    assert case.invocation.arguments == ("a b", str(expected))
    assert case.invocation.retried(2).arguments == ("a b", str(expected + 2))


def test_solution_without_a_value_is_switched_off_and_links_are_kept() -> None:
    cases = recipe(
        "a: {in: '1', ans: '', solution: , in.download: {link: in}}\nb: {in: '1'}", top="solution: /s/x.py\n"
    )
    assert (cases["secret/a"].solution, cases["secret/b"].solution) == (None, "/s/x.py")
    assert cases["secret/a"].links == {".in.download": ".in"}
    assert cases["secret/a"].texts == {".in": b"1\n", ".ans": b""}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("a: tree {seed} {seed:1}", "more than once"),
        ("a: {generate: tree, solution: relative.py}", "must start with /"),
        ("all:\n  include: [nothing]", "stands for nothing before it"),
        ("a: [1]", "neither a test case nor a directory"),
        ("a:", "or data/secret/a.in by hand"),
        ("a:\n  data:\n  - {x: tree, y: tree}", "exactly one"),
        ("a: {generate: tree, count: [1, 1]}", "different numbers"),
        ("a: {in: '1', in.download: {link: nowhere}}", "no other file"),
        ("a: tree 'open", "cannot be split into words"),
        ("a: tree {sed} 5", "unknown placeholder `{sed}`: did you mean `{seed}`?"),
    ],
)
def test_what_bapctools_refuses_is_a_fault(data: str, message: str) -> None:
    with pytest.raises(PackageError, match=re.escape(message)):
        recipe(data)


def test_a_solution_that_others_inherit_is_one_fault() -> None:
    with pytest.raises(PackageError) as caught:
        recipe("a:\n  data:\n  - x: tree {seed}", top="solution: relative.py\n")
    assert len(caught.value.faults) == 1


def test_other_braces_in_a_command_are_passed_on() -> None:
    call = recipe("a: tree {count} {colour} {}")["secret/a"].invocation
    assert call is not None
    assert call.arguments == ("{count}", "{colour}", "{}")


def test_a_misspelt_part_of_the_data_is_named_and_nothing_is_removed(recipe_package: PackageMaker) -> None:
    root = recipe_package()
    assert harness("generate", root).returncode == 0
    before = sorted(path.name for path in (root / "data").rglob("*.in"))
    (root / "generators/generators.yaml").write_text(RECIPE.replace("  secret:", "  secrets:"))
    done = harness("generate", root)
    assert done.returncode == 2
    assert "generators.yaml:5: `secrets` is no part of the data: did you mean `secret`?" in said(done)
    assert sorted(path.name for path in (root / "data").rglob("*.in")) == before


def test_generator_may_write_files_and_the_answer_that_it_writes_stands(
    recipe_package: PackageMaker, host: Host
) -> None:
    writer = "import sys\nname = sys.argv[1]\nopen(name + '.in', 'w').write('4\\n')\n"
    writer += "open(name + '.ans', 'w').write('8\\n')\n"
    writer += "import os\nos.symlink('/etc/hostname', name + '.out')\nprint('not the input')\n"
    text = "data:\n  secret:\n    data:\n      a: writer.py {name}\n"
    root = recipe_package({"generators/generators.yaml": text, "generators/writer.py": writer})
    assert build_data(root, host).made == 2
    assert [(root / f"data/secret/a.{end}").read_bytes() for end in ("in", "ans")] == [b"4\n", b"8\n"]
    assert not (root / "data/secret/a.out").exists()
    assert build_data(root, host).made == 0


def test_generator_that_fails_is_tried_with_the_next_seed(recipe_package: PackageMaker, host: Host) -> None:
    seed = int(hashlib.sha512(b"picky.py {seed}").hexdigest(), 16) % 2**31
    picky = f"import sys\nassert int(sys.argv[1]) == {seed + 1}\nprint(7)\n"
    text = "solution: /submissions/accepted/double.py\n"
    text += "data:\n  secret:\n    data:\n      a: {generate: 'picky.py {seed}', retries: 2}\n"
    root = recipe_package({"generators/generators.yaml": text, "generators/picky.py": picky})
    assert build_data(root, host).cases == 1
    assert (root / "data/secret/a.ans").read_bytes() == b"14\n"


def test_recipe_that_names_no_solution_takes_an_accepted_submission(
    recipe_package: PackageMaker, host: Host
) -> None:
    root = recipe_package(
        {"generators/generators.yaml": RECIPE.replace("solution: /submissions/accepted/double.py\n", "")}
    )
    build_data(root, host)
    assert (root / "data/secret/1-small.ans").read_bytes() == b"10\n"


def test_validator_that_cannot_be_built_is_a_warning_and_the_data_is_built(
    recipe_package: PackageMaker, host: Host
) -> None:
    root = recipe_package({"input_validators/broken.cpp": '#include "gone.h"\nint main() {}\n'})
    report = build_data(root, host)
    assert report.cases == 3
    warning, unlocked = report.warnings
    assert "broken.cpp: cannot be built, so it checks no input" in warning and "gone.h: No such file" in warning
    assert "data.lock: not written" in unlocked and not report.locked
    assert not (root / "generators" / "data.lock").exists()


def test_an_entry_without_a_value_is_a_case_that_lies_in_data(recipe_package: PackageMaker, host: Host) -> None:
    recipe = RECIPE + "  sample:\n    data:\n      '1':\n      '2':\n"
    by_hand = {"data/sample/1.in": "21\n", "data/sample/1.ans": "42 \n", "data/sample/2.in": "5\n"}
    root = recipe_package({"generators/generators.yaml": recipe, **by_hand})
    build_data(root, host)
    made = {path.name: path.read_text() for path in (root / "data/sample").iterdir()}
    assert made == {"1.in": "21\n", "1.ans": "42 \n", "2.in": "5\n", "2.ans": "10\n"}
    assert build_data(root, host).made == 0


def test_what_a_recipe_should_not_hold_is_in_the_report(recipe_package: PackageMaker, host: Host) -> None:
    report = build_data(recipe_package({"generators/generators.yaml": RECIPE + "colour: red\n"}), host)
    assert any("unknown key `colour`" in warning for warning in report.warnings)


@pytest.mark.parametrize(("folder", "is_named"), [("wrong_answer", True), ("time_limit_exceeded", False)])
def test_a_solution_that_must_fail_is_named_with_its_line(
    recipe_package: PackageMaker, host: Host, folder: str, is_named: bool
) -> None:
    recipe = RECIPE.replace("/submissions/accepted/double.py", f"/submissions/{folder}/triple.py")
    solution = {f"submissions/{folder}/triple.py": "print(3 * int(input()))\n"}
    root = recipe_package({"generators/generators.yaml": recipe, **solution})
    warnings = [warning for warning in build_data(root, host).warnings if "must fail" in warning]
    assert warnings == is_named * [
        f"{root}/generators/generators.yaml:2: makes the answers by a submission that must fail "
        f"({folder}/triple.py): name an accepted one as `solution`"
    ]


def test_a_visualizer_of_an_older_recipe_is_named_and_not_run(recipe_package: PackageMaker, host: Host) -> None:
    recipe = RECIPE.replace("data:\n", "visualizer: /visualizers/draw.py\ndata:\n", 1)
    recipe += "        visualizer: /visualizers/other.py\n"
    root = recipe_package({"generators/generators.yaml": recipe, "visualizers/draw.py": "raise SystemExit(1)\n"})
    told = [warning for warning in build_data(root, host).warnings if "`visualizer` is not run" in warning]
    assert len(told) == 2, "at the top and in a test case"
    assert any("visualizers: no part of this format: not run" in warning for warning in load(root).warnings)
    silent = File(
        origin=Path("generators.yaml"), content=RECIPE.replace("data:\n", "visualizer:\ndata:\n", 1).encode()
    )
    quiet = read_recipe({"generators/generators.yaml": silent}, {})
    assert quiet is not None
    assert not any("visualizer" in warning for warning in quiet.warnings)


def test_validator_that_asserts_refuses(recipe_package: PackageMaker, host: Host) -> None:
    condition = 'scanf("%d", &n) == 1 && n != 7'
    asserts = f"#include <cassert>\n#include <cstdio>\nint main() {{ int n; assert({condition}); return 42; }}\n"
    with pytest.raises(PackageError, match=r"3-literal.*refused by input_validators/asserts.cpp"):
        build_data(recipe_package({"input_validators/asserts.cpp": asserts}), host)


def test_a_lock_that_is_no_text_is_a_lock_that_knows_no_file(tmp_path: Path) -> None:
    assert read_lock(File(origin=tmp_path / "data.lock", content=b"\xff\xfe\n")) == {}


def test_a_locked_package_that_cannot_be_written_to_is_built_beside_it(
    recipe_package: PackageMaker, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = recipe_package({})
    assert build_data(root, host).locked
    (root / "data" / ".build.json").unlink()
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    monkeypatch.setattr("harness.generate.overlay._can_be_written", lambda _: False)
    built = load_built(root, host)
    assert built.report is not None and built.report.overlaid and not built.report.drift
    assert [case.name for case in built.package.judged_cases()]
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
