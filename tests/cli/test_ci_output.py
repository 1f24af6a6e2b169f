"""--format short, --junitxml and --github of the commands that check something."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_line import harness, said
from conftest import DOUBLE


def test_short_format_prints_only_lines_about_files_and_junit_holds_the_cases(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "1.in").write_text("3\n")
    (tmp_path / "test" / "1.out").write_text("6\n")
    (tmp_path / "wrong.py").write_text("print(7)\n")
    done = harness("test", "wrong.py", "--format", "short", "--junitxml", "r.xml", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == "wrong.py:1:1: error: wrong answer on sample/1: line 1, token 1: `7`, expected `6`\n"
    [suite] = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    github = harness("test", "wrong.py", "--github", cwd=tmp_path).stdout.splitlines()
    assert github[0].startswith("::stop-commands::") and "::error file=wrong.py," in github[-2]


@pytest.mark.parametrize(
    "command", [["judge", DOUBLE], ["verify", DOUBLE], ["mutate", DOUBLE], ["stress", DOUBLE, "a.py"]]
)
def test_json_and_short_lines_do_not_share_standard_output(command: list[str | Path]) -> None:
    done = harness(*command, "--format", "short", "--json", "-")
    assert done.returncode == 2
    assert "both want standard output" in said(done)


@pytest.mark.parametrize("program", ["mine.py", "brute.cpp"])
def test_stress_names_the_line_of_a_program_that_does_not_compile_in_the_short_format(
    tmp_path: Path, program: str
) -> None:
    for name, text in {"mine.py": "print(1)", "brute.cpp": "int main() {}", program: "1\nint main( {"}.items():
        (tmp_path / name).write_text(f"{text}\n")
    done = harness(
        "stress", "mine.py", "--brute", "brute.cpp", "--shape", "n: 1..9", "--format", "short", cwd=tmp_path
    )
    assert done.returncode == 2, said(done)
    assert done.stdout.startswith(f"{program}:{2 if program == 'mine.py' else 1}:1: error: ")
    assert "does not compile" not in done.stderr
