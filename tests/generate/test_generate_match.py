"""`match` of a recipe: what is not in a case's files is told, whatever the patterns are."""

from pathlib import Path

import pytest

from conftest import PackageMaker
from harness.errors import PackageError
from harness.generate.data import build_data
from harness.host.host import Host

RECIPE = """
data:
  secret:
    data:
      1-two:
        in: |
          5
        ans: |
          10
        match: MATCH
"""


def told(match: str, double_with: PackageMaker, host: Host, tmp_path: Path) -> list[str]:
    """What is said of the case."""
    root = double_with({"generators/generators.yaml": RECIPE.replace("MATCH", match)})
    (tmp_path / "built").mkdir()
    warnings = build_data(root, host, overlay=tmp_path / "built").warnings
    return [one for one in warnings if "`match`" in one]


@pytest.mark.parametrize("match", ["'^5$'", "['5', '^[0-9]']", "{in: '5', ans: ['1', '^10$']}", "[]"])
def test_what_is_there_is_not_told(match: str, double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    assert told(match, double_with, host, tmp_path) == []


def test_what_is_missing_is_told(double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    found = told("{in: ['5', '6'], ans: '^11$'}", double_with, host, tmp_path)
    assert found == [
        "secret/1-two.ans: `match`: '^11$' is not found",
        "secret/1-two.in: `match`: '6' is not found",
    ]


def test_what_is_no_regular_expression_is_told(double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    assert told("'(5'", double_with, host, tmp_path) == ["secret/1-two.in: `match`: '(5' is no regular expression"]


@pytest.mark.parametrize("match", ["5", "[5, '5']", "{in: 5}", '"\\0"'])
def test_what_is_no_text_is_a_fault(match: str, double_with: PackageMaker, host: Host, tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="`match` is a string"):
        told(match, double_with, host, tmp_path)
