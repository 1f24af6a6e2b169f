"""Players that are made here: those of junk must lose and may crash no judge program, those of dialogues should win."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.errors import counted
from harness.judge.judging import Judging, Observer
from harness.judge.prepare import with_limits
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.files import File
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.statement.samples import dialogue_of
from harness.verify.findings import FindingCollector, PartResult, crash_line
from harness.verify.setting import Setting, with_one_case

MOST_CASES = 2  # for junk
LIMIT_S = 2.0  # of a player: it waits at most this long for an interactor that says nothing
_TIMES = 1000  # how often junk is repeated, once for each line that the interactor says
_ANSWERING = """import os, sys
junk = {junk}
try:
    for _ in range({times}):
        os.write(1, junk)
        if not sys.stdin.buffer.readline():
            break
except OSError:
    pass
"""
_FLOODING = """import os
try:
    for _ in range(128):
        os.write(1, b"harness junk\\n" * 700)
except OSError:
    pass
"""
_REPEATING = """import sys
for number, (by_judge, line) in enumerate({turns}, start=1):
    if not by_judge:
        print(line, flush=True)
        continue
    heard = sys.stdin.readline()
    if heard.split() != line.split():
        said = "`" + heard.strip()[:60] + "`" if heard else "nothing more"
        print("line", number, "of the dialogue is `" + line[:60] + "`, the judge says", said, file=sys.stderr)
        sys.exit(3)
"""
# By what it does: the source of the player.
_PLAYERS = {
    "ends at once": "",
    **{
        f"prints {kind}": _ANSWERING.format(junk=junk, times=_TIMES)
        for kind, junk in {
            "empty lines": r'b"\n"',
            "words": r'b"harness junk\n"',
            "numbers of 5000 digits": r'b"9" * 5000 + b"\n"',
            "NUL bytes": r'b"\0" * 64 + b"\n"',
            "bytes that are no text": r'b"\xff\xfe\x80\n"',
        }.items()
    },
    "prints a megabyte of lines": _FLOODING,
}


def check_games(setting: Setting) -> PartResult:
    """Let players that print junk play on a few small cases, and repeat the dialogues of samples."""
    package, findings = _small(setting.package), FindingCollector()
    programs = [_program(kind, source) for kind, source in _PLAYERS.items()]
    observer = Observer(case=lambda path, result: setting.progress(f"{result.name}: a player that {path}"))
    judging = Judging(package=package, host=setting.host, complete=True, margin=0.0, observer=observer)
    results = judging.run([Entry(program=program) for program in programs])
    played: dict[str, dict[str, CaseResult]] = {}  # by case and player
    for result in results:
        for case in result.cases:
            if case.judged:
                played.setdefault(case.name, {})[result.path] = case
    for name, by_player in played.items():
        _report(name, by_player, findings, minimize=package.minimize)
    if not played:
        return findings.part("no game was played", skipped=True)
    dialogues = _check_dialogues(setting, findings)
    cases = counted(len(package.judged_cases()), "case")
    return findings.part(
        f"{counted(len(programs), 'player')} that print junk, on {cases}; "
        f"{counted(dialogues, 'dialogue')} of samples; the wrong submissions are more tests",
        disturbed=any(result.verdict is Verdict.JUDGE_ERROR for result in results),
    )


def _report(name: str, by_player: Mapping[str, CaseResult], findings: FindingCollector, *, minimize: bool) -> None:
    """Report the games on one case: which players were accepted, and on which a judge program failed."""
    broken = {kind: case.message for kind, case in by_player.items() if case.verdict is Verdict.JUDGE_ERROR}
    accepted = [
        kind
        for kind, case in by_player.items()
        if case.verdict is Verdict.ACCEPTED
        and (minimize or case.score != 0)  # if less is better, zero is the best
    ]
    if broken:
        first = crash_line(next(iter(broken.values())))
        findings.error(name, f"fails on a player that {', or '.join(broken)}: {first}")
    if accepted:
        findings.error(name, f"accepts a player that {', or '.join(accepted)}")


def _program(path: str, source: str) -> Program:
    return Program(
        path=path, language="python3", files={"player.py": File(origin=Path(path), content=source.encode())}
    )


def _check_dialogues(setting: Setting, findings: FindingCollector) -> int:
    """Repeat the submission's lines of each dialogue that lies beside a sample; return the number of dialogues.

    An interactor may say something else each time, so a difference is a note.
    """
    played = 0
    for case in setting.package.sample.all_cases():
        dialogue = dialogue_of(case)
        if not dialogue or any(turn.new_pass for turn in dialogue):
            continue
        turns = [(turn.by_judge, line) for turn in dialogue for line in turn.text.splitlines()]
        setting.progress(f"{case.name}: its dialogue")
        package = replace(with_one_case(_limited(setting.package), case.name), languages=None)
        player = _program("dialogue", _REPEATING.format(turns=turns))
        [result] = Judging(package=package, host=setting.host, margin=0.0).run([Entry(program=player)])
        played += 1
        if result.verdict is not Verdict.ACCEPTED:
            why = "; ".join(one.message.strip().rpartition("\n")[2] for one in result.cases) or result.message
            message = f"is not how the judge plays ({result.verdict}){f': {why}' if why else ''}"
            findings.note(f"{case.name}.interaction", message)
    return played


def _limited(package: Package) -> Package:
    """Return the package with a limit of at most LIMIT_S seconds."""
    return with_limits(package, min(package.limits.time_limit_s or LIMIT_S, LIMIT_S), None)


def _small(package: Package) -> Package:
    """Return the package with its smallest cases only, for all languages and with a short limit."""
    cases = sorted(package.judged_cases(), key=lambda case: (case.input.size(), case.name))[:MOST_CASES]
    return replace(
        _limited(package),
        sample=replace(package.sample, cases=tuple(cases), groups=()),
        secret=replace(package.secret, cases=(), groups=()),
        languages=None,
    )
