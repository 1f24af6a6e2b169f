"""What depends on the process's environment: the user's folders, the languages, the judge host, the package."""

import contextlib
import os
import shlex
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from rich.filesize import decimal
from rich.text import Text

from harness.build.languages import CONFIG, LanguageTable, config_near, load_table
from harness.cli.console import Counter, console, show, show_warnings
from harness.cli.options import CORES
from harness.errors import Fault, HarnessError, MachineError, UsageError, counted
from harness.generate.data import DataReport, needs_building
from harness.generate.overlay import built_overlay, fixes, lacks_samples
from harness.host.host import Host, open_host
from harness.judge.judging import Observer
from harness.judge.prepare import PrepareObserver, build_package, with_time_limit
from harness.package import Package
from harness.package.archive import opened
from harness.package.find import find_package
from harness.package.load import is_foreign, load_to_read
from harness.package.workspace import LOCK
from harness.report import words
from harness.report.escape import printable
from harness.rules.time_limit import TimeLimits
from harness.sandbox.facts import Isolation
from harness.sandbox.opening import IsolationMode, open_sandboxes

CONFIG_VARIABLE = "HARNESS_CONFIG"  # names a harness.toml that is read besides the one in `config_folder`
_DIFFERENCES_SHOWN = 10


def config_folder() -> Path:
    """Return the folder of the user's own harness.toml; it may not exist. A relative one counts as none."""
    folder = _chosen("XDG_CONFIG_HOME") or _home() / ".config"
    return folder / "harness" if folder.is_absolute() else Path("/nonexistent")


def cache_folder() -> Path:
    """Return the folder that is kept between calls: in the home, else a private folder."""
    chosen = _chosen("XDG_CACHE_HOME")
    if chosen is not None:
        return chosen / "harness"
    home = _home()
    folder = home / ".cache" / "harness"
    return folder if home.is_absolute() and _can_hold(folder) else _private_folder()


def programs_folder() -> Path:
    """Return the folder of compiled programs and of the data that is built beside packages."""
    return cache_folder() / "programs"


def _chosen(variable: str) -> Path | None:
    """Return the folder that a variable names; a relative one is ignored, as the XDG specification demands."""
    folder = Path(os.environ.get(variable, ""))
    return folder if folder.is_absolute() else None


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
    """Return the table of languages, overridden by the user's harness.toml and the one that HARNESS_CONFIG names."""
    return load_table(_trusted_configs())


def _trusted_configs() -> list[Path]:
    own = config_folder() / CONFIG
    named = [Path(name)] if (name := os.environ.get(CONFIG_VARIABLE)) else []
    if named and not named[0].is_absolute():
        raise UsageError(
            f"{CONFIG_VARIABLE}={name}: give its full path; a relative one is another file in each folder"
        )
    return [*([own] if os.path.lexists(own) else []), *named]


def warn_of_unread_config() -> None:
    """Warn of a harness.toml near the working directory that is not read."""
    near = config_near(Path.cwd())
    if near is not None and os.path.realpath(near) not in map(os.path.realpath, _trusted_configs()):
        why = "it can run programs outside of the sandbox"
        line = f"warning: {near} is not read ({why}); if it is yours: {CONFIG_VARIABLE}={shlex.quote(str(near))}"
        click.echo(printable(line), err=True)


def warn_of_temporary_folder() -> None:
    """Warn if TMPDIR is not writable: Python silently uses another folder."""
    wanted = os.environ.get("TMPDIR")
    if wanted and not os.access(wanted, os.W_OK | os.X_OK):
        folder = tempfile.gettempdir()
        click.echo(printable(f"warning: TMPDIR is {wanted}, which cannot be written to: using {folder}"), err=True)


@contextlib.contextmanager
def judge_host(jobs: int, isolation: str, *, sanitize: bool = False, in_report: bool = False) -> Iterator[Host]:
    """Open a judge host. sanitize: compile C and C++ with checks that find bugs.

    in_report: the command's own report says how well programs are contained; for other commands a warning is printed
    here, before anything runs, if they are not.
    """
    warn_of_temporary_folder()
    warn_of_unread_config()
    with open_host(
        open_sandboxes(IsolationMode(isolation), jobs, cache=cache_folder()),
        table=language_table(),
        search_path=os.environ.get("PATH", ""),
        cache=programs_folder(),
        as_other_user=os.geteuid() == 0,
        sanitize=sanitize,
    ) as host:
        if not in_report:
            _warn_of_isolation(host.pool.isolation)
        yield host


