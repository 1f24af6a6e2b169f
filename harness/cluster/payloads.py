"""What travels to a worker: packages and submissions, each named by its content and sent once a worker."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from harness.generate.record import read_lock
from harness.package import Package, Program
from harness.package.files import File, Files
from harness.package.workspace import LOCK
from harness.store.identity import digest_of_texts, files_identity
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Parcel:
    """Files by relative path, with what else names them. digest: of all of it."""

    digest: str
    name: str
    files: Mapping[str, tuple[bytes, bool]]
    language: str | None = None
    entrypoint: str | None = None

    def program(self, folder: Path) -> Program:
        """The submission in it. folder: a place to name, nothing is written there."""
        files = {
            name: File(origin=folder / name, content=content, executable=executable)
            for name, (content, executable) in self.files.items()
        }
        return Program(path=self.name, files=files, language=self.language, entrypoint=self.entrypoint)

    def write(self, folder: Path) -> None:
        """Lay the files out as `folder`, which is whole or not there."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            unfinished.chmod(0o755)
            for name, (content, executable) in self.files.items():
                path = unfinished / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(0o755 if executable else 0o644)
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise


def package_parcel(package: Package) -> Parcel:
    """A package without the data that its lock describes: a worker builds that and holds it against the lock."""
    locked = read_lock(package.files.get(LOCK))
    built = {f"data/{name}" for name in locked or {}}
    return _parcel(package.slug, {name: file for name, file in package.files.items() if name not in built})


def submission_parcel(program: Program) -> Parcel:
    """A submission; its name is not part of what it is."""
    return _parcel("submission", program.files, program.language, program.entrypoint)


def _parcel(name: str, files: Files, language: str | None = None, entrypoint: str | None = None) -> Parcel:
    contents = {path: (file.read(), file.executable) for path, file in files.items()}
    digest = digest_of_texts(name, language or "", entrypoint or "", files_identity(files))
    return Parcel(digest=digest, name=name, files=contents, language=language, entrypoint=entrypoint)
