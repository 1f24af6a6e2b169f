"""All families of package formats, and the names of the files that show a package."""

from harness.package.formats import kattis, library_checker, polygon

FAMILIES = (kattis.FAMILY, polygon.FAMILY, library_checker.FAMILY)
MANIFESTS = tuple(name for family in FAMILIES for name in family.manifests)
