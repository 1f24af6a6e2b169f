"""Who may write in a folder that we read cannot lead us out of it, whenever a file there is exchanged for a link."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import DOUBLE, PackageMaker, judge_file, write_files
from harness.build.executable import CompileFailure
from harness.build.languages import load_table
from harness.errors import HarnessError, MachineError
from harness.files import untrusted
from harness.grade import collect
from harness.grade.collect import Collector
from harness.host.host import Host
from harness.package import files as package_files
from harness.package.files import File, read_folder
from harness.package.findings import Findings
from harness.package.load import load, read_package_files
from harness.results.model import SubmissionResult
from harness.results.verdict import Verdict

SECRET = "root:$6$hash"
PACKAGE = load(DOUBLE)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder outside of what is read, with a file of every name that the tests use."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("main.py", "shadow"):
        (folder / name).write_text(SECRET)
    return folder


@pytest.fixture
def hand_ins(tmp_path: Path) -> Path:
    return write_files(tmp_path / "hand-ins", dict.fromkeys(("ann.py", "bob/main.py"), "print(1)\n"))


def exchange(path: Path, target: Path) -> None:
    """Put a link in the place of a file or folder."""
    path.rename(path.with_name("." + path.name)) if path.is_dir() else path.unlink()
    path.symlink_to(target)


def after(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, then: Callable[..., None]) -> None:
    """Let something happen each time that a function has returned."""
    original = getattr(owner, name)

    def wrapped(*given: Any, **named: Any) -> Any:
        result = original(*given, **named)
        then(*given)
        return result

    monkeypatch.setattr(owner, name, wrapped)


def collected(folder: Path) -> dict[str, str]:
    """Each submission's content, or what its author is told."""
    found = Collector(package=PACKAGE, languages=load_table(())).collect([folder])
    return {
        entry.program.path: entry.built.diagnostics
        if isinstance(entry.built, CompileFailure)
        else b"".join(file.read() for file in entry.program.files.values()).decode()
        for entry in found.entries
    }


def test_a_hand_in_that_becomes_a_link_after_it_was_judged_harmless_is_not_read(
    hand_ins: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def then(path: Path, _: Path) -> None:
        if path.name == "ann.py" and not path.is_symlink():
            exchange(path, secret / "shadow")

    after(monkeypatch, collect, "_within", then)
    assert collected(hand_ins) == {
        "ann.py": "changed while it was being read: hand it in again",
        "bob": "print(1)\n",
    }


def test_a_folder_that_becomes_a_link_after_it_was_judged_harmless_is_not_read(
    hand_ins: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def then(path: Path, _: Path) -> None:
        if path.name == "bob" and not path.is_symlink():
            exchange(path, secret)

    after(monkeypatch, collect, "_within", then)
    found = collected(hand_ins)
    assert found["ann.py"] == "print(1)\n"
    assert "leads out of the folder" in found["bob"]


def test_a_folder_that_becomes_a_link_while_it_is_walked_is_not_listed(
    hand_ins: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (hand_ins / "bob" / "part").mkdir()

    def then(_: object, item: Any, __: object) -> None:
        exchange(item.path, secret)

    after(monkeypatch, package_files._Walk, "_may_enter", then)
    findings = Findings()
    assert list(read_folder(hand_ins / "bob", findings)) == ["main.py"]
    [fault] = findings.faults
    assert (fault.path.name, SECRET in fault.message) == ("part", False)


def test_what_was_collected_stays_as_it_was(hand_ins: Path, secret: Path) -> None:
    [ann, bob] = Collector(package=PACKAGE, languages=load_table(())).collect([hand_ins]).entries
    exchange(hand_ins / "ann.py", secret / "shadow")
    exchange(hand_ins / "bob", secret)
    for entry in (ann, bob):
        assert [file.read() for file in entry.program.files.values()] == [b"print(1)\n"]


@pytest.mark.parametrize("part", ["data/secret/01-zero.in", "data/secret", "submissions", "submissions/accepted"])
def test_no_file_of_a_package_is_read_through_a_link_that_was_not_there(
    part: str, double_with: PackageMaker, tmp_path: Path
) -> None:
    root = double_with()
    package = load(root)
    shutil.copytree(root, tmp_path / "elsewhere")
    exchange(root / part, tmp_path / "elsewhere" / part)
    touched = [file for name, file in package.files.items() if f"{name}/".startswith(f"{part}/")]
    assert touched
    for file in touched:
        for use in (File.read, File.size, File.open):
            with pytest.raises(MachineError, match="cannot be read"):
                use(file)


def test_an_input_that_was_exchanged_for_a_link_is_not_given_to_a_program(
    double_with: PackageMaker, tmp_path: Path, host: Host
) -> None:
    package = load(double_with())
    echo = tmp_path / "echo.py"
    echo.write_text("import sys\nsys.stderr.write(sys.stdin.read())\nsys.exit(1)\n")
    (tmp_path / "shadow").write_text(SECRET)
    for case in package.judged_cases():
        exchange(case.input.origin, tmp_path / "shadow")
    try:
        result: SubmissionResult | None = judge_file(package, echo, host)
    except HarnessError:
        result = None
    assert SECRET not in repr(result)


def test_a_package_in_which_links_stay_inside_is_judged(double_with: PackageMaker, host: Host) -> None:
    root = double_with()
    kept = root / "data" / "secret" / "01-zero.in"
    (root / "data" / "kept.txt").write_bytes(kept.read_bytes())
    kept.unlink()
    kept.symlink_to(root / "data" / "kept.txt")
    package = load(root)
    answer = next(one for one in package.submissions if one.path.startswith("accepted/"))
    assert judge_file(package, next(iter(answer.files.values())).origin, host).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    "place", ["../outside/shadow", "a/../../outside/shadow", "", ".", "pipe", "folder", "link"]
)
def test_nothing_but_a_regular_file_below_the_folder_is_opened(place: str, secret: Path) -> None:
    home = secret.parent / "home"
    (home / "folder").mkdir(parents=True)
    (home / "a").mkdir()
    os.mkfifo(home / "pipe")
    (home / "link").symlink_to("folder")
    with pytest.raises(OSError):
        os.close(untrusted.open_within(home, place))


def test_generators_and_helpers_of_a_workspace_do_not_lead_out_of_it(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    shutil.copytree(DOUBLE, workspace / "problems" / "double")
    for part in ("checkers", "reference", "generators"):
        (workspace / part).mkdir()
    (tmp_path / "shadow").write_text(SECRET)
    (workspace / "checkers" / "judgelib.py").symlink_to(tmp_path / "shadow")
    recipe = workspace / "problems" / "double" / "generators" / "generators.yaml"
    recipe.parent.mkdir(exist_ok=True)
    recipe.write_text("generators:\n  evil: [../../shadow]\ndata: {}\n")
    validators = workspace / "problems" / "double" / "input_validators"
    (validators / "check.py").write_text("from judgelib import Reader\n")
    files = read_package_files(workspace / "problems" / "double", Findings())
    assert not any(SECRET.encode() in file.read() for file in files.values())
