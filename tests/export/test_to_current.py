"""An older package exported as 2025-09 is judged to the same, or the export says what it cannot hold."""

import shutil
from pathlib import Path

import pytest
import yaml

from conftest import TESTS, PackageMaker
from harness.errors import UsageError
from harness.export.archive import write_zip
from harness.export.targets import Target, export
from harness.host.host import Host
from harness.judge.entries import own_entries
from harness.judge.judging import Judging
from harness.package import Package
from harness.package.archive import opened
from harness.package.load import load
from harness.package.model import Format, rules_for

PACKAGES = TESTS / "packages"
Outcome = dict[str, tuple[str | None, float | None, bool | None]]


def judged(package: Package, host: Host) -> Outcome:
    results = Judging(package=package, host=host).run(own_entries(package))
    # With points, legacy's verdict is what a grader makes of the groups; 2025-09 has none beside the points.
    return {
        one.path: (
            None if package.scoring else one.verdict.value,
            one.score,
            one.expected.met if one.expected is not None else None,
        )
        for one in results
    }


def modern(root: Path, folder: Path) -> Path:
    path = folder / f"{root.name}.zip"
    write_zip(export(load(root), Target.CURRENT), path)
    return path


SAME = [
    "judge_legacy_pass_fail",
    "judge_legacy_default_validation_flags",
    "judge_legacy_interactive_without_answers",
    "judge_legacy_groups_of_points",
]


@pytest.mark.parametrize("name", SAME)
def test_old_package_is_judged_to_the_same_as_a_new_one(name: str, host: Host, tmp_path: Path) -> None:
    before = judged(load(PACKAGES / name), host)
    with opened(modern(PACKAGES / name, tmp_path)) as root:
        package = load(root)
        assert package.format is Format.CURRENT
        after = judged(package, host)
    assert after == before


