"""The shape that a package declares of its inputs, if it does."""

from harness.package import Package
from harness.package.constants import substitute, unknown_constant, unknown_constants
from harness.shapes import Shape, ShapeError, read_shape

SHAPE = "generators/shape.txt"


def declared_shape(package: Package) -> Shape | None:
    """The shape in generators/shape.txt, constants filled in. Raises ShapeError for one that makes no sense."""
    file = package.files.get(SHAPE)
    if file is None:
        return None
    text = file.read()
    try:
        return read_shape(substitute(text, package.constants, file.origin).decode("utf-8", errors="replace"))
    except ShapeError as error:
        unknown = next(unknown_constants(text, package.constants), None)
        if unknown is None:
            raise
        line, use = unknown
        raise ShapeError(f"line {line}: {unknown_constant(use, package.constants)}") from error


def shape_if_sound(package: Package) -> Shape | None:
    """The same, None for one that makes no sense: the part `bounds` says so, once."""
    try:
        return declared_shape(package)
    except ShapeError:
        return None
