"""For people: the beginning of the source of each submission that was handed in."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.judge.submission_result import Entry
from harness.package.files import File
from harness.results.model import Source, SourceFile

SUBMISSION_BYTES = 64 * 1024
REPORT_BYTES = 16 << 20
MOST_FILES = 100  # of one submission


def sources(entries: Sequence[Entry], root: Path) -> Iterator[Source]:
    """The sources as they were judged, of what was handed in. root: the package's folder, of which nothing is shown.

    Nothing is read from the disk: files may have changed, and answers that are handed in are not kept.
    """
    left = REPORT_BYTES
    for entry in entries:
        contents = {name: file.content for name, file in entry.program.files.items()}
        if entry.rules is None and entry.built is None and not _is_of_package(entry, root):
            kept = {name: content for name, content in contents.items() if content is not None}
            if kept and len(kept) == len(contents):
                room = min(left, SUBMISSION_BYTES)
                files = tuple(_beginnings(kept, room))
                left -= min(room, sum(map(len, kept.values())))
                yield Source(submission=entry.program.path, files=files, files_left_out=len(contents) - len(files))


def _beginnings(contents: dict[str, bytes], room: int) -> Iterator[SourceFile]:
    """The first files, in `room` bytes together."""
    for name, content in list(contents.items())[:MOST_FILES]:
        if room <= 0:
            return
        text = content[:room].decode("utf-8", "backslashreplace")
        yield SourceFile(name=name, text=text, bytes_left_out=max(0, len(content) - room))
        room -= len(content)


def _is_of_package(entry: Entry, root: Path) -> bool:
    home = root.resolve()
    return any(_place(file).resolve().is_relative_to(home) for file in entry.program.files.values())


def _place(file: File) -> Path:
    """Where the file lay when it was read, whatever link its owner puts at its origin since."""
    return file.origin if file.home is None else file.home / file.place
