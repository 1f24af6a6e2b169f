"""Details for people: the first failed case of each submission as a game and pictures, and a counterexample."""

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from harness.build.executable import Executable
from harness.errors import HarnessError
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.judge.visualizers import Gallery, draw_input
from harness.package import Group, Package, ProblemType, Program
from harness.replay.record import Game, find_case, play_again
from harness.results.model import CaseResult, Counterexample, Image, Move, RecordedGame, SubmissionResult
from harness.results.verdict import Verdict
from harness.search.candidates import SearchResult, TriedCandidate
from harness.search.hunt import Hunt
from harness.search.target import target_of

MOVES, MOVE_BYTES = 2000, 1000
IMAGE_BYTES = 1 << 20
IMAGES = 4  # most images of a run
SEARCH_S = 10.0
TEXT_BYTES = 4000
_MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
_NO_FAILURE = (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR)
_NOT_SEARCHED = (*_NO_FAILURE, Verdict.COMPILE_ERROR)


def failure_details(
    judging: Judging,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    may_show: Callable[[str], bool],
) -> tuple[tuple[RecordedGame, ...], tuple[Image, ...]]:
    """Run the first failed case of each submission that may be shown again, to record the game and draw images.

    Returns the games, and the images: first of the inputs, once per case, then of the outputs.
    """
    failed = [
        (entry, case)
        for entry, result in zip(entries, results, strict=True)
        if (case := _first_failed(result, may_show)) is not None
    ]
    if not failed:
        return (), ()
    images = _input_images(judging, [case.name for _, case in failed])
    visualizer = _built_visualizer(judging, judging.package.output_visualizer)
    interactive = ProblemType.INTERACTIVE in judging.package.types
    games: list[RecordedGame] = []
    for entry, case in failed if interactive or visualizer is not None else ():
        gallery = Gallery(visualizer=visualizer) if visualizer is not None else None
        game = play_again(judging, entry.program, case, gallery).game
        games += [_recorded(game)] if interactive else []
        images += _report_images(entry.program.path, case.name, gallery.images) if gallery is not None else []
    return tuple(games), tuple(images)


def _first_failed(result: SubmissionResult, may_show: Callable[[str], bool]) -> CaseResult | None:
    return next((case for case in result.cases if case.verdict not in _NO_FAILURE and may_show(case.name)), None)


def _built_visualizer(judging: Judging, program: Program | None) -> Executable | None:
    """Build a visualizer; None if the package has none or it does not build (2025-09: not an error)."""
    if program is None:
        return None
    try:
        [built] = judging.host.build_judge_programs([program], judging.package.limits)
    except HarnessError:
        return None
    return built


def _input_images(judging: Judging, names: Sequence[str]) -> list[Image]:
    visualizer = _built_visualizer(judging, judging.package.input_visualizer)
    if visualizer is None:
        return []
    package, host = judging.package, judging.host
    cases = [find_case(package, name)[1] for name in dict.fromkeys(names)]
    drawn = [(case.name, draw_input(package, host, visualizer, case).images) for case in cases]
    return [image for name, images in drawn for image in _report_images("", name, images)]


def _report_images(submission: str, case: str, images: Mapping[str, bytes]) -> list[Image]:
    """Return a run's images for a report: the first few, without huge images."""
    small = [(name, content) for name, content in images.items() if len(content) <= IMAGE_BYTES]
    return [
        Image(
            submission=submission,
            case=case,
            name=name,
            media_type=_MEDIA_TYPES[PurePosixPath(name).suffix.lower()],
            content=base64.b64encode(content).decode("ascii"),
        )
        for name, content in small[:IMAGES]
    ]


def _recorded(game: Game) -> RecordedGame:
    """Return the game, cut to what a page can show."""
    lines = game.transcript.lines
    moves = tuple(
        Move(
            by=line.speaker,
            at_s=round(line.at_s, 6),
            text=line.text[:MOVE_BYTES].decode(errors="replace"),
            whole=line.whole,
        )
        for line in lines[:MOVES]
    )
    return RecordedGame(
        submission=game.submission,
        case=game.case,
        verdict=game.verdict,
        moves=moves,
        cut=game.transcript.cut or len(moves) < len(lines),
    )


def counterexamples(
    package: Package,
    host: Host,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    *,
    seconds: float = SEARCH_S,
) -> Iterator[Counterexample]:
    """Search a small input, not of a secret case, on which each wrong submission fails. seconds: per submission."""
    secret = _digests(package.secret) - _digests(package.sample)
    for entry, result in zip(entries, results, strict=True):
        if result.verdict in _NOT_SEARCHED:
            continue
        search = _searched(package, host, entry, seconds)
        trials = (search.trial, search.first) if search is not None else ()
        trial = next((trial for trial in trials if hashlib.sha256(trial.data).digest() not in secret), None)
        if trial is not None and len(trial.data) <= TEXT_BYTES:
            yield _counterexample(result.path, trial)


def _digests(group: Group) -> set[bytes]:
    return {hashlib.sha256(case.input.read()).digest() for case in group.all_cases()}


def _searched(package: Package, host: Host, entry: Entry, seconds: float) -> SearchResult | None:
    try:
        target = target_of(package, entry.program)
        search = Hunt(target=target, host=host, seed=0, time_s=seconds, spares_secret=True).run_to_the_end()
    except HarnessError:  # a counterexample is optional: its failure must not cost the verdict
        return None
    return search if search is not None and search.is_real else None


def _counterexample(path: str, trial: TriedCandidate) -> Counterexample:
    failure = trial.failure
    return Counterexample(
        submission=path,
        verdict=failure.verdict if failure is not None else Verdict.WRONG_ANSWER,
        input=trial.data.decode(errors="replace"),
        answer=((failure.answer if failure is not None else None) or b"")[:TEXT_BYTES].decode(errors="replace"),
        output=(failure.output if failure is not None else b"")[:TEXT_BYTES].decode(errors="replace"),
    )
