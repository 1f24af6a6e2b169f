"""What a search is about: a package, the program to break, and what says what is right."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import UsageError
from harness.generate import Recipe, read_recipe
from harness.package import Package, ProblemType, Program
from harness.package.constants import substitute
from harness.package.model import CaseSettings
from harness.shapes import Shape, read_shape

SHAPE_FILE = "generators/shape.txt"

# Which of several accepted programs answers fastest, as a rule.
_FAST = (".cpp", ".cc", ".c", ".rs", ".java", ".kt", ".go", ".cs", ".js", ".py")


@dataclass(frozen=True, kw_only=True)
class Target:
    """What to break and how to tell. oracle None: it must be enough not to fail, and to please the checker.

    settings: those of the package's cases, each once; an input is valid under any of them.
    """

    package: Package
    submission: Program
    oracle: Program | None
    shape: Shape | None
    recipe: Recipe | None

    @property
    def interactive(self) -> bool:
        """Whether an interactor plays the other side."""
        return ProblemType.INTERACTIVE in self.package.types

    @property
    def settings(self) -> Sequence[CaseSettings]:
        """The different settings of the package's cases, those with the fewest arguments first."""
        found = [case.settings for case in self.package.judged_cases()] or [CaseSettings()]
        different = {repr(_relevant(one)): one for one in found}
        return sorted(different.values(), key=lambda one: len(one.input_validator_args))


def target_of(package: Package, submission: Program, *, oracle: Program | None, shape: str | None) -> Target:
    """The target in a package. oracle None: an accepted program of the package, if there is one."""
    recipe = read_recipe(package.files, package.constants)
    return Target(
        package=package,
        submission=submission,
        oracle=oracle or reference_of(package, recipe, submission),
        shape=_shape_of(package, shape),
        recipe=recipe,
    )


def reference_of(package: Package, recipe: Recipe | None, submission: Program) -> Program | None:
    """The accepted program that answers fastest: the one that makes the data's answers, else by language."""
    accepted = [
        one
        for one in package.submissions
        if one.path.startswith("accepted/") and one.origin.resolve() != submission.origin.resolve()
    ]
    solutions = {case.solution for case in recipe.cases if case.solution} if recipe else set()
    by_recipe = [one for one in accepted if f"/submissions/{one.path}" in solutions]
    return min(by_recipe or accepted, key=_slowness, default=None)


def _slowness(program: Program) -> tuple[int, str]:
    names = tuple(program.files)
    ranks = [place for place, end in enumerate(_FAST) if any(name.endswith(end) for name in names)]
    return (min(ranks, default=len(_FAST)), program.path)


def _shape_of(package: Package, text: str | None) -> Shape | None:
    file = package.files.get(SHAPE_FILE)
    if text is None and file is None:
        return None
    if text is None and file is not None:
        text = substitute(file.read(), package.constants).decode("utf-8", errors="replace")
    if text is None:
        raise UsageError("no shape")
    return read_shape(text)


def _relevant(settings: CaseSettings) -> tuple[object, ...]:
    return settings.args, settings.input_validator_args, settings.output_validator_args
