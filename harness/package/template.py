"""The files of a new package: a small complete problem whose comments explain what belongs where."""

from collections.abc import Mapping

KINDS = ("pass-fail", "scoring", "interactive")

_MANIFEST = """# What the keys mean: https://www.kattis.com/problem-package-format/
problem_format_version: 2025-09
type: {kind}
name: {title}
uuid: {identity}
license: unknown
limits:
  time_limit: 1.0  # seconds of CPU; `harness verify --only time` says what your submissions ask for
  memory: 512
constants:  # each bound once: {{{{max_n}}}} is replaced in statements, validators and submissions
  max_n: 1000000
"""
_STATEMENT = """Given an integer $n$, print $2n$.

## Input

One line with an integer $n$ ($1 \\le n \\le {{max_n}}$).

## Output

One line with $2n$.
"""
_INTERACTIVE_STATEMENT = """The judge thinks of an integer $x$ with $1 \\le x \\le {{max_n}}$. Find it with at
most 20 questions.

## Interaction

Print a guess on a line, flush, and read a line: `less` if $x$ is less than your guess, `more` if it is more, `yes` if
it is $x$. After `yes`, exit.
"""
_INPUT_VALIDATOR = '''"""Exit code 42: a valid input. Be strict: every byte counts, for contestants trust the format."""

import re
import sys


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(43)


text = sys.stdin.buffer.read()
if not re.fullmatch(rb"[1-9][0-9]{0,17}\\n", text):
    refuse("one line with an integer, without leading zeros, was expected, found %r" % text[:40])
if not 1 <= int(text) <= int("{{max_n}}"):
    refuse("n = %d is not in 1..{{max_n}}" % int(text))
sys.exit(42)
'''
_SHAPE = "# What an input looks like; `harness verify` looks for its bounds in the data.\nn: 1..{{max_n}}\n"
_RIGHT = "n = int(input())\nprint(2 * n)\n"
_RIGHT_C = """#include <stdio.h>

int main(void) {
    long long n;
    if (scanf("%lld", &n) != 1) return 1;
    printf("%lld\\n", 2 * n);
}
"""
_WRONG = "# Wrong where the sum needs a carry.\nn = int(input())\nprint(2 * n if n < 5 else 2 * n + 1)\n"
_INTERACTOR = '''"""python3 INPUT ANSWER FEEDBACK_FOLDER: plays the judge's side. Exit code 42: accepted, 43: wrong."""

import re
import sys

QUESTIONS = 20


def refuse(why):
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        file.write(why)
    sys.exit(43)


with open(sys.argv[1]) as file:
    secret = int(file.read())
for question in range(QUESTIONS):
    line = sys.stdin.buffer.readline(100)
    # Never int() on what a stranger wrote before its form is known.
    if not re.fullmatch(rb"[0-9]{1,18}\\n", line):
        refuse("a number was expected, found %r" % line)
    guess = int(line)
    word = "yes" if guess == secret else "less" if secret < guess else "more"
    try:
        print(word, flush=True)
    except BrokenPipeError:
        refuse("the submission has gone")
    if word == "yes":
        sys.exit(42)
refuse("not found with %d questions" % QUESTIONS)
'''
_GUESSES = """low, high = 1, int("{{max_n}}")
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "yes":
        break
    if answer == "less":
        high = middle - 1
    else:
        low = middle + 1
"""
_GUESSES_C = """#include <stdio.h>
#include <string.h>

int main(void) {
    int low = 1, high = {{max_n}};
    char answer[8] = "";
    while (strcmp(answer, "yes") != 0) {
        int middle = low + (high - low) / 2;
        printf("%d\\n", middle);
        fflush(stdout);
        if (scanf("%7s", answer) != 1) return 1;
        if (strcmp(answer, "less") == 0) high = middle - 1;
        else low = middle + 1;
    }
}
"""
_COUNTS = "# Right for small numbers only.\nguess = 1\nwhile True:\n    print(guess, flush=True)\n"
_COUNTS += '    if input() == "yes":\n        break\n    guess += 1\n'


def template_files(kind: str, *, title: str, identity: str) -> Mapping[str, str]:
    """The files by path."""
    files = {
        "problem.yaml": _MANIFEST.format(kind=kind, title=title, identity=identity),
        "statement/problem.en.md": _STATEMENT,
        "generators/shape.txt": _SHAPE,
        "input_validators/validate.py": _INPUT_VALIDATOR,
        "data/invalid_input/zero.in": "0\n",
        "data/invalid_input/leading_zero.in": "01\n",
    }
    if kind == "interactive":
        return files | _interactive()
    files |= {
        "submissions/accepted/doubles.py": _RIGHT,
        "submissions/accepted/doubles.c": _RIGHT_C,
        "submissions/wrong_answer/small_numbers_only.py": _WRONG,
        **_case("sample/1", 3),
    }
    return files | (_scoring() if kind == "scoring" else _cases("secret", (1, 5, 999_999, 1_000_000)))


def _scoring() -> dict[str, str]:
    """Two test groups; the first can be won without the second."""
    return {
        "data/secret/test_group.yaml": "max_score: 100\nscore_aggregation: sum\n",
        "data/secret/small/test_group.yaml": "max_score: 40\nscore_aggregation: pass-fail\n",
        "data/secret/large/test_group.yaml": "max_score: 60\nscore_aggregation: pass-fail\n",
        **_cases("secret/small", (1, 2, 4)),
        **_cases("secret/large", (5, 999_999, 1_000_000)),
    }


def _interactive() -> dict[str, str]:
    return {
        "statement/problem.en.md": _INTERACTIVE_STATEMENT,
        "output_validator/interactor.py": _INTERACTOR,
        "submissions/accepted/halves.py": _GUESSES,
        "submissions/accepted/halves.c": _GUESSES_C,
        "submissions/wrong_answer/counts.py": _COUNTS,
        "data/sample/1.in": "3\n",
        "data/sample/1.ans": "",
        "data/sample/1.interaction": ">5\n<less\n>3\n<yes\n",
        "data/sample/1.in.download": "3\n",
        "data/sample/1.ans.download": "",
        **{
            f"data/secret/{number}.{end}": text
            for number in (1, 7, 999_999, 1_000_000)
            for end, text in (("in", f"{number}\n"), ("ans", ""))
        },
    }


def _cases(folder: str, numbers: tuple[int, ...]) -> dict[str, str]:
    return {path: text for number in numbers for path, text in _case(f"{folder}/{number}", number).items()}


def _case(name: str, number: int) -> dict[str, str]:
    return {f"data/{name}.in": f"{number}\n", f"data/{name}.ans": f"{2 * number}\n"}
