"""The plan of a grading: one problem from the command line, or several from a small TOML file:

[[problem]]
problem = "sokoban"                  # a slug or a path
submissions = ["hand-ins/sokoban"]   # files and folders, relative to the plan; left out: the package's own
require = ["AC"]                     # optional
min_score = 30                       # optional
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.package.archive import slug_of
from harness.package.find import find_package, split_arguments
from harness.results.model import Asked
from harness.results.verdict import Verdict
from harness.values import dataclass

MOST_POINTS = 10**9
_KEYS = ("problem", "submissions", "require", "min_score")


@dataclass(frozen=True, kw_only=True)
class Task:
    """A problem with the submissions to grade. asked: the requirement. base: the folder of relative paths."""

    problem: str | None
    submissions: tuple[Path, ...]
    asked: Asked | None
    base: Path

    @property
    def slug(self) -> str:
        """The problem's short name."""
        return slug_of(find_package(self.problem, self.base))


def parse_asked(require: Sequence[str], min_score: float | None) -> Asked | None:
    """Parse the requirement on every submission; None if there is none."""
    verdicts = tuple(_verdict(code) for text in require for code in text.split(","))
    return Asked(require=verdicts, min_score=min_score) if verdicts or min_score is not None else None


def _verdict(code: str) -> Verdict:
    try:
        return Verdict(code.strip().upper())
    except ValueError as error:
        known = ", ".join(verdict.value for verdict in Verdict)
        raise UsageError(f"no verdict `{code}`: known are {known}") from error


def tasks_of(plan: Path | None, arguments: Sequence[str], asked: Asked | None, cwd: Path) -> list[Task]:
    """Return the tasks of a plan, or the task that the arguments name. Raises UsageError if both are given."""
    if plan is None:
        problem, paths = split_arguments(arguments, cwd)
        return [Task(problem=problem, submissions=tuple(paths), asked=asked, base=cwd)]
    if arguments or asked is not None:
        raise UsageError("a plan names problems, submissions and requirements: leave them out of the call")
    return read_plan(plan)


def read_plan(path: Path) -> list[Task]:
    """Read the tasks of a plan, in order. Raises UsageError that names the file and the key."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read as a plan: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: cannot be read as a plan: {error}") from error
    items = table.pop("problem", None)
    if table or not isinstance(items, list) or not items:
        raise UsageError(f"{path}: a plan is a list of [[problem]] tables and nothing else")
    tasks = [
        _task(item, f"{path}: [[problem]] {number}", path.parent) for number, item in enumerate(items, start=1)
    ]
    names = [task.problem for task in tasks]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{path}: the problem `{twice}` is there twice: put its submissions together")
    for number, task in enumerate(tasks, start=1):
        _check_present(task, f"{path}: [[problem]] {number}")
    slugs: dict[str, str | None] = {}
    for task in tasks:
        if task.slug in slugs:
            both = f"`{slugs[task.slug]}` and `{task.problem}`"
            raise UsageError(f"{path}: {both} are both called `{task.slug}` in reports: rename a folder")
        slugs[task.slug] = task.problem
    return tasks


def _check_present(task: Task, where: str) -> None:
    """Raise UsageError if the problem or a submission does not exist: before the first problem is graded."""
    absent = next((path for path in task.submissions if not path.exists()), None)
    if absent is not None:
        raise UsageError(f"{where}: {absent}: no such file or folder")
    try:
        find_package(task.problem, task.base)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error


def _task(item: object, where: str, base: Path) -> Task:
    if not isinstance(item, Mapping):
        raise UsageError(f"{where}: must be a table")
    stray = next((key for key in item if key not in _KEYS), None)
    if stray is not None:
        raise UsageError(f"{where}: unknown key `{stray}`, known are {', '.join(_KEYS)}")
    problem, min_score = item.get("problem"), item.get("min_score")
    if not isinstance(problem, str):
        raise UsageError(f"{where}: `problem` must be the slug or the path of a package")
    is_number = isinstance(min_score, int | float) and not isinstance(min_score, bool)
    if min_score is not None and not (is_number and -MOST_POINTS <= min_score <= MOST_POINTS):
        raise UsageError(f"{where}: `min_score` must be a number between {-MOST_POINTS} and {MOST_POINTS}")
    submissions = tuple(base / name for name in _texts(item, "submissions", where))
    asked = parse_asked(_texts(item, "require", where), min_score)
    return Task(problem=problem, submissions=submissions, asked=asked, base=base)


def _texts(item: Mapping[str, object], key: str, where: str) -> list[str]:
    value = item.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise UsageError(f"{where}: `{key}` must be a list of strings")
    return value
