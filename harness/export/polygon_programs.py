"""Judge programs in Polygon's form: sources in files/ that include testlib.h."""

from collections.abc import Iterator
from dataclasses import field
from importlib import resources
from itertools import pairwise
from pathlib import PurePosixPath

from harness.export.archive import ExportedFiles
from harness.package import Package, ProblemType, Program
from harness.package.formats.polygon_programs import CHECKER, INTERACTOR, PERCENT
from harness.package.headers import C_LIKE, HEADERS, ORIGINAL, TESTLIB, shipped_testlib
from harness.values import dataclass

_STUB = """\
#include "testlib.h"

int main(int argc, char *argv[]) {{
    {register}(argc, argv);
    quitf({result}, "{message}");
}}
"""


@dataclass(frozen=True, kw_only=True)
class PolygonPrograms:
    """Puts judge programs into files/. names: content by file name."""

    package: Package
    exported: ExportedFiles
    names: dict[str, bytes] = field(default_factory=dict)

    @property
    def points_are_percent(self) -> bool:
        """Return whether the checker's points are a share of the test's points."""
        validator = self.package.output_validator
        return validator is not None and any(file.read().startswith(PERCENT) for file in validator.files.values())

    def judges(self) -> dict[str, str]:
        """Return by role the paths of the checker and, in an interactive problem, the interactor."""
        validator = self.package.output_validator
        interactive = ProblemType.INTERACTIVE in self.package.types
        if len(self.package.output_validators) > 1:
            self.exported.note_loss("all output validators but the first")
        if validator is None:
            return {"checker": self._testlib(CHECKER, self._default_checker())}
        both = {INTERACTOR, CHECKER} <= validator.files.keys()
        source = self._source(validator, INTERACTOR if both else None)
        if source is None:
            message = f"{validator.path} does not include testlib.h: write it anew for Polygon"
            self.exported.note_loss(
                f"the output validator: {message}; until then the program there fails on every output"
            )
            name, register = (
                (INTERACTOR, "registerInteraction") if interactive else (CHECKER, "registerTestlibCmd")
            )
            source = self._testlib(name, _STUB.format(register=register, result="_fail", message=message).encode())
        if not interactive:
            return {"checker": source}
        checker = self._source(validator, CHECKER) if both else None
        if checker is None:
            stub = _STUB.format(register="registerTestlibCmd", result="_ok", message="the interactor has judged")
            checker = self._testlib(CHECKER, stub.encode())
        return {"checker": checker, "interactor": source}

    def validators(self) -> Iterator[str]:
        """Yield the paths of the input validators."""
        for program in self.package.input_validators:
            source = self._source(program)
            if source is None:
                self.exported.note_loss(f"the input validator {program.path}, which does not include testlib.h")
            else:
                yield source

    def add(self, name: str, content: bytes) -> str:
        """Put a file into files/, renamed if its name has other content; return its path."""
        path = PurePosixPath(PurePosixPath(name).name)
        base, number = path.name, 1
        while self.names.setdefault(base, content) != content:
            number += 1
            base = f"{path.stem}{number}{path.suffix}"
        self.exported.add(f"files/{base}", content)
        return f"files/{base}"

    def _source(self, program: Program, chosen: str | None = None) -> str | None:
        """Put a program that includes testlib.h into files/ unchanged; return the path of its source, or None.

        chosen: the source, if the program has several.
        """
        sources = [name for name in program.files if name.endswith(C_LIKE) and name in (chosen or name)]
        if ORIGINAL not in program.files or len(sources) != 1:
            return None
        for name, file in program.files.items():
            if name.endswith(HEADERS) and name != TESTLIB:
                self.add(TESTLIB if name == ORIGINAL else name, file.read())
        return self.add(sources[0], program.files[sources[0]].read().removeprefix(PERCENT))

    def _testlib(self, name: str, content: bytes) -> str:
        """Put one of the harness' programs into files/, with testlib.h if missing."""
        if TESTLIB not in self.names:
            self.add(TESTLIB, shipped_testlib().read())
        return self.add(name, content)

    def _default_checker(self) -> bytes:
        """Return the default output validator with the arguments of the package's cases."""
        given = {case.settings.output_validator_args for case in self.package.judged_cases()}
        if len(given) > 1:
            self.exported.note_loss("arguments of the default output validator that differ between cases")
        words = min(given, default=())
        tolerances = dict(pairwise(words))
        values = {
            "CASE_SENSITIVE": str(int("case_sensitive" in words)),
            "SPACE_SENSITIVE": str(int("space_change_sensitive" in words)),
        }
        for name in ("absolute", "relative"):
            key = f"float_{name}_tolerance"
            values[f"{name.upper()}_TOLERANCE"] = tolerances.get(key, tolerances.get("float_tolerance", "-1"))
        text = (resources.files("harness") / "resources" / "polygon_checker.cpp").read_text("utf-8")
        return ("".join(f"#define {name} {value}\n" for name, value in values.items()) + text).encode()
