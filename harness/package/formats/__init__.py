"""The families of package formats.

A family with folders of its own layout is a function that lays the files out as those of a package of 2025-09. Give it
a `Family` with `lay_out` in a module here, and add that to FAMILIES.
"""

from harness.package.formats import kattis, library_checker, polygon

FAMILIES = (kattis.FAMILY, polygon.FAMILY, library_checker.FAMILY)
# The names of the files that show a package.
MANIFESTS = tuple(name for family in FAMILIES for name in family.manifests)
