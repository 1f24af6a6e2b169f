"""The shape that a package declares of its inputs, if it does."""

from harness.package import Package
from harness.package.constants import substitute
from harness.shapes import Shape, read_shape

SHAPE = "generators/shape.txt"


def declared_shape(package: Package) -> Shape | None:
    """The shape in generators/shape.txt, constants filled in. Raises ShapeError for one that makes no sense."""
    file = package.files.get(SHAPE)
    if file is None:
        return None
    return read_shape(substitute(file.read(), package.constants).decode("utf-8", errors="replace"))
