"""A judged game played once more, with a tap on its pipes. The verdict stays that of the first time."""

from harness.errors import UsageError
from harness.judge import Gallery, Judging
from harness.package import Case, Group, Package, Program
from harness.replay.model import Game
from harness.results.model import CaseResult
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Replay:
    """The game as it went this time, and what the first time's verdict was."""

    game: Game
    judged: CaseResult

    @property
    def agrees(self) -> bool:
        """Whether it ended as it did the first time."""
        return self.game.verdict is self.judged.verdict


def play_again(judging: Judging, program: Program, judged: CaseResult, gallery: Gallery | None = None) -> Replay:
    """The game behind `judged`, a result of this judging; the submission is built, so it comes out of the cache.

    gallery: takes the images that the package's output visualizer draws of this very game.
    """
    group, case = find_case(judging.package, judged.name)
    result, transcript = judging.recorded(program, group, case, gallery)
    game = Game(
        problem=judging.package.slug,
        case=case.name,
        submission=program.path,
        transcript=transcript,
        verdict=result.verdict,
        reason=result.reason,
        message=result.message,
    )
    return Replay(game=game, judged=judged)


def find_case(package: Package, name: str) -> tuple[Group, Case]:
    """A case by its name, with or without `secret/`, or by a part of it that no other has.

    Raises UsageError if there is not exactly one.
    """
    found = [
        (group, case)
        for top in (package.sample, package.secret)
        for group in (top, *top.groups)
        for case in group.cases
    ]
    for fits in (
        lambda case: case.name == name,
        lambda case: case.name.partition("/")[2] == name,
        lambda case: name in case.name,
    ):
        chosen = [(group, case) for group, case in found if fits(case)]
        if len(chosen) == 1:
            return chosen[0]
        if chosen:
            names = ", ".join(case.name for _, case in chosen[:5]) + (", …" if len(chosen) > 5 else "")
            raise UsageError(f"`{name}` could be {len(chosen)} cases: {names}")
    known = ", ".join(case.name for _, case in found[:3])
    raise UsageError(f"{package.slug} has no case `{name}`; it has {known}{', …' if len(found) > 3 else ''}")
