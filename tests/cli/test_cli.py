"""The command line as its users meet it: exit codes, messages, nothing left behind."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from command_line import harness, said
from conftest import DOUBLE, TESTS, PackageMaker
from harness.cli import COMMANDS, environment, group
from harness.cli.console import console

SUBMISSIONS = TESTS / "submissions"


def test_accepted_submission_exits_0_wrong_one_1() -> None:
    accepted = harness("judge", DOUBLE, SUBMISSIONS / "reads_and_doubles_AC.py")
    assert (accepted.returncode, "Accepted" in said(accepted)) == (0, True)
    wrong = harness("judge", DOUBLE, SUBMISSIONS / "adds_one_WA.py")
    assert (wrong.returncode, "expected `0`" in said(wrong)) == (1, True)


def test_package_s_own_submissions_are_held_against_what_it_says_of_them(double_with: PackageMaker) -> None:
    assert harness("judge", DOUBLE).returncode == 0
    root = double_with({"submissions/accepted/adds_one.py": "print(int(input()) + 1)\n"})
    done = harness("judge", root)
    assert done.returncode == 1
    assert "accepted/adds_one.py: permitted: wanted AC, found WA on secret/01-zero" in said(done)


MISSING_LANGUAGE = (
    '[languages.absent]\nextensions = [".absent"]\ntools = { absent = ["no-such-compiler"] }\n'
    'run = ["{absent}", "{entry}"]\n'
)


def test_language_that_is_missing_exits_2_unless_it_may_be_skipped(
    tmp_path: Path, double_with: PackageMaker
) -> None:
    root = double_with({"submissions/accepted/other.absent": "2n\n"})
    config = tmp_path / "harness.toml"
    config.write_text(MISSING_LANGUAGE)
    judged = harness("judge", root, "--json", "-", HARNESS_CONFIG=str(config))
    assert (judged.returncode, json.loads(judged.stdout.splitlines()[-1])["exit_code"]) == (2, 2), said(judged)
    assert (
        "1 not judged: no compiler or no known language (harness doctor names them; or --skip-mis" in judged.stderr
    )
    assert harness("judge", root, "--skip-missing-languages", HARNESS_CONFIG=str(config)).returncode == 0
    only = (root, root / "submissions" / "accepted" / "other.absent")
    assert harness("judge", *only, "--skip-missing-languages", HARNESS_CONFIG=str(config)).returncode == 2


def test_problem_may_be_left_out_inside_a_package() -> None:
    done = harness("judge", SUBMISSIONS / "reads_and_doubles_AC.py", cwd=DOUBLE / "data")
    assert done.returncode == 0, said(done)


def test_problem_may_be_a_slug_of_the_workspace_around() -> None:
    done = harness("statement", "sokoban", "-o", "-", cwd=TESTS)
    assert done.returncode == 0
    assert "<h1>Sokoban</h1>" in said(done)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judge", DOUBLE, "nosuch.cpp"], "nosuch.cpp: no such file or folder"),
        (["judge", "nosuchproblem", "a.cpp"], "no problem `nosuchproblem`"),
        (["judge", TESTS], "no problem.yaml in it"),
        (["statement", DOUBLE, "--lang", "xx"], "no statement in `xx`, only in en"),
        (["generate", DOUBLE], "generators.yaml: not found"),
        (["judge", DOUBLE, SUBMISSIONS / "adds_one_WA.py", "--language", "cobol"], "no language `cobol`"),
        (["nosuchcommand"], "no command `nosuchcommand`: `harness --help` lists all"),
        (["judge", DOUBLE, "--jobs", "0"], "Invalid value"),
    ],
    ids=lambda value: " ".join(map(str, value))[-40:] if isinstance(value, list) else "",
)
def test_bad_call_exits_2_and_says_what_is_wrong(arguments: list[str | Path], message: str) -> None:
    done = harness(*arguments)
    assert done.returncode == 2
    assert message in said(done)


def test_without_submissions_the_misspelt_folder_is_named(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with()
    (root / "submissions").rename(root / "submission")
    for command in (["judge"], ["grade", "--store", "s.sqlite"]):
        done = harness(*command, root, cwd=tmp_path)
        assert done.returncode == 2
        assert "has no submissions of its own" in done.stderr
        assert f"warning: {root}/submission: no folder of this format" in done.stderr
        assert "did you mean submissions/?" in done.stderr


def test_folder_without_a_program_is_said_to_be_one(tmp_path: Path) -> None:
    done = harness("judge", DOUBLE, tmp_path)
    assert done.returncode == 2
    assert "no program in this folder" in said(done)


def test_outside_of_everything_the_call_says_what_to_name(tmp_path: Path) -> None:
    for command in ("judge", "statement", "list", "generate"):
        done = harness(command, cwd=tmp_path)
        assert done.returncode == 2
        assert "which problem?" in said(done) or "holds no packages" in said(done)


def test_folder_of_packages_is_listed_and_named_where_one_must_be_chosen(tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(DOUBLE, tmp_path / name)
    listed = json.loads(harness("list", "--json", cwd=tmp_path).stdout)
    assert [row["slug"] for row in listed] == ["one", "two"]
    [alone] = json.loads(harness("list", ".", "--json", cwd=tmp_path / "one").stdout)  # the hook harness-list
    assert alone == listed[0]
    assert "one of one, two" in said(harness("judge", "three", cwd=tmp_path))


def test_compile_error_shows_the_compiler_s_words_without_our_paths() -> None:
    done = harness("judge", DOUBLE, SUBMISSIONS / "syntax_error_CE.cpp")
    assert done.returncode == 1
    assert "Compile error\nsyntax_error_CE.cpp:" in said(done)


def test_terminal_escapes_of_a_submission_are_shown_not_obeyed(tmp_path: Path) -> None:
    source = tmp_path / "escapes.py"
    source.write_text("import sys\nsys.exit('\\x1b]0;owned\\x07\\x1b[2J [bold red]markup[/]')\n")
    output = said(harness("judge", DOUBLE, source))
    assert "\x1b" not in output
    assert "\\x1b]0;owned" in output
    assert "[bold red]markup[/]" in output


def test_json_file_is_whole_and_follows_the_schema(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    file = tmp_path / "result.json"
    harness(
        "judge", DOUBLE, *sorted(SUBMISSIONS.glob("*RTE*")), SUBMISSIONS / "syntax_error_CE.py", "--json", file
    )
    report = json.loads(file.read_text())
    schema = json.loads((TESTS.parent / "docs" / "result.schema.json").read_text())
    jsonschema.validate(report, schema)
    assert report["schema_version"] == 1
    assert {submission["verdict"] for submission in report["submissions"]} == {"RTE", "CE"}


def test_json_lines_alone_are_on_standard_output() -> None:
    done = harness("judge", DOUBLE, "--json", "-")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["kind"] for line in lines] == ["report", "submission", "submission", "end"]
    assert lines[-1]["exit_code"] == done.returncode == 0


@pytest.mark.parametrize("asked", [("judge", DOUBLE), ("test", "none.py")], ids=lambda asked: asked[0])
def test_json_that_cannot_be_written_is_an_error_before_anything_else(
    asked: tuple[object, ...], tmp_path: Path
) -> None:
    target = tmp_path / "folder"
    target.mkdir()
    done = harness(*asked, "--json", target)
    assert done.returncode == 2
    assert "is a folder: name a file" in said(done)
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("isolation", ["auto", "none"])
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_interrupt_ends_everything_and_leaves_nothing(
    stop: signal.Signals, isolation: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    result, temporary = tmp_path / "result.json", Path(tempfile.mkdtemp(dir="/tmp"))
    temporary.chmod(0o755)  # every user can enter it: programs of root's judge run as another one
    request.addfinalizer(lambda: shutil.rmtree(temporary))
    judge = subprocess.Popen(
        [sys.executable, "-m", "harness", "judge", DOUBLE, SUBMISSIONS / "sleeps_TLE.py", "--time-limit", "100"]
        + ["--json", result, "--isolation", isolation],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    programs = _wait_for_programs(judge.pid)
    judge.send_signal(stop)
    output = "".join(judge.communicate(timeout=30))
    assert judge.returncode == 2
    assert "interrupted" in output
    assert "Traceback" not in output
    assert not psutil.wait_procs(programs, timeout=10)[1]
    assert not result.exists()
    assert not list(temporary.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows which signals a process ignores")
def test_nohup_keeps_the_judge_when_its_terminal_is_closed() -> None:
    command = [
        sys.executable,
        "-m",
        "harness",
        "judge",
        DOUBLE,
        SUBMISSIONS / "sleeps_TLE.py",
        "--time-limit",
        "100",
    ]
    judge = subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" HUP; exec "$0" "$@"', *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _wait_for_programs(judge.pid)
    status = Path(f"/proc/{judge.pid}/status").read_text()
    judge.terminate()
    judge.wait(timeout=30)
    ignored = next(line for line in status.splitlines() if line.startswith("SigIgn:"))
    assert int(ignored.split()[1], 16) & 1 << (signal.SIGHUP - 1)


def test_a_judge_works_without_standard_error_and_input() -> None:
    command = [sys.executable, "-m", "harness", "judge", DOUBLE, DOUBLE / "submissions" / "accepted"]
    script = 'exec "$0" "$@" 2>&- <&-'  # as some services start their programs
    done = subprocess.run(["/bin/sh", "-c", script, *command], stdout=subprocess.PIPE, timeout=120, check=False)
    assert (done.returncode, b"isolated" in done.stdout) == (0, True)


def _wait_for_programs(pid: int) -> list[psutil.Process]:
    """The processes below the judge, once one of them is the sleeping submission."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        below = psutil.Process(pid).children(recursive=True)
        if any("sleeps_TLE.py" in " ".join(_command(process)) for process in below):
            return below
        time.sleep(0.02)
    pytest.fail("the submission never started")


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_broken_package_shows_all_of_its_faults_in_one_run(double_with: PackageMaker) -> None:
    root = double_with(
        {
            "problem.yaml": "problem_format_version: 2025-09\nname: Double\nuuid: nonsense\n"
            "limits:\n  memroy: 5\nlicence: cc0\n",
            "data/secret/03-some.ans": None,
            "data/secret/stray.txt": "x\n",
            "submissions/submissions.yaml": "accepted:\n  permitted: [OK]\n",
        }
    )
    done = harness("judge", root)
    output = said(done)
    assert done.returncode == 2
    for fault in (
        "problem.yaml:3: `uuid` is not a UUID",
        "problem.yaml:5: unknown key `memroy` in limits",
        "problem.yaml:6: unknown key `licence`",
        "03-some.in: no answer beside it: expected `03-some.ans`",
        "stray.txt: no file of a test case ends so",
        "submissions.yaml:2: `permitted` holds 'OK', must be one of: AC, RTE, TLE, WA",
    ):
        assert fault in output


