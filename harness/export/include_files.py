"""Files of include/, for formats that know no `default` among them or none at all."""

from dataclasses import replace

from harness.build.languages import language_of, load_table
from harness.export.archive import Parcel
from harness.package import Package, Program
from harness.package.files import included

_DEFAULT = "default"


def add_included(parcel: Parcel, package: Package) -> None:
    """include/<language>/ for the languages that have files of their own or a submission."""
    if not package.include:
        return
    table = load_table(())
    used = {found.code for one in package.submissions if (found := language_of(table, one.files, one.language))}
    for code in sorted(used | (package.include.keys() - {_DEFAULT})):
        for name, file in included(package.include, code).items():
            parcel.add(f"include/{code}/{name}", file)
    if _DEFAULT in package.include:
        parcel.lose("`include/default`: its files are there for the languages of our submissions only")


def with_included(package: Package, parcel: Parcel) -> Package:
    """The package with the included files beside each submission's own."""
    if not package.include:
        return package
    parcel.lose("`include/`: its files lie beside our submissions' own; others must bring them along")
    table = load_table(())

    def joined(program: Program) -> Program:
        language = language_of(table, program.files, program.language)
        beside = included(package.include, language.code if language is not None else _DEFAULT)
        return replace(program, files={**program.files, **beside})

    return replace(package, submissions=tuple(map(joined, package.submissions)))
