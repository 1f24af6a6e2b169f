"""What a hostile validator or package leaves behind stops nobody, and what cannot be done is said in one line."""

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import DOUBLE, PackageMaker, judge_file
from harness.build.languages import load_table
from harness.build.stage import write_files
from harness.check.output_check import output_check_for
from harness.check.validator_call import FeedbackFolder, FeedbackRules
from harness.errors import JudgeError, UsageError
from harness.files import untrusted
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.judge.submitted_answers import answers_of
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.results.verdict import Verdict
from harness.sandbox.facts import RunResult

DEEP = 1500


def nest(folder: Path, depth: int) -> None:
    """Folders in folders, deeper than a path may be long."""
    step = "os.mkdir('d' * 9), os.chdir('d' * 9)"
    program = f"import os, sys\nfor _ in range(int(sys.argv[1])): {step}"
    subprocess.run([sys.executable, "-c", program, str(depth)], cwd=folder, check=True)


def test_folders_nested_deeper_than_recursion_and_paths_go_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "feedback"
    root.mkdir()
    nest(root, DEEP)
    untrusted.remove(root)
    assert not root.exists()


def test_walking_nested_folders_needs_one_descriptor(tmp_path: Path) -> None:
    nest(tmp_path, DEEP)
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert sum(1 for _ in untrusted.walk(tmp_path)) == DEEP + 1
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    untrusted.empty(tmp_path)


