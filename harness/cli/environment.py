"""What depends on the process's environment: the user's folders, the languages, the judge host."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from harness.build.languages import LanguageTable, config_files, load_table
from harness.cli.console import console
from harness.errors import MachineError
from harness.host.host import Host, open_host
from harness.report.escape import printable
from harness.report.words import isolation_banner
from harness.sandbox.facts import Isolation
from harness.sandbox.opening import IsolationMode, open_sandboxes


def config_folder() -> Path:
    """Return the folder of the user's own harness.toml; it may not exist."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or _home() / ".config") / "harness"


def cache_folder() -> Path:
    """Return the folder that is kept between calls: in the home, else a private folder."""
    said = os.environ.get("XDG_CACHE_HOME")
    if said:
        return Path(said) / "harness"
    home = _home()
    folder = home / ".cache" / "harness"
    return folder if home.is_absolute() and _can_hold(folder) else _private_folder()


def programs_folder() -> Path:
    """Return the folder of compiled programs and of the data that is built beside packages."""
    return cache_folder() / "programs"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without an entry in the password file, and no HOME
        return Path("~")


def _can_hold(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _private_folder() -> Path:
    """Return a folder that only this user can write to, because programs in it are executed."""
    folder = Path(tempfile.gettempdir()) / f"harness-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise MachineError(
            f"{folder}: others may write there: remove it, or set XDG_CACHE_HOME to a folder of yours"
        )
    return folder


def language_table() -> LanguageTable:
    """Return the table of languages, overridden by the user's and the project's harness.toml."""
    return load_table(config_files(Path.cwd(), config_folder() / "harness.toml"))


def warn_of_temporary_folder() -> None:
    """Warn if TMPDIR is not writable: Python silently uses another folder."""
    asked = os.environ.get("TMPDIR")
    if asked and not os.access(asked, os.W_OK | os.X_OK):
        folder = tempfile.gettempdir()
        click.echo(printable(f"warning: TMPDIR is {asked}, which cannot be written to: using {folder}"), err=True)


@contextlib.contextmanager
def host(jobs: int, isolation: str, *, sanitize: bool = False, in_report: bool = False) -> Iterator[Host]:
    """Open a judge host. sanitize: compile C and C++ with checks that find bugs.

    in_report: the command's own report says how well programs are contained; for other commands a warning is printed
    here, before anything runs, if they are not.
    """
    warn_of_temporary_folder()
    with open_host(
        open_sandboxes(IsolationMode(isolation), jobs, cache=cache_folder()),
        table=language_table(),
        search_path=os.environ.get("PATH", ""),
        cache=programs_folder(),
        as_other_user=os.geteuid() == 0,
        sanitize=sanitize,
    ) as opened:
        if not in_report:
            _warn_of_isolation(opened.pool.isolation)
        yield opened


def _warn_of_isolation(isolation: Isolation) -> None:
    if not isolation.contained:
        banner = printable(f"warning: {isolation_banner(isolation)}")
        console(stderr=True).print(banner, markup=False, style="bold yellow", soft_wrap=True)
