"""What a package's visualizers draw is in the page of a grading, as far as the case may be shown."""

import base64
import json
from pathlib import Path

import pytest
from grade_command import COUNTS, grade, hand_ins

from conftest import PackageMaker

INPUT_VISUALIZER = """import sys
with open("drawn.svg", "w") as file:
    file.write(f"<svg>in {open(sys.argv[1]).read().strip()} {sys.argv[3:]}</svg>")
"""
OUTPUT_VISUALIZER = """import os, sys
left = os.path.join(sys.argv[3], "left")
seen = open(left).read() if os.path.exists(left) else "nothing"
with open(sys.argv[3] + "judgeimage.svg", "w") as file:
    file.write(f"<svg>out {sys.stdin.read().strip()} for {open(sys.argv[2]).read().strip()}, {seen}</svg>" + " " * 5000)
"""
LEAVES = """import sys
open(sys.argv[3] + "left", "w").write("looked at")
sys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)
"""
WRONG_FROM_TEN = "n = int(input())\nprint(n * 2 if n < 10 else n)\n"
ALWAYS_WRONG = "print(int(input()) * 2 + 7)\n"
Drawn = set[tuple[str, str, str]]


def drawn(root: Path, folder: Path, feedback: str, cwd: Path) -> Drawn:
    """(submission, case, what the image says) of all images; each is in the page too."""
    views = ("--html", "page.html", "--json", "report.json", "--feedback", feedback)
    done = grade("grade", root, folder, *views, "--store", cwd / f"{feedback}.sqlite", cwd=cwd)
    assert done.returncode == 0, done.stderr
    page = (cwd / "page.html").read_text()
    images = json.loads((cwd / "report.json").read_text())["images"]
    for image in images:
        assert f'<img src="data:image/svg+xml;base64,{image["content"]}"' in page
    return {
        (one["submission"], one["case"], base64.b64decode(one["content"]).decode().strip()[5:-6]) for one in images
    }


@pytest.mark.sampled(2)
@pytest.mark.parametrize("validated", [False, True], ids=["default validator", "own validator"])
def test_images_of_input_and_output_are_those_of_the_first_failed_case(
    validated: bool,
    double_with: PackageMaker,
    tmp_path: Path,
) -> None:
    own = {"output_validator/check.py": LEAVES} if validated else {}
    root = double_with(
        {
            "input_visualizer/draw.py": INPUT_VISUALIZER,
            "output_visualizer/draw.py": OUTPUT_VISUALIZER,
            "data/secret/test_group.yaml": "input_visualizer_args: [big]\n",
            "data/secret/0.in": "50\n",
            "data/secret/0.ans": "100\n",
            **own,
        }
    )
    folder = hand_ins(tmp_path / "subs", late=WRONG_FROM_TEN, right=COUNTS)
    seen = "looked at" if validated else "nothing"
    expected = {("", "secret/0", "in 50 ['big']"), ("late.py", "secret/0", f"out 50 for 100, {seen}")}
    assert drawn(root, folder, "full", tmp_path) == expected
    assert drawn(root, folder, "samples", tmp_path) == set()


def test_images_of_samples_may_be_seen_by_those_who_are_graded(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with({"output_visualizer/draw.py": OUTPUT_VISUALIZER})
    folder = hand_ins(tmp_path / "subs", wrong=ALWAYS_WRONG)
    [(submission, case, said)] = drawn(root, folder, "samples", tmp_path)
    assert (submission, case.partition("/")[0]) == ("wrong.py", "sample")
    assert said.startswith("out ")


HOSTILE = {
    "fails": "raise SystemExit(3)",
    "links": "import os\nos.symlink('/etc/passwd', 'x.svg')",
    "draws_too_much": "open('x.svg', 'w').write('<svg>' + 'x' * (1 << 21))",
    "draws_a_page": "open('x.html', 'w').write('<script>alert(1)</script>')",
    "never_ends": "while True: pass",
    "does_not_compile": "def",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_visualizer_that_fails_takes_nothing_but_its_picture(
    name: str, double_with: PackageMaker, tmp_path: Path
) -> None:
    draw = HOSTILE[name]
    limits = "problem_format_version: 2025-09\nname: Double\nuuid: 0b54d3a5-7c1f-4b7e-8b59-40a0a9c1b3a1\n"
    limits += "limits:\n  time_limit: 1.0\n  validation_time: 1\nconstants:\n  max_n: 1000000\n"
    root = double_with(
        {"problem.yaml": limits, "input_visualizer/draw.py": draw, "output_visualizer/draw.py": draw}
    )
    assert drawn(root, hand_ins(tmp_path / "subs", wrong=ALWAYS_WRONG), "full", tmp_path) == set()
