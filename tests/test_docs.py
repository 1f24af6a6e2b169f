"""The pages lead somewhere: no dead link, and each page is reached from the index."""

import re
from pathlib import Path

import pytest

from conftest import TESTS

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
