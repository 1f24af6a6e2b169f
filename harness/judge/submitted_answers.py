"""Submit-answer problems: the submission is data, one answer a test case, and nothing of it is run.

The format says no more than that. docs/decisions/0002-judging.md says what is taken for the answer of a case.
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
# Others are unpacked without a bound on what comes out at once.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_UNREADABLE = (zipfile.BadZipFile, ValueError, NotImplementedError, OSError)


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The answers that were handed in. only: one for every case; else by name, with how to read at most n bytes."""

    program: Program
    only: bytes | None = None
    by_name: Mapping[str, Callable[[int], bytes]]

    def answer(self, case: Case, most_bytes: int) -> bytes | None:
        """The answer to `case`, up to `most_bytes` + 1 of it; None: none was handed in."""
        if self.only is not None:
            return self.only[: most_bytes + 1]
        for name in _names(case.name):
            if name in self.by_name:
                return self.by_name[name](most_bytes + 1)
        return None

    def names_tried(self, case: Case) -> str:
        """What a file with the answer could have been called, in words."""
        return " or ".join(f"`{name}`" for name in list(_names(case.name))[:2])


def _names(case: str) -> Iterator[str]:
    """What the answer's file may be called: the case's path below data/, or its end; the longest name first."""
    parts = case.split("/")
    for start in range(len(parts)):
        for ending in _ENDINGS:
            yield "/".join(parts[start:]) + ending


def answers_of(program: Program) -> Answers | str:
    """The answers in a submission: one file, a folder, or a zip of them; or why it cannot be read."""
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
    """Many pack the folder itself: `answers/secret/1.out`. What all share in front is left away as well."""
    short = dict(readers)
    tops = {name.split("/")[0] for name in readers}
    if len(tops) == 1 and all("/" in name for name in readers):
        short |= {name.partition("/")[2]: reader for name, reader in readers.items()}
    return short
