"""Walk, remove and copy folders that an untrusted program has filled.

Nothing here recurses, follows a link, opens a non-regular file, or builds a long path, so neither depth nor
kind of the files can stop the judge.
"""

import contextlib
import errno
import io
import itertools
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from harness.errors import MachineError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK_BYTES = 1 << 20


def walk(root: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each folder from `root` down as a descriptor, valid for this step only, with the names in it.

    Only one descriptor is open at any depth: the way up is `..`. No other process may change the tree meanwhile.
    """
    descriptor = os.open(root, _FOLDER)
    try:
        waiting = [_folders_in(descriptor)]
        yield descriptor, _names(descriptor)
        while waiting:
            if waiting[-1]:
                above, descriptor = descriptor, os.open(waiting[-1].pop(), _FOLDER, dir_fd=descriptor)
                os.close(above)  # last: a signal's exception here must not close `descriptor` twice
                waiting.append(_folders_in(descriptor))
                yield descriptor, _names(descriptor)
            else:
                waiting.pop()
                if waiting:
                    below, descriptor = descriptor, os.open("..", _FOLDER, dir_fd=descriptor)
                    os.close(below)
    finally:
        os.close(descriptor)


def _names(descriptor: int) -> list[str]:
    with os.scandir(descriptor) as entries:
        return [entry.name for entry in entries]


def _folders_in(descriptor: int) -> list[str]:
    with os.scandir(descriptor) as entries:
        return sorted((entry.name for entry in entries if entry.is_dir(follow_symlinks=False)), reverse=True)


class Mark(NamedTuple):
    """A mark that shows whether a file or folder was changed. changed_ns: its ctime, which no user can set."""

    mode: int
    inode: int
    owner: int
    links: int
    size: int
    modified_ns: int
    changed_ns: int


Marks = dict[tuple[int, str], Mark]


def marks(root: Path) -> Marks:
    """Return the mark of each item in the tree, by its folder's inode and its name ("" for the folder)."""
    by_name = {}
    for descriptor, names in walk(root):
        folder = os.fstat(descriptor)
        by_name[folder.st_ino, ""] = _mark(folder)
        for name in names:
            by_name[folder.st_ino, name] = _mark(os.stat(name, dir_fd=descriptor, follow_symlinks=False))
    return by_name


def _mark(status: os.stat_result) -> Mark:
    return Mark(
        mode=status.st_mode,
        inode=status.st_ino,
        owner=status.st_uid,
        links=status.st_nlink,
        size=status.st_size,
        modified_ns=status.st_mtime_ns,
        changed_ns=status.st_ctime_ns,
    )


def make_accessible(root: Path) -> None:
    """Make all folders of the tree accessible, because without root a program could block access."""
    root.chmod(0o700)
    for descriptor, names in walk(root):
        for name in names:
            if stat.S_ISDIR(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode):
                os.chmod(name, 0o700, dir_fd=descriptor)


def change_owner(root: Path, uid: int) -> None:
    """Give the folder with its contents to a user. Follows no links."""
    os.chown(root, uid, uid)
    for descriptor, names in walk(root):
        for name in names:
            os.chown(name, uid, uid, dir_fd=descriptor, follow_symlinks=False)


def make_read_only(root: Path) -> None:
    """Make the regular files in the tree read-only; their owner may change the modes again."""
    for descriptor, names in walk(root):
        for name in names:
            mode = os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode
            if stat.S_ISREG(mode):
                os.chmod(name, stat.S_IMODE(mode) & ~0o222, dir_fd=descriptor)


def remove(root: Path) -> None:
    """Delete the folder `root` and its contents as far as possible; a missing folder is no error.

    Deep folders are first moved up, so that any depth works.
    """
    with contextlib.suppress(OSError):
        empty(root)
    with contextlib.suppress(OSError):
        root.rmdir()


def empty(root: Path) -> None:
    """Delete the contents of the folder `root`, but not the folder."""
    top = os.open(root, _FOLDER)
    numbers = itertools.count()
    try:
        while names := _names(top):
            if not sum(_removed(top, name, numbers) for name in names):
                return  # the rest belongs to another user
    finally:
        os.close(top)


def emptied(root: Path) -> bool:
    """Delete the files in the folder `root`; return whether it is an empty folder now, and not a link to one."""
    try:
        top = os.open(root, _FOLDER)
    except OSError:
        return False
    try:
        for name in _names(top):
            os.unlink(name, dir_fd=top)
    except OSError:
        return False
    finally:
        os.close(top)
    return True


def _removed(top: int, name: str, numbers: Iterator[int]) -> bool:
    try:
        os.unlink(name, dir_fd=top)
    except IsADirectoryError:
        return _removed_folder(top, name, numbers)
    except PermissionError:  # some systems raise this for a folder
        return _removed_folder(top, name, numbers)
    except OSError:
        return False
    return True


def _removed_folder(top: int, name: str, numbers: Iterator[int]) -> bool:
    with contextlib.suppress(OSError):
        os.chmod(name, 0o700, dir_fd=top)
    try:
        inner = os.open(name, _FOLDER, dir_fd=top)
    except OSError:
        return False
    try:
        for item in _names(inner):
            _unlink_or_lift(inner, item, top, numbers)
        os.rmdir(name, dir_fd=top)
    except OSError:
        return False
    finally:
        os.close(inner)
    return True


def _unlink_or_lift(inner: int, item: str, top: int, numbers: Iterator[int]) -> None:
    if stat.S_ISDIR(os.stat(item, dir_fd=inner, follow_symlinks=False).st_mode):
        os.chmod(item, 0o700, dir_fd=inner)
        os.rename(item, _free_name(top, numbers), src_dir_fd=inner, dst_dir_fd=top)
    else:
        os.unlink(item, dir_fd=inner)


def _free_name(top: int, numbers: Iterator[int]) -> str:
    while True:
        name = f"lifted-{next(numbers)}"
        try:
            os.stat(name, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            return name


def copy_tree(source: Path, target: Path) -> None:
    """Copy folders, regular files with their modes, and links as links; skip other kinds.

    `target` must exist. Raises MachineError that names the path if the copy fails.
    """
    try:
        for folder, names, destination in _with_places(source, target):
            for name in names:
                _copy_item(folder, name, destination)
    except OSError as error:
        raise MachineError(f"{target}: {error.strerror or error}{_advice(error)}") from error


def _with_places(source: Path, target: Path) -> Iterator[tuple[int, list[str], Path]]:
    """Yield the folders of `source` with their paths below `target`; the depth is bounded by path length."""
    pending = [(source, target)]
    while pending:
        folder, destination = pending.pop()
        descriptor = os.open(folder, _FOLDER)
        try:
            inside = _folders_in(descriptor)
            for name in inside:
                (destination / name).mkdir(mode=0o755, exist_ok=True)
                pending.append((folder / name, destination / name))
            yield descriptor, sorted(set(_names(descriptor)) - set(inside)), destination
        finally:
            os.close(descriptor)


def _copy_item(folder: int, name: str, destination: Path) -> None:
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    copy = destination / name
    if stat.S_ISLNK(mode):
        copy.unlink(missing_ok=True)
        copy.symlink_to(os.readlink(name, dir_fd=folder))
    elif stat.S_ISREG(mode):
        with os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as given:
            copy.unlink(missing_ok=True)
            with copy.open("wb") as taken:
                while chunk := given.read(_CHUNK_BYTES):
                    taken.write(chunk)
        copy.chmod(stat.S_IMODE(mode))


def _advice(error: OSError) -> str:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return ": set TMPDIR and XDG_CACHE_HOME to folders with space" if full else ""


def open_within(home: Path, relative: str) -> int:
    """Open a regular file below the folder `home` for reading, by its path from there, without following any link.

    Raises OSError, also for a link, for `..`, and for a file that is not regular.
    """
    *folders, name = relative.split("/")
    folder = open_folder_within(home, "/".join(folders), list_it=False)
    try:
        file = os.open(_plain(name), _FILE, dir_fd=folder)
    finally:
        os.close(folder)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, "no regular file")


def open_folder_within(home: Path, relative: str, *, list_it: bool = True) -> int:
    """Open the folder `relative` below `home`, or `home` itself for an empty `relative`; as `open_within` otherwise.

    list_it: to list it, which needs read permission; else only to open files in it.
    """
    folder = os.open(home, _PASS & ~os.O_NOFOLLOW)
    try:
        for part in filter(None, relative.split("/")):
            above, folder = folder, os.open(_plain(part), _PASS, dir_fd=folder)
            os.close(above)  # last: a signal's exception here must not close `folder` twice
    except BaseException:
        os.close(folder)
        raise
    if not list_it:
        return folder
    try:
        return os.open(".", _FOLDER, dir_fd=folder)
    finally:
        os.close(folder)


def _plain(name: str) -> str:
    if name in ("", ".", ".."):
        raise OSError(errno.EINVAL, "not a plain name")
    return name


def first_bytes(path: Path, count: int) -> bytes | None:
    """Return the start of an untrusted regular file; None for any other kind."""
    try:
        descriptor = os.open(path, _FILE)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with io.FileIO(descriptor) as file:
        return file.read(count)


def first_text(path: Path, count: int) -> str:
    """Return the first bytes of a file as text; empty if it cannot be read."""
    return (first_bytes(path, count) or b"").decode(errors="replace")
