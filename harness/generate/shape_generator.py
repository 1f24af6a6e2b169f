"""The generator `from_shape`, which every recipe may call: it makes inputs of the package's shape and known killers."""

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
    """Return the generator: a copy of harness.shapes and the package's shape, to be run in the sandbox.

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
    """Return the paths, below harness/, of the modules in a folder of harness/ and its subfolders."""
    paths = []
    for entry in (resources.files("harness") / folder).iterdir():
        if entry.is_dir():
            paths += _modules_of(f"{folder}/{entry.name}")
        elif entry.name.endswith(".py") and entry.name != _NEEDS_HYPOTHESIS:
            paths.append(f"{folder}/{entry.name}")
    return sorted(paths)


def _own(path: str) -> File:
    content = resources.files("harness").joinpath(*path.split("/")).read_bytes()
    return File(origin=Path(f"harness/{path}"), content=content)
