"""The generator `from_shape` that every recipe may call: inputs of generators/shape.txt, with known killers."""

from importlib import resources
from pathlib import Path

from harness.errors import Fault, PackageError
from harness.package import Package, Program
from harness.package.constants import substituted
from harness.package.files import File
from harness.package.workspace import RECIPE, SHAPE_FILE

NAME = "from_shape"
_MAIN = "harness.shapes.from_shape"
_ENTRY = f"""import sys
from pathlib import Path

from {_MAIN} import main

sys.exit(main(Path(__file__).with_name("shape.txt").read_text("utf-8"), sys.argv[1:]))
"""
_NEEDED = ("__init__.py", "errors.py", "values.py")
_ROOM = "shapes"
_NEEDS_HYPOTHESIS = "testing.py"


def shape_generator(package: Package) -> Program:
    """Return the program: a copy of harness.shapes beside the package's shape, for the sandbox.

    Raises PackageError if the package declares no shape.
    """
    shape = package.files.get(SHAPE_FILE)
    if shape is None:
        message = f"`{NAME}` draws inputs of the package's shape: write {SHAPE_FILE}"
        raise PackageError([Fault(path=package.files[RECIPE].origin, message=message)])
    entry = f"{NAME}.py"
    files = {
        entry: File(origin=package.files[RECIPE].origin / NAME, content=_ENTRY.encode()),
        "shape.txt": substituted(shape, package.constants),
    }
    files |= {f"harness/{name}": _own(name) for name in (*_NEEDED, *_modules_of(_ROOM))}
    return Program(path=f"generators/{NAME}", files=files, entrypoint=entry)


def _modules_of(folder: str) -> list[str]:
    """Return the paths of the modules in a room and its folders, from harness/."""
    paths = []
    for each in (resources.files("harness") / folder).iterdir():
        if each.is_dir():
            paths += _modules_of(f"{folder}/{each.name}")
        elif each.name.endswith(".py") and each.name != _NEEDS_HYPOTHESIS:
            paths.append(f"{folder}/{each.name}")
    return sorted(paths)


def _own(path: str) -> File:
    content = resources.files("harness").joinpath(*path.split("/")).read_bytes()
    return File(origin=Path(f"harness/{path}"), content=content)
