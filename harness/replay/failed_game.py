"""Replay the first failed game of a submission, with pictures by the package's viewer."""

from collections.abc import Sequence
from dataclasses import field

from harness.errors import HarnessError, UsageError
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Case, ProblemType
from harness.replay.record import Replay, find_case, images_of, play_again
from harness.replay.viewer import Pictures, Viewer, viewer_of
from harness.results.model import SubmissionResult
from harness.values import dataclass

PAGE, IMAGES = ".html", (".svg", ".png", ".jpg", ".jpeg")


@dataclass(frozen=True, kw_only=True)
class FailedGame:
    """A replay with its pictures. content: the page or image, if such a file is wanted.

    trouble: why there are no pictures or no replay.
    """

    replay: Replay | None = None
    pictures: Pictures = field(default_factory=Pictures)
    trouble: str = ""
    content: bytes | None = None


def first_failed_game(
    judging: Judging, entries: Sequence[Entry], results: Sequence[SubmissionResult], suffix: str | None
) -> FailedGame | None:
    """Replay the first failed game of the only submission; return None if there is no such game.

    suffix: of the file to write it to, None for no file; .html asks for the viewer's page, .svg and so on for an image.
    """
    if ProblemType.INTERACTIVE not in judging.package.types or len(results) != 1:
        return None
    failed = results[0].first_failure()
    if failed is None:
        return FailedGame(trouble="no game was lost") if suffix is not None else None
    try:
        replay = play_again(judging, entries[0].program, failed)
    except HarnessError as error:
        return FailedGame(trouble=str(error))
    try:
        viewer = viewer_of(judging.package, judging.host)
        case = find_case(judging.package, replay.game.case)[1]
        pictures = viewer.pictures(case, replay.game) if viewer is not None else Pictures()
        content = _content(judging, viewer, case, replay, suffix or "")
    except HarnessError as error:  # pictures are optional: their failure must not cost the verdict
        return FailedGame(replay=replay, trouble=str(error))
    return FailedGame(replay=replay, pictures=pictures, content=content)


def _content(judging: Judging, viewer: Viewer | None, case: Case, replay: Replay, suffix: str) -> bytes | None:
    if suffix == PAGE:
        if viewer is None:
            raise UsageError(f"{judging.package.slug} has no viewer that could make a page")
        return viewer.page(case, replay.game)
    if suffix not in IMAGES:
        return None
    images = images_of(judging.package, judging.host, case, replay.game)
    image = next((content for name, content in images.items() if name.endswith(suffix)), None)
    if image is None:
        names = ", ".join(images) or "none"
        raise UsageError(
            f"{judging.package.slug} has no output visualizer that draws a {suffix} image (found: {names})"
        )
    return image