def _warn_of_isolation(isolation: Isolation) -> None:
    if not isolation.contained:
        banner = printable(f"warning: {words.isolation_banner(isolation)}")
        console(stderr=True).print(banner, markup=False, style="bold yellow")


def package_folder(problem: str | None, base: Path | None = None, *, to_change: str = "") -> Path:
    """Return the folder of PROBLEM, resolved from `base` or the current folder; unpack an archive for this call.

    to_change: the option that writes into the package; it raises UsageError for an archive.
    """
    path = find_package(problem, base or Path.cwd())
    if to_change and not path.is_dir():
        raise UsageError(f"{path}: {to_change} writes into the package: unpack the archive first")
    return click.get_current_context().with_resource(opened(path))


def package_or_hint(problem: str | None, hint: str, *, to_change: str = "") -> Path:
    """Return the folder of PROBLEM; if there is none, the error contains `hint`: what works without a package."""
    try:
        return package_folder(problem, to_change=to_change)
    except UsageError as error:
        if problem is not None:
            raise
        raise UsageError(f"{error}\nwithout a package: {hint}") from error


def built_package(root: Path, host: Host) -> Package:
    """Build the package at `root` with live progress; print warnings for its author."""
    reports: list[DataReport] = []
    try:
        with Counter("building data", unit="files") as counter:
            return build_package(root, host, PrepareObserver(data_file=counter.step, data=reports.append))
    finally:
        for report in reports:
            _show_data(report, root)


def package_to_read(root: Path) -> tuple[Package, tuple[Fault, ...]]:
    """Return the package as far as it can be read, and its faults, for its texts; build its samples if need be."""
    package, faults = load_to_read(root, overlay=built_overlay(root, programs_folder()))
    if not lacks_samples(package):
        return package, faults
    reason = f"`harness generate {shlex.quote(str(root))}` builds them"
    if needs_building(package):
        try:
            with judge_host(CORES, IsolationMode.AUTO) as host:
                built_package(root, host)
        except HarnessError as error:
            reason = str(error)
        package, faults = load_to_read(root, overlay=built_overlay(root, programs_folder()))
    if lacks_samples(package):
        click.echo(printable(f"warning: {root}: samples of its recipe are not in data/: {reason}"), err=True)
    return package, faults


def _show_data(report: DataReport, root: Path) -> None:
    if report.drift:
        show_data_report(report, root, stderr=True)
        return
    show_warnings(report.warnings)
    if report.made and report.overlaid:
        line = f"{counted(report.cases, 'test case')} built; the package is left as it was"
        console(stderr=True).print(line, markup=False)


def timed_package(package: Package, host: Host, *, quiet: bool) -> Package:
    """Return the package with a time limit; print an inferred limit."""
    if package.limits.time_limit_s is not None:
        return package
    inferred: list[TimeLimits] = []
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        judging = Observer(case=lambda path, result: counter.step(f"{path} {result.name}"))
        observer = PrepareObserver(judging=judging, time_limit=inferred.append)
        timed = with_time_limit(package, host, observer)
    for limits in inferred if not quiet else ():
        line = words.inferred_limit(limits, package.limits.ac_to_time_limit)
        console(stderr=True).print(line, markup=False)
    return timed


def show_data_report(report: DataReport, root: Path, *, stderr: bool = False) -> None:
    """Print what a build did; differences from the lock, and how to fix them."""
    show_warnings(report.warnings)
    show(console(stderr=stderr), _data_lines(report, root))


def _data_lines(report: DataReport, root: Path) -> Iterator[Text]:
    cases, made = counted(report.cases, "case"), counted(report.made, "file")
    yield Text(f"{cases}, {decimal(report.bytes)}; {made} made anew")
    if is_foreign(root):
        yield Text("the package is left as it was; harness export writes one with all tests")
    yield from (Text(f"removed, no longer in the recipe: {name}") for name in report.removed)
    if report.locked:
        yield Text(f"locked: {root / LOCK}")
    elif report.lock is not None and not report.drift:
        yield Text(f"every sum is as in {report.lock}")
    drift = [f"{kind} against the lock: {name}" for kind, name in report.drift.items()]
    yield from (Text(line, style="bold red") for line in drift[:_DIFFERENCES_SHOWN])
    if len(drift) > _DIFFERENCES_SHOWN:
        yield Text(f"… and {len(drift) - _DIFFERENCES_SHOWN} more", style="bold red")
    if drift and not report.overlaid:
        undo = f"harness generate {shlex.quote(str(root))}"
        yield Text(
            printable(f"{root / 'data'} holds the new files; to take them back: undo the change, then {undo}")
        )
    if drift:
        yield from (Text(printable(line), style="bold") for line in fixes(root))
