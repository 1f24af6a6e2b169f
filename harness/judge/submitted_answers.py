"""Submit-answer problems: the submission is data, one answer per test case, and is never run.

The format leaves open which file is the answer of a case; docs/decisions/0002-where-the-format-is-silent.md decides it.
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping

from harness.package import Case, Program
from harness.values import dataclass

_ENDINGS = (".out", ".ans", ".txt", "")
_MOST_MEMBERS = 100_000
_MOST_BYTES = 1 << 30
# Other methods are unpacked without a bound on the output size.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_UNREADABLE = (zipfile.BadZipFile, ValueError, NotImplementedError, OSError)


@dataclass(frozen=True, kw_only=True)
class Answers:
    """Submitted answers. only: one answer for all cases. by_name: else, by file name, a reader of the first N bytes."""

    program: Program
    only: bytes | None = None
    by_name: Mapping[str, Callable[[int], bytes]]

    def answer(self, case: Case, most_bytes: int) -> bytes | None:
        """Return the answer to `case`, up to `most_bytes` + 1 of it; None if none was submitted."""
        if self.only is not None:
            return self.only[: most_bytes + 1]
        for name in _names(case.name):
            if name in self.by_name:
                return self.by_name[name](most_bytes + 1)
        return None

    def names_tried(self, case: Case) -> str:
        """Return the file names that were tried for the answer."""
        return " or ".join(f"`{name}`" for name in list(_names(case.name))[:2])


def _names(case: str) -> Iterator[str]:
    """Yield names of the answer's file: the case's path below data/ or its end, longest first, with an ending."""
    parts = case.split("/")
    for start in range(len(parts)):
        for ending in _ENDINGS:
            yield "/".join(parts[start:]) + ending


def answers_of(program: Program) -> Answers | str:
    """Read the answers of a submission: a file, a folder, or a zip; or return why it cannot be read."""
    size_bytes = sum(file.size() for file in program.files.values())
    if size_bytes > _MOST_BYTES:
        return f"{size_bytes} bytes of answers, at most {_MOST_BYTES} are read"
    if len(program.files) > 1 or any("/" in name for name in program.files):
        readers = {name: _reader(file.read()) for name, file in program.files.items()}
        return Answers(program=program, by_name=_without_common_folder(readers))
    [(name, file)] = program.files.items()
    content = file.read()
    if name.endswith(".zip"):
        return _from_zip(program, content)
    if len(program.files) == 1 and not program.path.endswith(name):
        return Answers(program=program, by_name={name: _reader(content)})  # a folder that holds one answer
    return Answers(program=program, only=content, by_name={})


def _from_zip(program: Program, content: bytes) -> Answers | str:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        members = [member for member in archive.infolist() if not member.is_dir()]
    except _UNREADABLE as error:
        return f"not a zip that can be read: {error}"
    if len(members) > _MOST_MEMBERS:
        return f"{len(members)} files in the zip, at most {_MOST_MEMBERS} are read"
    readers = {member.filename: _member_reader(archive, member) for member in members}
    return Answers(program=program, by_name=_without_common_folder(readers))


def _reader(content: bytes) -> Callable[[int], bytes]:
    return lambda count: content[:count]


def _member_reader(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(count: int) -> bytes:
        if member.compress_type not in _METHODS:
            return b"unreadable in the zip: packed in another way than Deflate"[:count]
        try:
            with archive.open(member) as file:
                return file.read(count)
        except (*_UNREADABLE, RuntimeError, EOFError, zlib.error) as error:
            return f"unreadable in the zip: {error}".encode()[:count]

    return read


def _without_common_folder(
    readers: Mapping[str, Callable[[int], bytes]],
) -> Mapping[str, Callable[[int], bytes]]:
    """Add each name without the common folder, because many people zip the folder (`answers/secret/1.out`)."""
    names = dict(readers)
    tops = {name.split("/")[0] for name in readers}
    if len(tops) == 1 and all("/" in name for name in readers):
        names |= {name.partition("/")[2]: reader for name, reader in readers.items()}
    return names