def test_arguments_of_a_draft_are_kept(host: Host, tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    shutil.copytree(PACKAGES / "judge_args", draft)
    manifest = draft / "problem.yaml"
    manifest.write_text(manifest.read_text().replace("2025-09", "2023-07-draft"))
    with opened(modern(draft, tmp_path)) as root:
        assert judged(load(root), host) == {"accepted/prints_args.py": ("AC", None, True)}


@pytest.mark.parametrize("name", ["load_current_with_legacy_keys", "load_draft_scores_in_a_mapping"])
def test_older_keys_in_a_package_of_2025_09_are_written_anew(name: str, tmp_path: Path) -> None:
    before = load(PACKAGES / name)
    with opened(modern(PACKAGES / name, tmp_path)) as root:
        after = load(root)
    assert all("the short name" in one for one in after.warnings)
    assert after.types == before.types
    for old, new in zip(before.judged_cases(), after.judged_cases(), strict=True):
        assert new.settings.output_validator_args == old.settings.output_validator_args


def test_static_validator_visualizers_and_constants_of_a_draft_are_kept(tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    shutil.copytree(PACKAGES / "judge_static_in_sum_group", draft)
    manifest = draft / "problem.yaml"
    manifest.write_text(manifest.read_text().replace("2025-09", "2023-07-draft") + "constants: {most: 5}\n")
    for folder in ("input_visualizer", "output_visualizer"):
        (draft / folder).mkdir()
        (draft / folder / "draw.py").write_text("print({{most}})\n")
    before = load(draft)
    lost = export(before, Target.LEGACY).losses
    with opened(modern(draft, tmp_path)) as root:
        after = load(root)
        assert (root / "output_visualizer" / "draw.py").read_text() == "print(5)\n"
    assert (after.input_visualizer is None, after.constants) == (False, before.constants)
    assert [one.static for one in after.secret.groups] == [one.static for one in before.secret.groups]
    assert after.static_validator is not None and "the visualizers" in lost


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("judge_legacy_two_validators", "several output validators"),
        ("judge_legacy_custom_grader", "data/secret is graded by graders/count.py: .* export it as legacy, or"),
        ("judge_legacy_max", "reject_score"),
        ("judge_legacy_nested_groups", "groups in groups"),
    ],
)
def test_what_2025_09_cannot_say_is_refused_by_name(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        modern(PACKAGES / name, tmp_path)


def test_names_become_legal_and_stay_apart(tmp_path: Path) -> None:
    with opened(modern(PACKAGES / "load_legacy_names_with_blanks", tmp_path)) as root:
        package = load(root)
    old = load(PACKAGES / "load_legacy_names_with_blanks")
    assert len(package.judged_cases()) == len(old.judged_cases())
    assert len(package.submissions) == len(old.submissions)
    assert [warning for warning in package.warnings if "is not allowed" in warning] == []


def test_a_script_in_python_2_is_still_one(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with({"submissions/accepted/old.py": "print 2 * int(raw_input())\n"})
    (root / "problem.yaml").write_text("name: Double\n")
    with opened(modern(root, tmp_path)) as unpacked:
        package = load(unpacked)
    languages = {one.path: one.language for one in package.submissions}
    assert (languages["accepted/old.py"], languages["accepted/double.py"]) == ("python2", None)
    assert frozenset({"AC"}) in {rule.permitted for rule in rules_for("accepted/old.py", package.rules)}


def test_input_validators_that_are_not_run_are_named(double_with: PackageMaker) -> None:
    root = double_with({"input_format_validators/x.viva": "{} [1, 1];\n"})
    (root / "problem.yaml").write_text("name: Double\n")
    losses = export(load(root), Target.CURRENT).losses
    assert "input validators in VIVA: input_format_validators/x.viva" in losses


def test_an_input_validator_in_checktestdata_is_one_in_python(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with({"input_validators/x.ctd": "INT(0, 9999) NEWLINE\n"})
    with opened(modern(root, tmp_path)) as unpacked:
        package = load(unpacked)
    assert {"x.py"} in [set(one.files) for one in package.input_validators]


@pytest.mark.parametrize("folder", ["wrong_answer", "rejected", "run_time_error", "time_limit_exceeded"])
def test_what_a_folder_requires_of_some_case_is_still_required(double_with: PackageMaker, folder: str) -> None:
    manifest = (PACKAGES / "double" / "problem.yaml").read_text().replace("2025-09", "2023-07-draft")
    package = load(
        double_with({"problem.yaml": manifest, f"submissions/{folder}/right.py": "print(2 * int(input()))"})
    )
    exported = yaml.safe_load(export(package, Target.CURRENT).read("submissions/submissions.yaml"))
    assert "AC" not in exported[f"{folder}/right.py" if f"{folder}/right.py" in exported else folder]["required"]


TESTLIB_CHECKER = '#include "testlib.h"\nint main(int argc, char* argv[]) { registerTestlibCmd(argc, argv); }\n'


def test_a_package_with_programs_of_testlib_is_the_same_but_for_these(double_with: PackageMaker) -> None:
    manifest = (PACKAGES / "double" / "problem.yaml").read_text() + "credits: {authors: A, testers: [B]}\n"
    demands = "wrong_answer/*:\n  message: differs\n  secret/01*:\n    required: [WA]\n"
    package = load(
        double_with(
            {
                "problem.yaml": manifest,
                "submissions/submissions.yaml": demands,
                "input_validators/val.cpp": TESTLIB_CHECKER.replace("TestlibCmd", "Validation"),
                "input_validators/testlib.h": "// ours",
                "output_validator/check.cpp": TESTLIB_CHECKER,
                "generators/generators.yaml": "data: {}\n",
            }
        )
    )
    exported = export(package, Target.CURRENT)
    assert exported.read("problem.yaml") == manifest.encode()
    assert exported.read("submissions/submissions.yaml") == demands.encode()
    assert any("generators/" in loss for loss in exported.losses)
    programs = sorted(path for path in exported.contents if path.startswith(("input_", "output_")))
    assert programs == [
        "input_validators/val/testlib.h",
        "input_validators/val/testlib_original.h",
        "input_validators/val/val.cpp",
        "input_validators/validate.py",
        "output_validator/check.cpp",
        "output_validator/testlib.h",
        "output_validator/testlib_original.h",
    ]
    assert exported.read("input_validators/val/testlib_original.h") == b"// ours"


def test_what_an_older_package_says_beyond_2025_09_is_named(double_with: PackageMaker) -> None:
    manifest = (PACKAGES / "double" / "problem.yaml").read_text().replace("2025-09", "2023-07-draft")
    package = load(
        double_with(
            {
                "problem.yaml": manifest + "credits: {authors: A, testers: [B]}\n",
                "submissions/submissions.yaml": "wrong_answer/*:\n  message: differs\n",
                "generators/generators.yaml": "data: {}\n",
            }
        )
    )
    losses = " ".join(export(package, Target.CURRENT).losses)
    assert "generators/" in losses
    assert "testers" in losses
    assert "demands on single groups and messages" in losses