def test_links_pipes_and_locked_folders_are_removed_and_nothing_behind_a_link_is(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "feedback"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (root / "locked" / "inner").mkdir(parents=True)
    (root / "folder").symlink_to(outside)
    (root / "file").symlink_to(outside / "kept")
    os.mkfifo(root / "locked" / "pipe")
    (root / "locked").chmod(0)
    untrusted.remove(root)
    assert not root.exists() and (outside / "kept").read_text() == "kept"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_feedback_that_is_no_regular_file_is_not_read(kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("1")
    folder = tmp_path / "feedback"
    folder.mkdir()
    path = folder / "nextpass.in"
    {"link": lambda: path.symlink_to(secret), "pipe": lambda: os.mkfifo(path), "folder": path.mkdir}[kind]()
    feedback = FeedbackFolder(name=Path("check.py"), folder=folder, rules=FeedbackRules(multi_pass=True))
    with pytest.raises(JudgeError, match=r"check\.py: nextpass\.in is no regular file"):
        feedback.next_pass(tmp_path / "given")


def test_a_next_pass_over_the_limit_is_a_judge_error(tmp_path: Path) -> None:
    (tmp_path / "nextpass.in").write_bytes(b"x" * 101)
    rules = FeedbackRules(multi_pass=True, most_input_bytes=100)
    with pytest.raises(JudgeError, match="larger than 100 bytes"):
        FeedbackFolder(name=Path("check.py"), folder=tmp_path, rules=rules).next_pass(tmp_path / "given")


def test_the_reason_of_a_validator_without_a_message_is_the_last_line_of_its_errors(tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    errors.write_text("debug\n" * 5000 + "wrong \u2028 5\n")
    result = RunResult(
        cpu_s=0, wall_s=0, memory_bytes=0, exit_code=43, signal=None, killed_for=None, output_bytes=0
    )
    folder = FeedbackFolder(name=Path("check.py"), folder=tmp_path, rules=FeedbackRules())
    assert folder.judgement(result, errors).message == "wrong \u2028 5"
    (tmp_path / "judgemessage.txt").write_text("why")
    assert folder.judgement(result, errors).message == "why"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_harness_toml_that_is_no_file_is_refused(make: object, tmp_path: Path) -> None:
    make(tmp_path / "harness.toml")  # type: ignore[operator]
    with pytest.raises(UsageError, match=r"harness\.toml: no file that can be read"):
        load_table([tmp_path / "harness.toml"])


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_answers_whose_packing_has_no_bound_are_not_unpacked(method: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("1.out", b"0" * 100_000)
    content = bytearray(packed.getvalue())
    content[40:60] = b"\xff" * 20  # what LZMA says of this is no error of zipfile
    program = Program(path="a.zip", files={"a.zip": File(origin=Path("a.zip"), content=bytes(content))})
    answers = answers_of(program)
    assert not isinstance(answers, str)
    assert answers.by_name["1.out"](100).startswith(b"unreadable in the zip")


RUN = "#!/usr/bin/python3\nprint(2 * int(input()))\n"
LEAVES = {
    "deep_folders": ("for _ in range(1500): os.mkdir('d' * 9), os.chdir('d' * 9)", "CE", "folders in folders"),
    "many_files": ("for i in range(20_001): open(str(i), 'w')", "CE", "more than 20,000 files"),
    "large_files": ("for i in range(5): os.truncate(os.open(str(i), 65), 250 << 20)", "CE", "more than 1024 MiB"),
    "closed_folders": ("os.makedirs('a/b'), open('a/x', 'w'), os.chmod('a/x', 0), os.chmod('a', 0)", "AC", ""),
    "names_of_all_kinds": ("for n in (b'\\xff', b'a\\nb', b'-rf', b'\\x1b[31m'): open(n, 'w')", "AC", ""),
    "a_link_to_nothing": ("os.remove('run'), os.symlink('/nothing', 'run')", "CE", "nothing to start"),
    "a_run_that_links_to_a_file_of_ours": ("os.remove('run'), os.symlink('/etc/shadow', 'run')", "RTE", "run: "),
    "a_run_that_is_no_program": ("open('run', 'wb').write(b'\\x7fELF')", "RTE", "Exec format error"),
    "a_run_for_what_is_not_here": ("open('run', 'w').write('#!/usr/bin/python9\\r\\n')", "RTE", "not found"),
}


def scripts(build: str) -> dict[str, File]:
    texts = {"build": f"#!/usr/bin/python3\nimport os\n{build}\n", "run": RUN}
    return {name: File(origin=Path(name), content=text.encode(), executable=True) for name, text in texts.items()}


def test_whatever_a_build_leaves_is_its_author_s_affair_and_the_next_is_judged(host: Host) -> None:
    programs = [Program(path=name, files=scripts(build)) for name, (build, _, _) in LEAVES.items()]
    programs.append(Program(path="no_build", files={"build": File(origin=Path("build"), content=b"#!/nothing\n")}))
    programs.append(Program(path="honest", files=scripts("")))
    results = Judging(package=load(DOUBLE), host=host).run([Entry(program=program) for program in programs])
    expected = [verdict for _, verdict, _ in LEAVES.values()] + ["CE", "AC"]
    assert [(one.path, one.verdict) for one in results] == [
        (program.path, Verdict(verdict)) for program, verdict in zip(programs, expected, strict=True)
    ]
    for result, (_, _, words) in zip(results, LEAVES.values(), strict=False):
        assert words in result.message + "".join(case.message for case in result.cases)
    assert not list((host.stage.root / "build").iterdir())


def test_the_size_of_a_source_is_known_before_it_is_read(host: Host, tmp_path: Path) -> None:
    source = tmp_path / "large.py"
    source.touch()
    os.truncate(source, 1 << 40)
    result = judge_file(load(DOUBLE), source, host)
    assert result.verdict is Verdict.COMPILE_ERROR and "bytes of source" in result.message


def test_an_argument_that_the_default_validator_does_not_know_is_told_with_its_place(
    double_with: PackageMaker, host: Host
) -> None:
    package = load(double_with({"problem.yaml": "name: X\nvalidator_flags: float_tolerance=1e-6\n"}))
    with pytest.raises(
        UsageError, match=r"double/problem.yaml:2: validator_flags `.*=1e-6` of sample/1: .* knows no"
    ):
        output_check_for(package, host)


@pytest.mark.parametrize(("count", "length"), [(5000, 1), (500, 200)], ids=["many_files", "long_names"])
def test_more_names_than_a_compiler_can_be_given_are_a_compile_error(count: int, length: int, host: Host) -> None:
    files = {f"{'f' * length}{place}.py": File(origin=Path("f"), content=b"") for place in range(count)}
    [result] = Judging(package=load(DOUBLE), host=host).run([Entry(program=Program(path="f", files=files))])
    assert result.verdict is Verdict.COMPILE_ERROR and "at most" in result.message


def test_the_size_of_answers_is_known_before_they_are_read(tmp_path: Path) -> None:
    source = tmp_path / "answers.zip"
    source.touch()
    os.truncate(source, 1 << 40)
    assert "at most" in str(answers_of(Program(path="answers.zip", files={"answers.zip": File(origin=source)})))


FRAGILE = "import sys\nsys.exit(42 if int(sys.stdin.read()) == 2 * int(open(sys.argv[1]).read()) else 43)\n"


@pytest.mark.parametrize(
    ("validator", "hostile", "verdicts"),
    [(FRAGILE, 1, "JE AC AC AC"), (FRAGILE, 2, "JE JE AC AC"), ("import nothing_here\n", 0, "JE JE JE SK")],
    ids=["one_makes_it_fail", "two_make_it_fail", "it_never_works"],
)
def test_one_who_makes_the_validator_fail_stops_nobody_else(
    validator: str, hostile: int, verdicts: str, host: Host, double_with: PackageMaker
) -> None:
    package = load(double_with({"output_validator/validate.py": validator}))
    texts = ["print('boom')\n"] * hostile + ["print(2 * int(input()))\n"] * (4 - hostile)
    programs = [
        Program(path=f"{place}.py", files={"a.py": File(origin=Path("a.py"), content=text.encode())})
        for place, text in enumerate(texts)
    ]
    results = Judging(package=package, host=host).run([Entry(program=program) for program in programs])
    assert " ".join(result.verdict for result in results) == verdicts


def test_files_of_a_case_lead_nowhere_whatever_lies_in_their_way(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for name in ("a_folder/inner", "folders"):
        (folder / name).mkdir(parents=True)
    outside.mkdir()
    (outside / "x").write_text("ours")
    (folder / "link").symlink_to(outside)
    (folder / "file").write_text("theirs")
    (folder / "folders" / "link").symlink_to(outside / "x")
    names = ("a_folder", "link/x", "file/x", "folders/link", "new/folder/x")
    write_files(folder, {name: File(origin=Path("f"), content=name.encode()) for name in names})
    assert [(folder / name).read_text() for name in names] == list(names)
    assert (outside / "x").read_text() == "ours" and list(outside.iterdir()) == [outside / "x"]