def test_languages_are_a_table_that_a_file_extends_and_overrides(tmp_path: Path) -> None:
    (tmp_path / "harness.toml").write_text(
        '[languages.cpp]\nflags = ["-DANSWER=42"]\n'
        '[languages.answer]\nextensions = [".answer"]\nrun = ["/bin/echo", "2"]\n'
    )
    (tmp_path / "flagged.cpp").write_text('#include <cstdio>\nint main() { std::printf("%d\\n", ANSWER); }\n')
    (tmp_path / "two.answer").write_text("whatever\n")
    judged = ("judge", DOUBLE, "flagged.cpp", "two.answer", "--all", "--json", "-")
    done = harness(*judged, cwd=tmp_path, HARNESS_CONFIG=str(tmp_path / "harness.toml"))
    _, flagged, two, _ = [json.loads(line) for line in done.stdout.splitlines()]
    accepted = [
        [case["name"] for case in submission["cases"] if case["verdict"] == "AC"] for submission in (flagged, two)
    ]
    assert accepted == [["secret/03-some"], ["sample/1"]]  # 42 is twice 21, 2 is twice 1


def test_a_harness_toml_of_the_working_directory_is_not_read(tmp_path: Path) -> None:
    """It would start a program of its own outside of the sandbox, and make every checker accept."""
    marker, tool = tmp_path / "escaped", tmp_path / "tools" / "python3"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\ntouch {marker}\necho /usr/bin/python3\n")
    tool.chmod(0o755)
    (tmp_path / "harness.toml").write_text(
        '[languages.python3]\ntools = { python3 = ["tools/python3"] }\n'
        '[languages.cpp]\nrun = ["/bin/sh", "-c", "exit 42"]\n'
    )
    done = harness("judge", DOUBLE, cwd=tmp_path)
    assert (done.returncode, marker.exists()) == (0, False), said(done)
    assert "harness.toml is not read" in done.stderr
    assert "HARNESS_CONFIG=" in done.stderr
    relative = harness("judge", DOUBLE, cwd=tmp_path, HARNESS_CONFIG="harness.toml")
    assert (relative.returncode, marker.exists()) == (2, False)
    assert "give its full path" in said(relative)


