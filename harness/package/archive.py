"""Packages in a `.zip` or `.kpp`: each entry is checked, then all are unpacked into a private temporary folder."""

import contextlib
import errno
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath, PurePosixPath

from harness.errors import Fault, PackageError
from harness.files.temporary import temporary_folder
from harness.package.findings import UNPACKED
from harness.package.formats import MANIFESTS

ENDINGS = (".zip", ".kpp")
MOST_ENTRIES = 100_000
MOST_BYTES = 8 << 30
MOST_TIMES = 200  # how much larger than the archive its content may be, beyond FREE_BYTES
FREE_BYTES = 1 << 30
DEEPEST = 40
LONGEST_NAME = 1000
_CHUNK = 1 << 20
_SHOWN = 5
_SHOWN_LETTERS = 300  # of a zip library's message, which may quote the archive
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_WINDOWS = 0  # the code of the system that made an archive


def is_archive(path: Path) -> bool:
    """Return whether `path` is a file with the ending of an archive."""
    return path.suffix.lower() in ENDINGS and path.is_file()


def slug_of(path: Path) -> str:
    """Return the short name of the package at `path`."""
    return path.stem if is_archive(path) else path.resolve().name


@contextlib.contextmanager
def opened(path: Path, *, most_bytes: int = MOST_BYTES) -> Iterator[Path]:
    """Yield the package's folder: `path` itself, or the archive's content, unpacked until the block ends.

    Raises PackageError with all that is wrong with the archive's entries, also if they are over `most_bytes` together.
    """
    if not is_archive(path):
        yield path
        return
    with temporary_folder() as private:
        yield _unpacked(path, private / (path.stem.strip(".") or "package"), most_bytes)


def _unpacked(path: Path, folder: Path, most_bytes: int) -> Path:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = _renamed(archive.infolist())
            faults = _faults(path, entries, most_bytes)
            if faults:
                raise PackageError(faults)
            top = _top(path, entries)
            (folder.parent / UNPACKED).write_text(str(_place(path, top)), "utf-8", "surrogateescape")
            for entry in sorted(entries, key=_is_link):  # links last: nothing is written through a link
                _extract(archive, entry, folder, top)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        message = f"not a zip that can be read: {str(error)[:_SHOWN_LETTERS]}"
        raise PackageError([Fault(path=path, message=message)]) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # an impossible offset in the archive
            raise
        raise PackageError([Fault(path=path, message="not a zip that can be read: it is damaged")]) from error
    folder.mkdir(exist_ok=True)
    return folder


def _renamed(entries: Sequence[zipfile.ZipInfo]) -> Sequence[zipfile.ZipInfo]:
    """Return the entries with regular names: some tools of Windows write `\\`, others begin with `./`."""
    dotted = all(entry.filename.startswith("./") for entry in entries)
    for entry in entries:
        if entry.create_system == _WINDOWS and "/" not in entry.filename:
            entry.filename = entry.filename.replace("\\", "/")
        if dotted:
            entry.filename = entry.filename.removeprefix("./")
    return [entry for entry in entries if entry.filename or not dotted]


def _faults(path: Path, entries: Sequence[zipfile.ZipInfo], most_bytes: int) -> list[Fault]:
    """Return all faults of the entries. Nothing is unpacked before this check."""
    if len(entries) > MOST_ENTRIES:
        return [Fault(path=path, message=f"{len(entries):,} entries: at most {MOST_ENTRIES:,} are unpacked")]
    total = sum(entry.file_size for entry in entries)
    if total > min(most_bytes, FREE_BYTES + MOST_TIMES * path.stat().st_size):
        return [Fault(path=path, message=f"unpacks to {total >> 20:,} MiB, too much for an archive of its size")]
    faults = []
    seen: set[str] = set()
    for entry in entries:
        wrong = _wrong_with(entry, seen)
        seen.add(entry.filename)
        if wrong is not None:
            faults.append(Fault(path=_place(path, entry.filename), message=wrong))
    files = {entry.filename for entry in entries if not entry.is_dir()}
    for name in sorted({str(above) for file in files for above in PurePosixPath(file).parents} & files):
        faults.append(Fault(path=_place(path, name), message="is a file and a folder at once"))
    return faults[:1000]


