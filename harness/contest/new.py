"""Write the files of a new contest from the packages of a folder."""

from pathlib import Path

from harness.contest.contest import BALLOONS, Contest, ContestProblem
from harness.contest.export import contest_yaml, problems_yaml
from harness.contest.read import CONTEST, PROBLEMS, label_of
from harness.errors import UsageError, first_few
from harness.files import atomic
from harness.package.find import packages_in

_FIVE_HOURS_S = 5 * 3600


def new_contest(folder: Path, name: str) -> tuple[Path, ...]:
    """Write contest.yaml and problems.yaml for the packages in a folder, in the order of their names.

    Raises UsageError if one of the files exists or the folder holds no package.
    """
    present = [folder / file for file in (*CONTEST, *PROBLEMS) if (folder / file).is_file()]
    if present:
        raise UsageError(f"{present[0]} is there already: edit it, or remove it first")
    roots = packages_in(folder)
    if not roots:
        inner = [path.name for path in sorted(folder.iterdir()) if path.is_dir() and packages_in(path)]
        if inner:
            raise UsageError(
                f"{folder} holds no package itself, but {first_few(inner, 3)} in it: name one of these folders"
            )
        raise UsageError(f"{folder} holds no package yet: `harness new {folder}/first` makes one")
    problems = tuple(
        ContestProblem(label=label_of(index), slug=root.name, root=root, color=color, rgb=rgb)
        for index, (root, (color, rgb)) in enumerate(zip(roots, _colors(len(roots)), strict=True))
    )
    slug = "".join(char if char.isascii() and char.isalnum() else "-" for char in name.lower()).strip("-")
    contest = Contest(
        root=folder, slug=slug or folder.resolve().name, name=name, problems=problems, duration_s=_FIVE_HOURS_S,
        freeze_s=_FIVE_HOURS_S // 5,
    )  # fmt: skip
    written = (folder / CONTEST[0], folder / PROBLEMS[0])
    for path, content in zip(written, (contest_yaml(contest), problems_yaml(contest)), strict=True):
        atomic.write(path, content)
    return written


def _colors(count: int) -> list[tuple[str | None, str | None]]:
    """Return a colour for each problem; None if there are more problems than colours."""
    return [*BALLOONS.items(), *[(None, None)] * count][:count]
