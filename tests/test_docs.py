"""The pages lead somewhere: no dead link, and each page is reached from the index."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from conftest import TESTS
from harness.generate.recipe import read_recipe
from harness.package import Package
from harness.package.load import load

ROOT = TESTS.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def linked(page: Path) -> set[Path]:
    """The files that a page links to."""
    places = (link.partition("#")[0] for link in _LINK.findall(page.read_text()) if "://" not in link)
    return {(page.parent / place).resolve() for place in places if place}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    assert [place for place in linked(page) if not place.exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    assert {page for page in PAGES if "docs" in page.parts} - linked(index) - {index} == set()


def test_the_numbers_of_cases_in_the_readme_are_those_of_the_recipes() -> None:
    text = (ROOT / "README.md").read_text()
    sokoban, apples = (load(ROOT / "problems" / slug) for slug in ("sokoban", "apples"))
    shown = dict(re.findall(r"^(secret/group\d) .* of (\d+) ", text, re.MULTILINE))
    assert shown == {group: str(count) for group, count in cases_by_group(sokoban).items()}
    assert f"\n{len(sokoban.submissions)} of {len(sokoban.submissions)} submissions as expected\n" in text
    count = sum(cases_by_group(apples).values()) + len(apples.sample.cases)
    assert set(re.findall(r" (?:\d+) of (\d+) +(?:100|20) ", text)) == {str(count)}


def test_the_schema_of_the_json_is_that_of_the_result_model() -> None:
    """After a change of the model: python bench/result_schema.py > docs/result.schema.json"""
    made = subprocess.run([sys.executable, ROOT / "bench" / "result_schema.py"], capture_output=True, check=True)
    assert (ROOT / "docs" / "result.schema.json").read_bytes() == made.stdout


def cases_by_group(package: Package) -> Counter[str]:
    recipe = read_recipe(package.files, package.constants)
    assert recipe is not None
    return Counter(case.name.rpartition("/")[0] for case in recipe.cases)
