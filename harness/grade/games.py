"""Failed games of an interactive problem, played again and recorded for the report."""

from collections.abc import Callable, Iterator, Sequence

from harness.judge import Entry, Judging
from harness.package import ProblemType
from harness.replay import play_again
from harness.results import CaseResult, Move, RecordedGame, SubmissionResult
from harness.transcript import Transcript
from harness.verdict import Verdict

MOVES = 2000
TEXT = 1000
_SETTLED = (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR)


def recorded_games(
    judging: Judging,
    entries: Sequence[Entry],
    results: Sequence[SubmissionResult],
    may_show: Callable[[str], bool],
) -> Iterator[RecordedGame]:
    """The first failed game of each submission that may be shown; nothing for problems without games."""
    if ProblemType.INTERACTIVE not in judging.package.types:
        return
    for entry, result in zip(entries, results, strict=True):
        failed = first_failed(result, may_show)
        if failed is not None:
            game = play_again(judging, entry.program, failed).game
            moves = _moves(game.transcript)
            yield RecordedGame(
                submission=result.path,
                case=failed.name,
                verdict=game.verdict,
                moves=moves,
                cut=game.transcript.cut or len(moves) < len(game.transcript.lines),
            )


def first_failed(result: SubmissionResult, may_show: Callable[[str], bool]) -> CaseResult | None:
    """The first case that was judged and failed, among those that may be shown."""
    return next((case for case in result.cases if case.verdict not in _SETTLED and may_show(case.name)), None)


def _moves(transcript: Transcript) -> tuple[Move, ...]:
    return tuple(
        Move(
            by=line.speaker,
            at_s=round(line.at_s, 6),
            text=line.text[:TEXT].decode(errors="replace"),
            whole=line.whole,
        )
        for line in transcript.lines[:MOVES]
    )
