"""Collect the files of an exported zip and what the target cannot hold; same content gives same bytes."""

import re
import zipfile
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

import yaml

from harness.files import atomic
from harness.package import Package
from harness.package.constants import Constants, substitute
from harness.package.files import File
from harness.values import dataclass

_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can store
_FILE, _PROGRAM = 0o100644, 0o100755
RECIPE_LOSS = "the recipe of the data (generators/): all data is in the package, so nobody needs to make it"
CREDITS_LOSS = "credits of others than the authors: contributors, testers, translators"
_OTHER_CREDITS = re.compile(
    rb"(?m)(?:^|[{,])[ \t]*(?:contributors|testers|translators|packagers|acknowledgements)[ \t]*:"
)


@dataclass(kw_only=True)
class ExportedFiles:
    """A package under construction. folder: prefix of its paths in the zip, "" for none."""

    folder: str
    contents: dict[str, File | bytes] = field(default_factory=dict)
    programs: set[str] = field(default_factory=set)
    losses: dict[str, None] = field(default_factory=dict)

    def add(self, path: str, content: File | bytes, *, executable: bool = False) -> None:
        """Put a file at `path`."""
        self.contents[path] = content
        if executable or (isinstance(content, File) and content.executable):
            self.programs.add(path)

    def add_substituted(self, path: str, file: File, constants: Constants) -> None:
        """Put a file at `path`, with constants replaced by their values."""
        self.add(path, substitute(file.read(), constants, file.origin), executable=file.executable)

    def add_yaml(self, path: str, values: Mapping[str, object]) -> None:
        """Put a YAML mapping at `path`, without its keys (also nested ones) that have no value."""
        self.add(path, yaml.safe_dump(_with_values(values), sort_keys=False, allow_unicode=True).encode())

    def note_loss(self, what: str) -> None:
        """Record once that the target cannot hold `what`."""
        self.losses[what] = None

    def read(self, path: str) -> bytes:
        """Return the bytes at `path`."""
        content = self.contents[path]
        return content if isinstance(content, bytes) else content.read()


def credits_others(package: Package) -> bool:
    """Return whether problem.yaml credits others than the authors."""
    manifest = package.files.get("problem.yaml")
    return manifest is not None and _OTHER_CREDITS.search(manifest.read()) is not None


def _with_values(values: Mapping[str, object]) -> dict[str, object]:
    inner = {key: _with_values(value) if isinstance(value, Mapping) else value for key, value in values.items()}
    return {key: value for key, value in inner.items() if value not in (None, "", [], {})}


def write_zip(exported: ExportedFiles, path: Path) -> None:
    """Write the zip atomically, with sorted paths and constant times."""
    with atomic.delivering(path) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(exported.contents):
            full_name = f"{exported.folder}/{name}" if exported.folder else name
            info = zipfile.ZipInfo(full_name, date_time=_LONG_AGO)
            info.create_system = 3  # always Unix, so that permissions are kept
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (_PROGRAM if name in exported.programs else _FILE) << 16
            archive.writestr(info, exported.read(name), compresslevel=6)
