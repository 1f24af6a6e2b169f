"""A counterexample becomes a case of the data: in the recipe, which stays as it was otherwise, or as files."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from harness.errors import HarnessError
from harness.generate.add_case import promote
from harness.package import Package
from harness.package.ad_hoc import package_of_cases
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.package.workspace import RECIPE

RECIPE_TEXT = """# a comment on top
data:
  secret:
    data:
      one: {in: "1\\n"}
      group:
        data:
          # a comment inside
          two:
            in: |
              2
              #.#

  # a comment after secret
  sample:
    data:
      three: {in: "3\\n"}
"""


def package_with(tmp_path: Path, text: str | None) -> Package:
    package = package_of_cases(name="p", root=tmp_path, limits=ProblemLimits())
    if text is None:
        return package
    path = tmp_path / "generators.yaml"
    path.write_text(text)
    return replace(package, files={RECIPE: File(origin=path)})


@pytest.mark.parametrize(("name", "keys"), [("new", ["new"]), ("group/new", ["group", "data", "new"])])
def test_a_recipe_gets_one_case_and_keeps_everything_else(name: str, keys: list[str], tmp_path: Path) -> None:
    data = b"2 3\n..#\n  X\n"
    path = promote(package_with(tmp_path, RECIPE_TEXT), name, data, b"7\n")
    text = path.read_text()
    found = yaml.safe_load(text)
    node = found["data"]["secret"]["data"]
    for key in keys:
        node = node[key]
    assert node == {"in": data.decode()}
    assert set(RECIPE_TEXT.splitlines()) <= set(text.splitlines())
    parent = found["data"]["secret"]["data"]
    parent.pop("new", None)
    parent["group"]["data"].pop("new", None)
    assert found == yaml.safe_load(RECIPE_TEXT)


LIST_TEXT = """data:
  secret:
    data:
    - small: rnd.py 1 {seed}
      other: rnd.py 2 {seed}
    # in the middle
    - group:
        data:
          - inner: {in: "1\\n"}
            # deeper
  # after secret
"""


@pytest.mark.parametrize(
    ("name", "place"), [("03-new", [2, "new"]), ("2-group/new", [1, "group", "data", 1, "new"])]
)
def test_a_list_gets_one_case_whose_number_is_its_place(name: str, place: list[str | int], tmp_path: Path) -> None:
    data = b"2 3\n..#\n  X\n"
    text = promote(package_with(tmp_path, LIST_TEXT), name, data, None).read_text()
    node = yaml.safe_load(text)["data"]["secret"]["data"]
    for key in place:
        node = node[key]
    assert node == {"in": data.decode()}
    assert set(LIST_TEXT.splitlines()) <= set(text.splitlines())


@pytest.mark.parametrize("cases", ["[{one: x 1}]", "{one: x 1}", "{}", "[]"])
def test_cases_within_one_line_are_left_to_a_person(cases: str, tmp_path: Path) -> None:
    text = f"data: {{secret: {{data: {cases}}}}}\n"
    with pytest.raises(HarnessError, match="add this one by hand"):
        promote(package_with(tmp_path, text), "new", b"1\n", None)


def test_without_a_recipe_the_case_is_two_files(tmp_path: Path) -> None:
    path = promote(package_with(tmp_path, None), "new", b"1\n", b"7\n")
    assert (path.name, path.read_bytes()) == ("new.in", b"1\n")
    assert path.with_name("new.ans").read_bytes() == b"7\n"


@pytest.mark.parametrize("name", ["../up", "one", "nowhere/new", "a b"])
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError):
        promote(package_with(tmp_path, RECIPE_TEXT), name, b"1\n", None)
    assert (tmp_path / "generators.yaml").read_text() == RECIPE_TEXT


def test_bytes_that_nobody_can_read_do_not_go_into_a_recipe(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="printable"):
        promote(package_with(tmp_path, RECIPE_TEXT), "new", b"\x1b[31m\n", None)
