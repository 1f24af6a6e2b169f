"""Fixtures: a judge host, and packages written to order."""

import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import hypothesis
import pytest

from harness.build.languages import load_table
from harness.files import untrusted
from harness.host.host import Host, open_host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.files import File
from harness.results.model import SubmissionResult
from harness.sandbox.opening import IsolationMode, open_sandboxes
from interactive_games import J_PRELUDE

TESTS = Path(__file__).parent
DOUBLE = TESTS / "packages" / "double"

NO_SECRET = dict.fromkeys(path.relative_to(DOUBLE).as_posix() for path in (DOUBLE / "data/secret").iterdir())

SESSION_FOLDER = "harness-tests-"
PackageMaker = Callable[..., Path]

# No test may depend on how busy the machine is, nor find today what it did not find yesterday.
hypothesis.settings.register_profile(
    "harness",
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("harness")

# What a shell starts with `&` ignores SIGINT, and so would all commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep temporary folders in a folder of this session alone.

    Whenever a session starts, pytest closes the folder that all sessions share (/tmp/pytest-of-USER) to other users.
    The programs of judges that other sessions test could then not reach their own folders any more.
    """
    if config.option.basetemp is None:
        config.option.basetemp = tempfile.mkdtemp(prefix=SESSION_FOLDER)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remove the session's folder, unless it may show why a test failed. A worker's lies in that of the session."""
    folder = Path(session.config.option.basetemp)
    if exitstatus == pytest.ExitCode.OK and folder.name.startswith(SESSION_FOLDER):
        untrusted.remove(folder)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is `sampled(3)` leave every third case to `make test`; the others are slow."""
    counted: dict[str, int] = {}
    for item in items:
        marker = item.get_closest_marker("sampled")
        if marker is not None:
            name = item.nodeid.partition("[")[0]
            counted[name] = counted.get(name, -1) + 1
            if counted[name] % marker.args[0]:
                item.add_marker(pytest.mark.slow)


def write_files(folder: Path, files: Mapping[str, str | bytes | None]) -> Path:
    """Write files below a folder, or (None) remove them; return the folder."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def judge_file(package: Package, source: Path, host: Host, *, complete: bool = False) -> SubmissionResult:
    """Judge one file as a stranger's submission."""
    entry = Entry(program=Program(path=source.name, files={source.name: File(origin=source)}))
    [result] = Judging(package=package, host=host, complete=complete).run([entry])
    return result


def reachable(folder: Path) -> None:
    """Open the way to a temporary folder for the user that programs run as: pytest keeps its own to itself."""
    for one in (folder, *folder.parents):
        if one == Path(tempfile.gettempdir()):
            break
        one.chmod(0o755)


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host with two workers at the best isolation of this machine, with an empty cache."""
    with host_with(tmp_path_factory.mktemp("cache"), workers=2) as opened:
        yield opened


def host_with(cache: Path, *, workers: int) -> AbstractContextManager[Host]:
    """A host of its own, at the best isolation of this machine, with this cache."""
    return open_host(
        open_sandboxes(IsolationMode.AUTO, workers),
        table=load_table(()),
        search_path=os.environ["PATH"],
        cache=cache,
        as_other_user=os.geteuid() == 0,
    )


@pytest.fixture
def double_with(tmp_path: Path) -> PackageMaker:
    """A copy of the package `double` with some files replaced, added, or (None) removed."""

    def make(changes: Mapping[str, str | bytes | None] | None = None) -> Path:
        root = tmp_path / "double"
        shutil.copytree(DOUBLE, root)
        return write_files(root, changes or {})

    return make


@pytest.fixture
def game(double_with: PackageMaker) -> Callable[[str], Path]:
    """A copy of the package `double` as an interactive problem with the given interactor and one case."""

    def make(interactor: str) -> Path:
        manifest = (DOUBLE / "problem.yaml").read_text()
        secret = {f"data/secret/{name}.{end}": None for name in ("02-largest", "03-some") for end in ("in", "ans")}
        return double_with(
            {
                **secret,
                "data/sample/1.in": None,
                "data/sample/1.ans": None,
                "problem.yaml": manifest.replace("limits:", "type: interactive\nlimits:\n  validation_time: 2"),
                "output_validator/judge.py": J_PRELUDE + interactor,
            }
        )

    return make


def calls_in(work: Callable[[], object]) -> int:
    """Return the number of calls in Python that the work makes."""
    made = 0

    def count_it(*_: object) -> None:
        nonlocal made
        made += 1

    sys.setprofile(count_it)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made
