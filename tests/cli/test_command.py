"""Any command behind `--`, compiled programs, and what is said when the words are wrong."""

import shutil
import subprocess
from pathlib import Path

import pytest

from command_line import outcome
from harness.errors import UsageError
from harness.package.named_programs import MOST_FILES, program_at

DOUBLE = Path(__file__).parent.parent / "packages" / "double"
RIGHT = "import sys\nn = int(input())\nprint(2 * n if sys.argv[1:] == ['twice'] else n)\n"


@pytest.fixture(name="samples")
def _samples(tmp_path: Path) -> Path:
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "1.in").write_text("4\n")
    (folder / "1.out").write_text("8\n")
    (folder / "my.py").write_text(RIGHT)
    return folder


def test_a_command_with_arguments_is_run_on_the_samples(samples: Path) -> None:
    assert outcome("test", samples, "--", "python3", samples / "my.py", "twice")[0] == 0
    code, said = outcome("test", samples, "--", "python3", samples / "my.py", "once")
    assert code == 1
    assert "`4`, expected `8`" in said


def test_a_command_is_judged_on_a_package(samples: Path) -> None:
    assert outcome("judge", DOUBLE, "--", "python3", samples / "my.py", "twice")[0] == 0


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_compiled_program_is_judged_on_a_package(tmp_path: Path) -> None:
    source = tmp_path / "double.c"
    source.write_text('#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }\n')
    subprocess.run(["cc", "-w", "-o", tmp_path / "double", source], check=True)
    assert outcome("judge", DOUBLE, tmp_path / "double")[0] == 0


def test_a_file_whose_name_begins_with_a_dash_still_goes_behind_dashes(
    samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(samples)
    Path("-my.py").write_text("print(2 * int(input()))\n")
    assert outcome("test", "--", "-my.py")[0] == 0


def test_a_folder_of_samples_alone_is_an_error_that_says_what_is_missing(samples: Path) -> None:
    with pytest.raises(UsageError, match="holds samples: name the program too"):
        outcome("test", samples)


def test_a_compile_error_is_said_once(samples: Path) -> None:
    (samples / "my.c").write_text("int main(void) { return x; }\n")
    code, said = outcome("test", samples, samples / "my.c")
    assert code == 1
    assert said.count("Compile error") == 1
    assert "does not compile" not in said


def test_a_vast_folder_is_no_program(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 1):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(UsageError, match="this is no program"):
        program_at(tmp_path)
