"""Lay out a package of a workspace, whose parts lie in problems/, checkers/, reference/ and generators/.

docs/architecture.md: `<slug>` is problems/<slug> with checkers/<slug> as output_validator/, reference/<slug> as
submissions/ and the generator files that its recipe names as generators/. Judge programs become one file each:
a line `from NAME import …` is replaced by the text of NAME.py (the helper of all, or a module beside the program) at
its first use, and removed at later uses. All of it shares one namespace then.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from harness.package.files import File, read_folder
from harness.package.findings import Findings
from harness.package.yaml_lines import section_of

HELPER = "judgelib"
RECIPE = "generators/generators.yaml"
MISNAMED_RECIPES = ("generators/generators.yml", "generators/generator.yaml")
LOCK = "generators/data.lock"
SHAPE_FILE = "generators/shape.txt"
JUDGE_FOLDERS = ("input_validators", "output_validator")

_IMPORT = re.compile(rb"^from (\w+) import (?:\([^)]*\)|[^\n(]*)\n", re.MULTILINE)


def workspace_of(package: Path) -> Path | None:
    """Return the workspace of `package` (…/problems/<slug>); None for a package outside a workspace."""
    problems = package.resolve().parent
    workspace = problems.parent
    if problems.name == "problems" and any((workspace / part).is_dir() for part in ("reference", "checkers")):
        return workspace
    return None


def lay_out(workspace: Path, slug: str, findings: Findings) -> dict[str, File]:
    """Return the files of the package `slug` of a workspace."""
    files = read_folder(workspace / "problems" / slug, findings)
    for part, target in (("checkers", "output_validator"), ("reference", "submissions")):
        folder = workspace / part / slug
        if folder.is_dir():
            files |= {f"{target}/{path}": file for path, file in read_folder(folder, findings).items()}
    files |= _generator_files(workspace / "generators", files.get(RECIPE))
    helper = _there(workspace / "checkers").get(f"{HELPER}.py")
    shared = {HELPER: helper.read()} if helper is not None else {}
    for programs in JUDGE_FOLDERS:
        files = _one_file_each(files, programs, shared)
    return files


def _generator_files(folder: Path, recipe: File | None) -> dict[str, File]:
    section = section_of(recipe, Findings()) if recipe is not None else None
    value = section.take("generators") if section is not None else None
    listed = value.plain if value is not None else None
    if not isinstance(listed, dict):
        return {}
    names = {
        str(name) for dependencies in listed.values() if isinstance(dependencies, list) for name in dependencies
    }
    there = _there(folder)
    return {f"generators/{name}": there[name] for name in sorted(names & there.keys())}


def _there(folder: Path) -> Mapping[str, File]:
    return read_folder(folder, Findings()) if folder.is_dir() else {}


def _one_file_each(files: dict[str, File], folder: str, shared: dict[str, bytes]) -> dict[str, File]:
    """Put imported modules into the programs of a folder, and drop the modules."""
    paths = [path for path in files if path.endswith(".py") and path.rpartition("/")[0] == folder]
    texts = {path: files[path].read() for path in paths}
    modules = shared | {Path(path).stem: text for path, text in texts.items()}
    named = {
        path: {name.decode() for name in _IMPORT.findall(text)} - {Path(path).stem} for path, text in texts.items()
    }
    inlined = {f"{folder}/{name}.py" for names in named.values() for name in names}
    programs = {
        path: replace(files[path], content=_inlined(text, modules, {Path(path).stem}))
        for path, text in texts.items()
        if named[path] & modules.keys()
    }
    return {path: file for path, file in (files | programs).items() if path not in inlined}


def _inlined(text: bytes, modules: dict[str, bytes], inlined: set[str]) -> bytes:
    """Replace import lines by the imported modules. inlined: modules that are already in the text."""

    def module(line: re.Match[bytes]) -> bytes:
        name = line[1].decode()
        if name not in modules:
            return line[0]
        if name in inlined:
            return b""
        inlined.add(name)
        return _inlined(modules[name], modules, inlined)

    return _IMPORT.sub(module, text)


def slugs_in(workspace: Path) -> Iterable[str]:
    """Return the packages of a workspace, sorted."""
    return sorted(path.parent.name for path in (workspace / "problems").glob("*/problem.yaml"))
