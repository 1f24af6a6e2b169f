"""Where a person's settings and our compiled programs lie, also for a user without a home that can be written."""

import os
import stat
import tempfile
from pathlib import Path

from harness.errors import MachineError


def config_folder() -> Path:
    """The folder of the user's own harness.toml; it need not exist."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or _home() / ".config") / "harness"


def cache_folder() -> Path:
    """Where compiled programs are kept between calls: in the home, or else in a folder for us alone."""
    said = os.environ.get("XDG_CACHE_HOME")
    if said:
        return Path(said) / "harness"
    home = _home()
    folder = home / ".cache" / "harness"
    return folder if home.is_absolute() and _can_hold(folder) else _private_folder()


def programs_folder() -> Path:
    """Where compiled programs lie, and the data that is built beside packages."""
    return cache_folder() / "programs"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user whom nobody knows, and no HOME
        return Path("~")


def _can_hold(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _private_folder() -> Path:
    """A folder for temporary files that nobody else can have filled, for we execute what lies in it."""
    folder = Path(tempfile.gettempdir()) / f"harness-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise MachineError(
            f"{folder}: others may write there: remove it, or set XDG_CACHE_HOME to a folder of yours"
        )
    return folder
