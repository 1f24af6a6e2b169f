"""Loads every package of tests/packages/load_*: each is about one rule, and says itself what must come out."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import TESTS
from harness.errors import PackageError
from harness.package import Group, Package
from harness.package.load import load

PACKAGES = sorted((TESTS / "packages").glob("load_*"))
FINDINGS = ("faults", "warnings")


def groups_of(group: Group) -> dict[str, Group]:
    """`group` and all groups in it, by name."""
    return {group.name: group} | {
        name: found for inner in group.groups for name, found in groups_of(inner).items()
    }


def of_cases(package: Package, asked: Mapping[str, Any], fact: Callable[[Any], Any]) -> dict[str, Any]:
    return {case.name: fact(case) for case in package.judged_cases() if case.name in asked}


def plain(arguments: Any) -> Any:
    return {k: list(v) for k, v in arguments.items()} if isinstance(arguments, Mapping) else list(arguments)


FACTS: dict[str, Callable[[Package, Any], Any]] = {
    "format": lambda package, _: package.format.value,
    "name": lambda package, _: package.title,
    "types": lambda package, _: sorted(package.types),
    "time_limit": lambda package, _: package.limits.time_limit_s,
    "cases": lambda package, _: [case.name for case in package.judged_cases()],
    "submissions": lambda package, _: {one.path: one.language for one in package.submissions},
    "input_validators": lambda package, _: [one.path for one in package.input_validators],
    "output_validators": lambda package, _: [one.path for one in package.output_validators],
    "groups": lambda package, _: {name: one.max_score for name, one in groups_of(package.secret).items()},
    "score_modes": lambda package, _: {
        name: one.grading.score_mode.value for name, one in groups_of(package.secret).items() if one.grading
    },
    "output_validator_args": lambda package, asked: of_cases(
        package, asked, lambda case: list(case.settings.output_validator_args)
    ),
    "input_validator_args": lambda package, asked: of_cases(
        package, asked, lambda case: plain(case.settings.input_validator_args)
    ),
    "described": lambda package, asked: of_cases(
        package, asked, lambda case: [case.settings.hint, case.settings.description]
    ),
    "program_files": lambda package, _: {one.path: sorted(one.files) for one in package.input_validators},
    "verdicts": lambda package, _: {one.pattern: sorted(one.verdicts) for one in package.rules if one.verdicts},
}


def outcome(root: Path) -> tuple[Package | None, dict[str, list[str]]]:
    try:
        package = load(root)
    except PackageError as error:
        return None, {"faults": [str(fault) for fault in error.faults]}
    # The folders are named for their rules, and short names have no underscore.
    warnings = [warning for warning in package.warnings if "the short name" not in warning]
    return package, {"faults": [], "warnings": warnings}


@pytest.mark.parametrize("root", PACKAGES, ids=lambda root: root.name)
def test_package_loads_as_it_says(root: Path) -> None:
    expected = yaml.safe_load((root / "expected.yaml").read_text("utf-8"))
    package, findings = outcome(root)
    assert (package is None) == ("faults" in expected), findings
    for kind in FINDINGS:
        texts = expected.get(kind, [] if kind == "faults" else None)
        if texts is not None:
            assert len(findings[kind]) == len(texts), findings
            assert all(any(text in found for found in findings[kind]) for text in texts), findings
    for key in set(expected) - set(FINDINGS):
        assert package is not None
        assert FACTS[key](package, expected[key]) == expected[key], key


def test_every_rule_is_listed_for_readers() -> None:
    listed = (TESTS / "packages" / "README.md").read_text("utf-8")
    assert [root.name for root in PACKAGES if f"| `{root.name}` |" not in listed] == []
