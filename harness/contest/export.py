"""Export a contest as a folder that DOMjudge imports and `read_contest` reads again."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import yaml

from harness.contest.contest import Contest, ContestProblem, clock
from harness.contest.read import NO_PACKAGE, opened_package
from harness.errors import MachineError, UsageError
from harness.export.archive import write_zip
from harness.export.targets import Target, export
from harness.package import Package
from harness.package.archive import opened
from harness.values import dataclass

PackageBuilder = Callable[[Path], Package]


@dataclass(frozen=True, kw_only=True)
class ExportedProblem:
    """The zip of a problem, and what the target format cannot hold."""

    problem: ContestProblem
    path: Path
    losses: tuple[str, ...]


def export_contest(
    contest: Contest, target: Target, folder: Path, build: PackageBuilder
) -> tuple[ExportedProblem, ...]:
    """Write contest.yaml, problems.yaml and one zip per problem into a new folder.

    build: loads a package with its data. The folder is written atomically. Raises UsageError if the folder
    exists or a problem has no package, and what loading raises.
    """
    if folder.exists():
        raise UsageError(f"{folder} is there: name a new folder, or remove it first")
    if contest.faults:
        raise UsageError(f"{contest.faults[0]}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    except OSError as error:
        raise MachineError(f"could not write {folder}: {error.strerror or error}") from error
    try:
        exported = tuple(_export_problem(problem, target, temporary, build) for problem in contest.problems)
        (temporary / "contest.yaml").write_bytes(contest_yaml(contest))
        (temporary / "problems.yaml").write_bytes(problems_yaml(contest))
        temporary.chmod(0o755)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return tuple(replace(item, path=folder / item.path.name) for item in exported)


def _export_problem(
    problem: ContestProblem, target: Target, folder: Path, build: PackageBuilder
) -> ExportedProblem:
    if problem.root is None:
        raise UsageError(f"{problem.slug}: {NO_PACKAGE}")
    path = folder / f"{problem.slug}.zip"
    with opened(problem.root) as root:
        exported = export(build(root), target)
        write_zip(exported, path)
    return ExportedProblem(problem=problem, path=path, losses=tuple(exported.losses))


NO_START = "no `start_time`: DOMjudge imports no contest.yaml without one, such as 2026-11-28T10:00:00+01:00"


def contest_yaml(contest: Contest) -> bytes:
    """Return contest.yaml with the keys that DOMjudge reads; values not stated are omitted."""
    values = {
        "id": contest.slug,
        "name": contest.name,
        "start_time": contest.start_time,
        "duration": clock(contest.duration_s) if contest.duration_s is not None else None,
        "scoreboard_freeze_duration": clock(contest.freeze_s) if contest.freeze_s is not None else None,
        "penalty_time": contest.penalty_minutes,
        "languages": list(contest.languages),
    }
    return _dump({key: value for key, value in values.items() if value not in (None, [])})


def problems_yaml(contest: Contest, slugs: frozenset[str] | None = None) -> bytes:
    """Return problems.yaml of all problems, or of those with the given short names."""
    return _dump([
        {key: value for key, value in (
            ("id", problem.slug), ("label", problem.label), ("name", _name(problem)),
            ("color", problem.color), ("rgb", problem.rgb),
        ) if value is not None}
        for problem in contest.problems if slugs is None or problem.slug in slugs
    ])  # fmt: skip


def _name(problem: ContestProblem) -> str | None:
    """Return the name that DOMjudge shows until the zip is imported."""
    if problem.name is not None or problem.root is None:
        return problem.name
    with opened_package(problem) as (package, _):
        return package.title


def _dump(value: object) -> bytes:
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True).encode("utf-8")
