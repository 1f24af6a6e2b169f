"""Programs that include testlib.h are judge programs of the format, and stay as their authors wrote them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import PackageMaker, judge_file, write_files
from harness.check.input_validators import InputValidators
from harness.check.validator_call import judge_program_limits
from harness.host.host import Host
from harness.package import Package, Program
from harness.package.files import File
from harness.package.headers import ORIGINAL, TESTLIB, adapted, beside, with_headers
from harness.package.load import load
from harness.results.verdict import Verdict

# A checker of the word that the submission prints, and (called without arguments) a validator of one integer.
PROGRAM = r"""
#include <testlib.h>
int main(int argc, char *argv[]) {
    if (argc < 4) {
        registerValidation(argc, argv);
        inf.readInt(0, 1000, "n");
        inf.readEoln();
        inf.readEof();
        return 0;
    }
    registerTestlibCmd(argc, argv);
    int n = inf.readInt(), answer = ans.readInt();
    std::string word = ouf.readToken();
    if (word == "points") quitp(n + 0.5, "of many");
    if (word == "part") quitf(_pc(40), "two of five");
    if (word == "none") quitp(0);
    if (word == "fail") quitf(_fail, "the jury is wrong");
    if (word == "number") quitf(ouf.readInt() == answer ? _ok : _wa, "a number");
    quitf(_wa, "what is `%s`?", word.c_str());
}
"""
MANIFEST = """\
problem_format_version: 2025-09
name: Double
type: {type}
limits: {{time_limit: 1.0}}
"""


def program_of(sources: dict[str, str]) -> Program:
    files = {name: File(origin=Path(name), content=text.encode()) for name, text in sources.items()}
    return Program(path=next(iter(files)), files=files)


def test_without_a_header_of_its_own_a_program_gets_ours() -> None:
    program = adapted(program_of({"check.cpp": '#include "testlib.h"\nint main() {}\n'}))
    assert set(program.files) == {"check.cpp", TESTLIB, ORIGINAL}
    assert b"Permission to use or copy this software" in program.files[ORIGINAL].read()
    assert adapted(program) == program


def test_its_own_header_is_kept() -> None:
    own = "// an older testlib\n"
    program = adapted(program_of({"check.cpp": "#include <testlib.h>\n", "testlib.h": own}))
    assert program.files[ORIGINAL].read() == own.encode()


@pytest.mark.parametrize(
    "sources",
    [
        {"check.cpp": "#include <iostream>\n// testlib.h\n", "testlib.h": ""},
        {"check.cpp": '#include "testlib.h"\n', "testlib.h": "#define OK_EXIT_CODE 42\n"},
    ],
    ids=["includes_no_testlib", "header_speaks_the_format_itself"],
)
def test_is_left_as_it_is(sources: dict[str, str]) -> None:
    program = program_of(sources)
    assert adapted(program) == program


def test_an_include_by_another_path_leads_to_the_adapter() -> None:
    program = adapted(program_of({"src/check.cpp": '  # include "../../common/testlib.h"\n'}))
    assert program.files["src/check.cpp"].read() == b'  # include "../testlib.h"\n'


def test_headers_beside_a_loose_program_come_with_it(tmp_path: Path) -> None:
    (tmp_path / "limits.h").write_text("#define MOST 9\n")
    (tmp_path / "testlib.h").write_text("// own\n")
    source = tmp_path / "check.cpp"
    source.write_text('#include "testlib.h"\n#include "limits.h"\n')
    program = with_headers(Program(path="check.cpp", files={"check.cpp": File(origin=source)}), beside(source))
    assert set(program.files) == {"check.cpp", "limits.h", TESTLIB, ORIGINAL}


@pytest.fixture(scope="module")
def judged(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Package, Path]]:
    """A scoring package whose output validator and input validator are the program above, and a folder for programs."""
    files = {
        "problem.yaml": MANIFEST.format(type="scoring"),
        "statement/problem.en.md": "Words.\n",
        "submissions/accepted/a.py": "print('number', 6)\n",
        "data/secret/1.in": "3\n",
        "data/secret/1.ans": "6\n",
        "input_validators/check.cpp": PROGRAM,
        "output_validator/check.cpp": PROGRAM,
    }
    root = write_files(tmp_path_factory.mktemp("words") / "double", files)
    yield load(root), tmp_path_factory.mktemp("programs")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("output", "verdict", "score"),
    [
        ("number 6", Verdict.ACCEPTED, 100),
        ("number 7", Verdict.WRONG_ANSWER, 0),
        ("number six", Verdict.WRONG_ANSWER, 0),  # presentation error
        ("number 6 and more", Verdict.WRONG_ANSWER, 0),  # dirt
        ("number", Verdict.WRONG_ANSWER, 0),  # unexpected end
        ("points", Verdict.ACCEPTED, 3.5),
        ("part", Verdict.ACCEPTED, 40),
        ("none", Verdict.WRONG_ANSWER, 0),
    ],
)
def test_exit_codes_of_a_checker(
    output: str, verdict: Verdict, score: float, judged: tuple[Package, Path], host: Host
) -> None:
    package, folder = judged
    source = folder / "prints.py"
    source.write_text(f"print('''{output}''')\n")
    result = judge_file(package, source, host)
    assert (result.verdict, result.score) == (verdict, score)
    assert result.cases[-1].message


def test_a_checker_that_fails_is_a_judge_error_with_its_words(judged: tuple[Package, Path], host: Host) -> None:
    package, folder = judged
    source = folder / "fails.py"
    source.write_text("print('fail')\n")
    result = judge_file(package, source, host)
    assert result.verdict is Verdict.JUDGE_ERROR
    message = result.cases[-1].message
    assert "ended with exit code 3, not 42 or 43" in message and "the jury is wrong" in message


@pytest.mark.parametrize(("text", "refusal"), [("3\n", ""), ("1001\n", "violates the range [0, 1000]")])
def test_a_validator_accepts_and_refuses(
    text: str, refusal: str, judged: tuple[Package, Path], host: Host
) -> None:
    package, _ = judged
    validators = InputValidators(
        executables=host.build_judge_programs(package.input_validators, package.limits),
        limits=judge_program_limits(package.limits),
        host=host,
    )
    [case] = package.secret.cases
    refusals = host.pool.in_order(lambda sandbox, data: validators.refusals(sandbox, case, data), [text.encode()])
    messages = [one.message for found in refusals for one in found]
    assert len(messages) == bool(refusal) and all(refusal in message for message in messages)


INTERACTOR = r"""
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    int secret = inf.readInt();
    for (int turn = 1; turn <= 20; turn++) {
        int guess = ouf.readInt(1, 1000);
        if (guess == secret) {
            std::cout << "right" << std::endl;
            tout << turn << std::endl;
            quitf(_ok, "%d guesses", turn);
        }
        std::cout << (guess < secret ? "more" : "less") << std::endl;
    }
    quitf(_wa, "too many guesses");
}
"""
CHECKER = r"""
#include "testlib.h"
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    int turns = ouf.readInt();
    quitf(turns <= 10 ? _ok : _wa, "%d turns", turns);
}
"""
BUILD = "#!/bin/sh -e\ng++ -o run interactor.cpp\ng++ -o checker checker.cpp\n"
BISECTS = """\
low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "right":
        break
    low, high = (guess + 1, high) if answer == "more" else (low, guess - 1)
