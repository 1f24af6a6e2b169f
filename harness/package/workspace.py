"""A workspace lays a package's parts out over problems/, checkers/, reference/ and generators/; here they are one.

docs/DESIGN: the package `<slug>` is problems/<slug> with checkers/<slug> as output_validator/, reference/<slug> as
submissions/ and the generator files that its recipe names as generators/. Judge programs come out as one file each,
with the helper's text in the place of the line that imports it.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from harness.package.files import File, read_folder
from harness.package.findings import Findings
from harness.package.yamltext import section_of

HELPER = "judgelib"
RECIPE = "generators/generators.yaml"

_IMPORT_OF_HELPER = re.compile(rb"^from " + HELPER.encode() + rb" import [^\n(]*\n", re.MULTILINE)


def workspace_of(package: Path) -> Path | None:
    """The workspace that `package` (…/problems/<slug>) is a part of, or None: then it is a package by itself."""
    problems = package.resolve().parent
    workspace = problems.parent
    if problems.name == "problems" and any((workspace / part).is_dir() for part in ("reference", "checkers")):
        return workspace
    return None


def lay_out(workspace: Path, slug: str, findings: Findings) -> dict[str, File]:
    """The package `slug` of a workspace as one mapping."""
    files = read_folder(workspace / "problems" / slug, findings)
    for part, place in (("checkers", "output_validator"), ("reference", "submissions")):
        folder = workspace / part / slug
        if folder.is_dir():
            files |= {f"{place}/{path}": file for path, file in read_folder(folder, findings).items()}
    files |= _generator_files(workspace / "generators", files.get(RECIPE))
    return _with_helper(files, workspace / "checkers" / f"{HELPER}.py")


def _generator_files(folder: Path, recipe: File | None) -> dict[str, File]:
    section = section_of(recipe, Findings()) if recipe is not None else None
    value = section.take("generators") if section is not None else None
    listed = value.plain if value is not None else None
    if not isinstance(listed, dict):
        return {}
    names = {
        str(name) for dependencies in listed.values() if isinstance(dependencies, list) for name in dependencies
    }
    return {f"generators/{name}": File(origin=folder / name) for name in names if (folder / name).is_file()}


def _with_helper(files: dict[str, File], helper: Path) -> dict[str, File]:
    if not helper.is_file():
        return files
    text = helper.read_bytes()
    return {path: _inlined(file, text) if _is_judge_program(path) else file for path, file in files.items()}


def _is_judge_program(path: str) -> bool:
    return path.endswith(".py") and path.startswith(("input_validators/", "output_validator/"))


def _inlined(file: File, helper: bytes) -> File:
    before = file.read()
    after = _IMPORT_OF_HELPER.sub(lambda _: helper, before, count=1)
    return file if after == before else replace(file, content=after)


def slugs_in(workspace: Path) -> Iterable[str]:
    """The packages of a workspace, sorted."""
    return sorted(path.parent.name for path in (workspace / "problems").glob("*/problem.yaml"))