def test_folders_of_the_user_that_are_no_full_paths_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`~` of a user without a home would be a folder of the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", "own")
    monkeypatch.setenv("XDG_CACHE_HOME", "own")
    monkeypatch.setattr(environment, "_home", lambda: Path("~"))
    assert environment.config_folder().is_absolute()
    assert environment.cache_folder().is_absolute()


def test_a_harness_toml_that_is_a_link_to_itself_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "harness.toml").symlink_to("harness.toml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARNESS_CONFIG", "/etc/hostname")
    environment.warn_of_unread_config()
    assert "is not read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("[languages.cpp]\nflag = []\n", "[languages.cpp]: unknown key `flag`"),
        ("[languages.cpp]\nflags = 'x'\n", "`flags` must be a list"),
        ("[language.cpp]\n", "unknown table `language`"),
        ("[languages\n", "not TOML"),
        ("[languages.new]\nname = 'New'\n", "`run`, the command line of a run, is missing"),
    ],
)
def test_broken_harness_toml_is_named_with_its_key(config: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "harness.toml").write_text(config)
    done = harness("judge", DOUBLE, cwd=tmp_path, HARNESS_CONFIG=str(tmp_path / "harness.toml"))
    assert done.returncode == 2
    assert "harness.toml" in said(done) or "languages.new" in said(done)
    assert message in said(done)


