"""Write the files of a new contest from the packages of a folder."""

import shlex
import unicodedata
from pathlib import Path

from harness.contest.contest import BALLOONS, Contest, ContestProblem
from harness.contest.export import contest_yaml, problems_yaml
from harness.contest.read import CONTEST, PROBLEMS, is_slug, label_of, short_name
from harness.errors import PackageError, UsageError, first_few
from harness.files import atomic
from harness.package.archive import is_archive, opened
from harness.package.find import packages_in
from harness.package.load import has_manifest

_FIVE_HOURS_S = 5 * 3600


def new_contest(folder: Path, name: str) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Write contest.yaml and problems.yaml for the packages in a folder, folders and zips, in the order of their names.

    Returns the files, and a line for each package that is left out. Raises UsageError if one of the files exists or
    the folder holds no package.
    """
    if has_manifest(folder):
        raise UsageError(f"{folder} is a package: name the folder that holds it and the others")
    present = [folder / file for file in (*CONTEST, *PROBLEMS) if (folder / file).is_file()]
    if present:
        raise UsageError(f"{present[0]} is there already: edit it, or remove it first")
    shown = (path for path in folder.iterdir() if not path.name.startswith("."))
    found = sorted(path for path in shown if has_manifest(path) or is_archive(path))
    unusable = {path: why for path in found if (why := _why_unusable(path)) is not None}
    left_out = tuple(f"{path}: {why}" for path, why in unusable.items())
    roots = [path for path in found if path not in unusable]
    if left_out and not roots:
        raise UsageError(f"{folder} holds no package that a contest can have: {left_out[0]}")
    if not roots:
        inner = [path.name for path in sorted(folder.iterdir()) if path.is_dir() and packages_in(path)]
        if inner:
            raise UsageError(
                f"{folder} holds no package itself, but {first_few(inner, 3)} in it: name one of these folders"
            )
        raise UsageError(
            f"{folder} holds no package yet: `harness new {shlex.quote(f'{folder}/first')}` makes one"
        )
    problems = tuple(
        ContestProblem(label=label_of(index), slug=short_name(root), root=root, color=color, rgb=rgb)
        for index, (root, (color, rgb)) in enumerate(zip(roots, _colors(len(roots)), strict=True))
    )
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()  # `ä` becomes `a`
    slug = "".join(char if char.isalnum() else "-" for char in plain).strip("-")
    contest = Contest(
        root=folder, slug=slug or folder.resolve().name, name=name, problems=problems, duration_s=_FIVE_HOURS_S,
        freeze_s=_FIVE_HOURS_S // 5,
    )  # fmt: skip
    written = (folder / CONTEST[0], folder / PROBLEMS[0])
    for path, content in zip(written, (contest_yaml(contest), problems_yaml(contest)), strict=True):
        atomic.write(path, content)
    return written, left_out


def _why_unusable(path: Path) -> str | None:
    """Return why a folder or archive gives no problem, and the fix; None if it does."""
    if not is_slug(short_name(path)):
        return "left out: rename it, for an id has only letters, digits, - _ ."
    if not is_archive(path):
        return None
    if path.suffix != ".zip":
        return "left out: rename it, so that it ends in .zip"
    if has_manifest(path.with_suffix("")):
        return f"left out: the folder {path.stem}/ beside it is used"
    try:
        with opened(path) as root:
            return None if has_manifest(root) else "left out: it holds no package"
    except PackageError as error:
        return f"left out: {error.faults[0].message}"


def _colors(count: int) -> list[tuple[str | None, str | None]]:
    """Return a colour for each problem; None if there are more problems than colours."""
    return [*BALLOONS.items(), *[(None, None)] * count][:count]
