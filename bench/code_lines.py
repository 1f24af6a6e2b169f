"""Print how many lines of code the parts of the house have that should be small: no blanks, comments or docstrings.

    python bench/code_lines.py [-v]

`asking` asks programs something and remembers the answer; `kattis` reads packages of Kattis' family, `families` the
others. With -v every file.
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

HARNESS = Path(__file__).parent.parent / "harness"
PARTS = {
    "asking": (
        "check/*.py", "host/*.py", "store/*.py", "generate/record.py", "mutate/judge_mutants.py", "search/validity.py",
        "verify/stored_runs.py",
    ),
    "results": ("results/*.py",),
    "kattis": (
        "package/[!_acxt]*.py", "package/checks.py", "package/constants.py", "package/archive.py",
        "package/formats/[cks]*.py", "package/formats/legacy.py", "package/formats/manifest.py",
    ),
    "families": ("package/formats/polygon*.py", "package/formats/library_checker*.py", "package/xml_lines.py"),
}  # fmt: skip
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def lines_of_code(text: str) -> int:
    """Return the number of lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def main() -> None:
    """Print a line for each part: lines of code, all lines, files."""
    for part, patterns in PARTS.items():
        files = sorted({path for pattern in patterns for path in HARNESS.glob(pattern)})
        texts = {path: path.read_text("utf-8") for path in files}
        code, whole = sum(map(lines_of_code, texts.values())), sum(text.count("\n") for text in texts.values())
        print(f"{part:<10} {code:6,} lines of code, {whole:6,} in all, {len(files)} files")
        if "-v" in sys.argv:
            for path, text in texts.items():
                print(f"    {lines_of_code(text):5} {text.count(chr(10)):5}  {path.relative_to(HARNESS)}")


if __name__ == "__main__":
    main()
