"""The bug classes of the shipped problems, and what is proved of their data."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from harness.generate.data import build_data
from harness.generate.recipe import read_recipe
from harness.host.host import Host
from harness.mutate.mutation import Mutation
from harness.mutate.mutation_yaml import check_catalogue, read_notes
from harness.package.load import load

PROBLEMS = Path(__file__).parent.parent.parent / "problems"
SLUGS = sorted(path.parent.name for path in PROBLEMS.glob("*/problem.yaml"))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_bug_class_names_solutions_and_cases_that_exist(slug: str) -> None:
    package = load(PROBLEMS / slug, built=False)
    recipe = read_recipe(package.files, package.constants)
    assert recipe is not None
    cases = [case.name for case in (*recipe.cases, *package.sample.all_cases())]
    submissions = {one.path for one in package.submissions}
    classes = read_notes(package).classes
    assert len(classes) >= 10
    for one in classes:
        assert set(one.solutions) <= submissions, one.name
        for glob in one.cases:
            assert any(fnmatchcase(case.removeprefix("secret/"), glob) for case in cases), (one.name, glob)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_bug_class_is_caught_by_its_own_cases_only(slug: str, host: Host) -> None:
    build_data(PROBLEMS / slug, host)
    assert not check_catalogue(load(PROBLEMS / slug), host).faults


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("slug", "paths"),
    [
        ("apples", ("factorials.cpp", "prime_exponents.cpp")),
        ("deadlock", ("exhaustive.cpp",)),
        ("therock", ("label_setting.cpp",)),
        ("eightqueens", ("boards.cpp", "cells.cpp", "rows.cpp")),
    ],
)
def test_no_mutant_is_left_open(slug: str, paths: tuple[str, ...], host: Host, tmp_path: Path) -> None:
    build_data(PROBLEMS / slug, host)
    package = load(PROBLEMS / slug)
    programs = [one for one in package.submissions if one.path.removeprefix("accepted/") in paths]
    report = Mutation(package=package, host=host, cache=tmp_path).run(programs)
    assert not report.survivors()