def _wrong_with(entry: zipfile.ZipInfo, seen: set[str]) -> str | None:
    name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    parts = name.split("/")
    too_long = len(name) > LONGEST_NAME or len(parts) > DEEPEST or any(len(part.encode()) > 255 for part in parts)
    wrong = (
        ("\\" in name, "a name with \\, as some tools of Windows write it: pack it again, with / in names"),
        (name.startswith("/") or ":" in parts[0], "an absolute name: pack it again, with relative names"),
        (".." in parts or "\0" in entry.orig_filename, "a name that leads out of the package"),
        ("." in parts or "" in parts[:-1] or not name, "a name that is not plain: no `.`, no empty part"),
        (too_long, "a name that is too long or too deep"),
        (bool(entry.flag_bits & 0x1), "encrypted: pack it without a password"),
        (kind == stat.S_IFLNK and entry.file_size > LONGEST_NAME, "a link of many letters: pack the file itself"),
        (kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK), "neither a file nor a folder: leave it out"),
        # Other methods are unpacked without a bound on the output per step.
        (entry.compress_type not in _METHODS, "packed in a rare way: use Deflate, as every zip tool can"),
        (entry.filename in seen, "stands in the archive twice"),
    )
    return next((message for is_wrong, message in wrong if is_wrong), None)


def _place(archive: Path, name: str) -> PurePath:
    return PurePath(f"{archive}/{repr(name[:200])[1:-1]}")


def _top(path: Path, entries: Sequence[zipfile.ZipInfo]) -> str:
    """Return the package's folder in the archive, with its `/`; empty if it lies at the top or there is none.

    Archives of repositories and contests put it deeper. Raises PackageError for several packages, or another archive.
    """
    names = [entry.filename for entry in entries if not _is_litter(entry.filename)]
    homes = {name.rpartition("/")[0] for name in names if name.rpartition("/")[2] in MANIFESTS}
    least = min((_depth(home) for home in homes), default=0)
    tops = sorted(home for home in homes if _depth(home) == least)
    if len(tops) > 1:
        shown = ", ".join(repr(home)[1:-1] for home in tops[:_SHOWN]) + (", …" if len(tops) > _SHOWN else "")
        message = f"holds {len(tops)} packages ({shown}): unpack it and name one of them"
        raise PackageError([Fault(path=path, message=message)])
    inner = next((name for name in names if name.lower().endswith(ENDINGS)), None)
    if not tops and inner is not None:
        message = f"holds no package but another archive ({repr(inner)[1:-1]}): unpack it once"
        raise PackageError([Fault(path=path, message=message)])
    return f"{tops[0]}/" if tops and tops[0] else ""


def _depth(home: str) -> int:
    return home.count("/") + 1 if home else 0


def _is_litter(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.endswith(".DS_Store")


def _is_link(entry: zipfile.ZipInfo) -> bool:
    return stat.S_IFMT(entry.external_attr >> 16) == stat.S_IFLNK


def _extract(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, top: str) -> None:
    if entry.is_dir() or _is_litter(entry.filename) or not entry.filename.startswith(top):
        return
    name = entry.filename.removeprefix(top)
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if _is_link(entry):
        _make_link(Path(archive.filename or ""), name, archive.read(entry)[:LONGEST_NAME], target)
        return
    left = entry.file_size  # the stated and checked size; more output is cut off
    with archive.open(entry) as source, target.open("wb") as copy:
        while left > 0 and (chunk := source.read(min(_CHUNK, left))):
            copy.write(chunk)
            left -= len(chunk)
    target.chmod(0o755 if (entry.external_attr >> 16) & 0o111 else 0o644)


def _make_link(archive: Path, name: str, leads_to: bytes, target: Path) -> None:
    """Make a link as git and GitHub pack it: it may go up to the package's top, and from there only down.

    The folders above it are not links, since no entry lies below a link; so it cannot lead out of the package.
    """
    parts = leads_to.decode(errors="replace").rstrip("/").split("/")
    upwards = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
    wrong = {"", ".", ".."} & set(parts[upwards:]) or "\0" in leads_to.decode(errors="replace")
    if wrong or upwards > name.count("/"):
        message = f"a link to {leads_to[:100]!r}, which may leave the package: pack the file itself"
        raise PackageError([Fault(path=_place(archive, name), message=message)])
    target.symlink_to("/".join(parts))