"""
COUNTS = "for guess in range(1, 30):\n    print(guess, flush=True)\n    if input() == 'right':\n        break\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "verdict", "message"),
    [
        (BISECTS, Verdict.ACCEPTED, "6 turns"),
        (COUNTS, Verdict.WRONG_ANSWER, "15 turns"),
        ("print(5000)", Verdict.WRONG_ANSWER, "violates the range"),
    ],
    ids=["checker_accepts", "checker_rejects", "interactor_rejects"],
)
def test_an_interactor_hands_over_to_its_checker(
    program: str, verdict: Verdict, message: str, double_with: PackageMaker, host: Host, tmp_path: Path
) -> None:
    changes: dict[str, str | bytes | None] = {
        "problem.yaml": MANIFEST.format(type="interactive"),
        "data/secret/01-zero.in": "15\n",
        "output_validator/interactor.cpp": INTERACTOR,
        "output_validator/checker.cpp": CHECKER,
        "output_validator/build": BUILD,
    }
    for name in ("sample/1", "secret/02-largest", "secret/03-some"):
        changes |= {f"data/{name}.in": None, f"data/{name}.ans": None}
    source = tmp_path / "player.py"
    source.write_text(program)
    result = judge_file(load(double_with(changes)), source, host)
    assert result.verdict == verdict, result.cases
    assert message in result.cases[-1].message


@pytest.mark.slow
def test_validator_and_generator_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "gen.cpp").write_text(
        '#include "testlib.h"\nint main(int argc, char *argv[]) {\n'
        "    registerGen(argc, argv, 1);\n    println(rnd.next(0, 1000));\n}\n"
    )
    (tmp_path / "valid.cpp").write_text(PROGRAM)
    (tmp_path / "right.py").write_text("print(2 * int(input()))\n")
    (tmp_path / "wrong.py").write_text("n = int(input())\nprint(2 * n + (n > 5))\n")
    options = [("--brute", "right.py"), ("--validator", "valid.cpp"), ("--gen", "gen.cpp")]
    words = [word for option, name in options for word in (option, tmp_path / name)]
    done = harness("stress", tmp_path / "wrong.py", *words, "--time", "60")
    assert done.returncode == 1, said(done)
    assert "input (2 bytes):\n    6\n" in said(done)
