"""A closer look, for people: the first failed case of each submission run once more, for its game and its pictures."""

from collections.abc import Callable, Sequence

from harness.grade.failed_games import recorded_game
from harness.grade.visualizer_images import built_visualizer, report_images
from harness.judge import Entry, Gallery, Judging, draw_input
from harness.package import ProblemType
from harness.replay import find_case, play_again
from harness.results.model import CaseResult, Image, RecordedGame, SubmissionResult
from harness.results.verdict import Verdict
from harness.values import dataclass

_SETTLED = (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR)


@dataclass(frozen=True, kw_only=True)
class Closer:
    """What was seen. images: of the inputs, each once, then of what the submissions said."""

    games: tuple[RecordedGame, ...] = ()
    images: tuple[Image, ...] = ()


def look_closer(
    judging: Judging,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    may_show: Callable[[str], bool],
) -> Closer:
    """The first failed case of each submission that may be shown. One run is both recorded and drawn."""
    failed = [
        (entry, one)
        for entry, result in zip(entries, results, strict=True)
        if (one := _first_failed(result, may_show)) is not None
    ]
    if not failed:
        return Closer()
    images = _of_inputs(judging, [one.name for _, one in failed])
    visualizer = built_visualizer(judging, judging.package.output_visualizer)
    interactive = ProblemType.INTERACTIVE in judging.package.types
    games: list[RecordedGame] = []
    for entry, one in failed if interactive or visualizer is not None else ():
        gallery = Gallery(visualizer=visualizer) if visualizer is not None else None
        game = play_again(judging, entry.program, one, gallery).game
        games += [recorded_game(game)] if interactive else []
        images += report_images(entry.program.path, one.name, gallery.images) if gallery is not None else []
    return Closer(games=tuple(games), images=tuple(images))


def _of_inputs(judging: Judging, names: Sequence[str]) -> list[Image]:
    visualizer = built_visualizer(judging, judging.package.input_visualizer)
    if visualizer is None:
        return []
    cases = [find_case(judging.package, name)[1] for name in dict.fromkeys(names)]
    package, host = judging.package, judging.host
    found = [(case.name, draw_input(package, host, visualizer, case).images) for case in cases]
    return [image for name, images in found for image in report_images("", name, images)]


def _first_failed(result: SubmissionResult, may_show: Callable[[str], bool]) -> CaseResult | None:
    return next((case for case in result.cases if case.verdict not in _SETTLED and may_show(case.name)), None)