def test_isolation_is_said_in_every_report() -> None:
    done = harness("judge", DOUBLE, "--isolation", "none")
    assert "NOT ISOLATED (tier T0)" in said(done)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("pass-fail", ("generate",)),
        ("pass-fail", ("verify", "--only", "inputs")),
        ("pass-fail", ("export", "--output", "out.zip")),
        ("pass-fail", ("stress", ".", "submissions/accepted", "--time", "1")),
        ("pass-fail", ("mutate", "--sample", "1", "--inputs", "1")),
        ("interactive", ("play",)),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_every_command_that_runs_programs_says_in_one_line_that_they_are_not_contained(
    kind: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    harness("new", "mine", *(["--interactive"] if kind == "interactive" else []), cwd=tmp_path)
    done = harness(*arguments, "--isolation", "none", cwd=tmp_path / "mine")
    assert done.stderr.count("warning: NOT ISOLATED (tier T0): programs run under limits only") == 1
    assert "NOT ISOLATED" not in done.stdout


def test_new_in_the_folder_that_one_is_in_says_that_it_is_there(tmp_path: Path) -> None:
    done = harness("new", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "error: . is there already: nothing was changed\n")


def test_a_game_of_the_template_that_ends_early_is_said_to_have_ended(tmp_path: Path) -> None:
    harness("new", "mine", "--interactive", cwd=tmp_path)
    (tmp_path / "ends.py").write_text("print(1)\ninput()\n")
    done = harness("judge", "mine", "ends.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "the output ended where a number was expected" in done.stdout
    assert "found b''" not in done.stdout


def test_bare_call_is_helped_and_a_misspelt_command_told_what_it_may_be() -> None:
    bare, misspelt = harness(), harness("jugde")
    assert (bare.returncode, misspelt.returncode) == (2, 2)
    assert "error" not in bare.stderr
    assert "Judge submissions on a package, or all of the package's own." in " ".join(bare.stderr.split())
    assert "no command `jugde`: did you mean `judge`?" in misspelt.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("help jugde", "no command `jugde`: did you mean `judge`?"),
        ("help contest uplod", "no command `uplod`: did you mean `upload`?"),
        ("upload", "no command `upload`: did you mean `contest upload`?"),
        ("run", "no command `run`: `harness --help` lists all"),
        ("contest xyz", "no command `xyz`: `harness contest --help` lists all"),
    ],
)
def test_a_command_that_is_not_there_is_named_with_what_may_be_meant(words: str, message: str) -> None:
    done = harness(*words.split())
    assert done.returncode == 2
    assert message in done.stderr


