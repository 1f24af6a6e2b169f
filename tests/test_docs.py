"""The pages lead somewhere: no dead link, and each page is reached from the index."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import TESTS
from harness.generate.recipe import read_recipe
from harness.package import Package
from harness.package.files import File
from harness.package.findings import Findings
from harness.package.formats.submission_rules import read_rules
from harness.package.load import load
from harness.package.model import rules_for
from harness.package.workspace import RECIPE
from harness.results.model import CaseResult, Demand
from harness.results.verdict import Verdict
from harness.rules.expectations import check_rules

ROOT = TESTS.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SOURCES = [
    path for ending in ("py", "c", "h", "toml") for path in sorted((ROOT / "harness").rglob(f"*.{ending}"))
]
_PLACE = re.compile(r"(?<![\w/.])(?:bench|docs|harness|tests)/[\w./-]+\.(?:cpp|c|h|json|md|py|toml)\b")
_PLACE_IN_HARNESS = re.compile(r"`([a-z]\w*/[\w./-]+\.(?:py|toml|c))`")


def linked(page: Path) -> set[Path]:
    """The files that a page links to."""
    places = (link.partition("#")[0] for link in _LINK.findall(page.read_text()) if "://" not in link)
    return {(page.parent / place).resolve() for place in places if place}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    assert [place for place in linked(page) if not place.exists()] == []


def test_every_file_of_ours_that_pages_and_sources_name_exists() -> None:
    names = {(page, name) for page in (*PAGES, *_SOURCES) for name in _PLACE.findall(page.read_text())}
    assert [(str(page), name) for page, name in sorted(names) if not (ROOT / name).exists()] == []


def test_every_file_that_the_page_on_architecture_names_exists() -> None:
    names = set(_PLACE_IN_HARNESS.findall((ROOT / "docs" / "architecture.md").read_text()))
    assert [
        name for name in sorted(names) if not any((root / name).exists() for root in (ROOT, ROOT / "harness"))
    ] == []


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


def test_every_option_is_named_on_a_page() -> None:
    commands = json.loads((ROOT / "harness" / "cli" / "completions.json").read_text())
    text = "\n".join(page.read_text() for page in PAGES)
    unnamed = {
        names
        for options in commands.values()
        for names in options
        if not re.search(rf"(?:{names.replace(' ', '|')})\b", text)
    }
    assert unnamed == set()


def test_the_example_of_expectations_is_met_by_60_points_only() -> None:
    findings = Findings()
    rules = rules_for("time_limit_exceeded/quadratic.py", read_rules(example("score: 60"), {}, findings).rules)
    assert not findings.faults and not findings.warnings
    verdicts = {"secret/group1": Verdict.ACCEPTED, "secret/group2": Verdict.TIME_LIMIT_EXCEEDED}
    cases = [CaseResult(name=f"{group}/1", group=group, verdict=verdict) for group, verdict in verdicts.items()]
    assert check_rules(rules, cases, (), 60).met
    assert [item.demand for item in check_rules(rules, cases, (), 100).unmet] == [Demand.SCORE]
    swapped = [replace(cases[0], verdict=cases[1].verdict), replace(cases[1], verdict=cases[0].verdict)]
    demands = {item.demand for item in check_rules(rules, swapped, (), 60).unmet}
    assert demands == {Demand.PERMITTED, Demand.REQUIRED}


def test_the_example_of_a_test_group_is_read(tmp_path: Path) -> None:
    root = shutil.copytree(TESTS / "packages" / "judge_require_pass", tmp_path / "judge_require_pass")
    for old, new in (("a", "group1"), ("b", "group2")):
        (root / "data" / "secret" / old).rename(root / "data" / "secret" / new)
    shutil.rmtree(root / "data" / "secret" / "c")
    (root / "data" / "secret" / "group2" / "test_group.yaml").write_bytes(example("require_pass: [").read())
    groups = {group.name: group for group in load(root).secret.groups}
    assert groups["secret/group2"].require_pass == ("sample", "secret/group1")


def test_the_example_of_invalid_inputs_is_a_recipe() -> None:
    recipe = read_recipe({RECIPE: example("invalid_input:")}, {})
    assert recipe is not None
    texts = {case.name: case.texts[".in"] for case in recipe.cases}
    assert texts == {"invalid_input/zero": b"0\n", "invalid_input/letters": b"x\n"}


def example(mark: str) -> File:
    """The YAML in docs/packages.md that contains `mark`."""
    blocks = re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "docs" / "packages.md").read_text(), re.MULTILINE | re.DOTALL
    )
    [text] = [block for block in blocks if mark in block]
    return File(origin=Path("example.yaml"), content=text.encode())


def cases_by_group(package: Package) -> Counter[str]:
    recipe = read_recipe(package.files, package.constants)
    assert recipe is not None
    return Counter(case.name.rpartition("/")[0] for case in recipe.cases)