def test_two_programs_of_ones_own_are_told_what_is_wrong_with_each(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text("print(2 * int(input()))\n")
    (tmp_path / "wrong.py").write_text("print(int(input()) + 1)\n")
    done = harness("judge", DOUBLE, "right.py", "wrong.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "1 of 2 submissions accepted" in done.stdout
    assert "wrong.py: Wrong answer on secret/01-zero: line 1, token 1: `1`, expected `0`" in done.stdout


def test_language_that_is_said_needs_no_ending(tmp_path: Path) -> None:
    """Compilers go by a file's ending; --language is there for files whose name does not tell."""
    program = tmp_path / "program.txt"
    program.write_text('#include <cstdio>\nint main() { int n; scanf("%d", &n); printf("%d", 2 * n); }\n')
    for command in (["judge", DOUBLE], ["grade", DOUBLE, "--require", "AC", "--store", "s.sqlite"]):
        done = harness(*command, program, "--language", "cpp", cwd=tmp_path)
        assert done.returncode == 0, said(done)
        assert "score" not in said(done)  # nor has a pass-fail problem a column of points


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("judge my.py", "harness test FILE"),
        ("stress my.py", "--brute"),
        ("test my.cpp", "my.cpp: no such file or folder"),
        (f"judge {DOUBLE} --language cpp", "harness judge PROBLEM FILE --language CODE"),
    ],
)
def test_call_without_a_package_is_told_what_goes_without(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my.py").write_text("print(1)\n")
    monkeypatch.chdir(tmp_path)
    assert message in str(CliRunner().invoke(group, words.split()).exception)


def test_folder_that_is_named_is_listed_in_a_workspace_too(tmp_path: Path) -> None:
    shutil.copytree(DOUBLE, tmp_path / "problems" / "one")
    shutil.copytree(DOUBLE, tmp_path / "contest" / "two")
    listed = json.loads(harness("list", "contest", "--json", cwd=tmp_path).stdout)
    assert [row["slug"] for row in listed] == ["two"]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_on_a_line_of_its_own(name: str) -> None:
    text = CliRunner().invoke(group, [name, "--help"]).output
    assert re.search(rf"^ +(Example: )?harness {name}\b", text, re.MULTILINE), text
    assert not re.search(r"Example: harness .*\n +\S", text), "wrapped, so it cannot be copied"


def test_checker_of_the_docs_works_and_an_input_without_an_answer_is_named(tmp_path: Path) -> None:
    text = (TESTS.parent / "docs" / "packages.md").read_text()
    (tmp_path / "check.py").write_text(text.partition("```python\n")[2].partition("```")[0])
    (tmp_path / "my.py").write_text("print(*input().split())\n")
    for name, content in {"1.in": "1 2\n", "1.out": "2 1\n", "2.in": "3 4\n"}.items():
        (tmp_path / name).write_text(content)
    done = harness("test", "my.py", "--checker", "check.py", cwd=tmp_path)
    assert (done.returncode, "1 of 1" in done.stdout) == (0, True), said(done)
    assert done.stderr.count("2.in: left out") == 1


@pytest.mark.parametrize("words", ["generate", "mutate --apply", "stress my.py --promote new"])
def test_nothing_is_added_to_an_archive_that_was_unpacked_for_a_call(words: str, tmp_path: Path) -> None:
    """It would be lost with the folder."""
    archive = shutil.make_archive(str(tmp_path / "double"), "zip", DOUBLE)
    name, *rest = words.split()
    done = CliRunner().invoke(group, [name, archive, *rest])
    assert "unpack the archive first" in str(done.exception)


def test_stress_inside_a_package_s_folder_is_about_that_package(tmp_path: Path) -> None:
    root = shutil.copytree(DOUBLE, tmp_path / "double")
    (root / "my.py").write_text("print(int(input()))\n")
    done = harness("stress", "my.py", "--shape", "n: 1..9", "--time", "20", cwd=root)
    assert (done.returncode, "Wrong answer" in done.stdout) == (1, True), said(done)


@pytest.mark.parametrize("words", ["sub/my.py", "sub/my.py sub", "sub sub/my.py"])
def test_samples_are_those_of_the_folder_or_else_beside_the_program(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub" / "test").mkdir(parents=True)
    (tmp_path / "sub" / "my.py").write_text("print(1)\n")
    for name in ("1.in", "1.out"):
        (tmp_path / "sub" / "test" / name).write_text("1\n")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(group, ["test", *words.split(), "-j", "1", "-q"])
    assert "my.py: Accepted" in done.output, done.exception


@pytest.mark.parametrize("command", ["test", "stress --brute sub/right.py"])
def test_samples_here_come_before_those_beside_the_program(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, text in (("test", "3\n"), ("sub/test", "a\n")):
        Path(folder).mkdir(parents=True)
        for name in ("1.in", "1.out"):
            Path(folder, name).write_text(text)
    Path("sub", "right.py").write_text("print(input())\n")
    Path("sub", "my.py").write_text("line = input()\nprint(0 if line.isdigit() else line)\n")
    done = CliRunner().invoke(group, [*command.split(), "sub/my.py", "-j", "1"], standalone_mode=False)
    assert done.return_value == 1, done.output


def test_submission_of_the_package_goes_by_its_name(tmp_path: Path) -> None:
    done = harness("judge", DOUBLE, "accepted/double.py", cwd=tmp_path)
    assert (done.returncode, "as expected" in done.stdout) == (0, True), said(done)


def test_mutants_as_json_are_alone_on_standard_output() -> None:
    name = "accepted/double.py"
    words = ["mutate", DOUBLE, name, "--inputs", "0", "--sample", "3", "--json", "-"]
    done = harness(*words)
    assert done.returncode in (0, 1), said(done)
    [solution] = json.loads(done.stdout)["solutions"]
    assert solution["path"] == name
    assert done.stderr


def test_name_of_a_file_steers_no_terminal(tmp_path: Path) -> None:
    """Whoever hands a file in chooses its name."""
    program = tmp_path / "a\nb\x1b[31m\u2026.py"
    program.write_text("print(1)\n")
    for others in ([], [SUBMISSIONS / "reads_and_doubles_AC.py"]):
        done = harness("judge", DOUBLE, program, *others, PYTHONIOENCODING="ascii")
        assert done.returncode == 1
        assert "a\\nb\\x1b[31m\\u2026.py: Wrong answer" in said(done)
        assert "\x1b" not in said(done)


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    gone = (
        f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone && {sys.executable} -m harness list"
    )
    run = subprocess.run(["sh", "-c", gone], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("error: the folder that you are in")


def test_what_is_printed_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Rich would make a picture of `:100:`, which is a line number in `faces.py:100: …`."""
    console().print("faces.py:100: [a]", markup=False)
    assert capsys.readouterr().out == "faces.py:100: [a]\n"


DEBUGS = (
    "import sys\nn = int(input())\nfor k in range(25):\n    print('step', k, '\\x1b[31m', file=sys.stderr)\n"
    "print(n + 1)\n"
)


def test_standard_error_of_a_failed_sample_is_shown_escaped_and_all_of_it_with_verbose(tmp_path: Path) -> None:
    samples = tmp_path / "test"
    samples.mkdir()
    for name, text in {"1.in": "1\n", "1.out": "2\n", "2.in": "5\n", "2.out": "10\n"}.items():
        (samples / name).write_text(text)
    (tmp_path / "my.py").write_text(DEBUGS)
    short, long = harness("test", "my.py", cwd=tmp_path), harness("test", "my.py", "-v", cwd=tmp_path)
    assert (short.returncode, long.returncode) == (1, 1)
    assert "sample/2, standard error:\n    … 15 lines before …\n    step 15 \\x1b[31m\n" in short.stdout
    assert "sample/1, standard error" not in short.stdout  # that one is right
    for number in (1, 2):
        assert f"sample/{number}, standard error:\n    step 0 \\x1b[31m\n    step 1 " in long.stdout
    assert "\x1b" not in said(short) + said(long)
    assert "step" not in harness("test", "my.py", "-q", cwd=tmp_path).stdout


def test_standard_error_is_of_samples_alone_and_capped(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text("import sys\nprint('x' * 10**6, file=sys.stderr)\nprint(int(input()) + 1)\n")
    harness("judge", DOUBLE, "my.py", "--all", "--json", "r.json", cwd=tmp_path)
    [submission] = json.loads((tmp_path / "r.json").read_text())["submissions"]
    kept = {case["group"]: len(case["stderr"]) for case in submission["cases"]}
    assert kept["secret"] == 0
    assert 10_000 < kept["sample"] < 20_000


def test_of_a_lost_game_the_transcript_alone_is_shown(double_with: PackageMaker, tmp_path: Path) -> None:
    """A game prints what the interactor reads, not the lines of an answer."""
    manifest = (DOUBLE / "problem.yaml").read_text().replace("limits:", "type: interactive\nlimits:")
    interactor = (
        "import sys\nprint(open(sys.argv[1]).read().strip(), flush=True)\n"
        "sys.exit(42 if int(input()) == 2 * int(open(sys.argv[1]).read()) else 43)\n"
    )
    root = double_with({"problem.yaml": manifest, "output_validator/j.py": interactor})
    (tmp_path / "my.py").write_text("import sys\nprint(int(input()))\nprint('debug', file=sys.stderr)\n")
    done = harness("judge", root, "my.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "played again: WA as before" in said(done)
    assert "(no line)" not in done.stdout
    assert "the input:" not in done.stdout
    assert "sample/1, standard error:\n    debug\n" in done.stdout
