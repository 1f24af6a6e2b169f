"""A package's viewer: the program in its folder viewer/ that shows games to people (docs/interactive.md: the contract).

It is package code, as hostile as any: it runs in the sandbox, and what it says is checked before it is shown. A package
without one loses nothing but pictures.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.build import Executable
from harness.check import judge_program_limits
from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.package import Case, Package
from harness.package.files import File, below
from harness.package.findings import Findings
from harness.package.programs import ProgramReader
from harness.replay.model import Game, game_as_json
from harness.replay.page_policy import guarded
from harness.sandbox import RunResult, Sandbox
from harness.values import dataclass

FOLDER = "viewer"
USAGE = 2
MESSAGE_BYTES = 2000
PICTURES = 2000


@dataclass(frozen=True, kw_only=True)
class Picture:
    """How the game stood after a line (its number, from 0), in text. mark: why this one matters. All untrusted."""

    line: int
    text: str
    caption: str = ""
    mark: str = ""


@dataclass(frozen=True, kw_only=True)
class Pictures:
    """Every picture of a game, in its order, and how to read them."""

    pictures: tuple[Picture, ...] = ()
    legend: str = ""


@dataclass(frozen=True, kw_only=True)
class _Answer:
    run: RunResult
    stdout: bytes
    stderr: str


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """A viewer, built."""

    package: Package
    host: Host
    executable: Executable

    def pictures(self, case: Case, game: Game) -> Pictures:
        """The game in pictures. Raises JudgeError when the viewer fails."""
        answer = self._asked(("pictures",), case, game_as_json(game))
        found = self._json(self._succeeded(answer))
        listed = found.get("pictures", [])
        if not isinstance(listed, list):
            raise JudgeError(f"{self._name}: `pictures` is not a list")
        return Pictures(
            pictures=tuple(self._picture(one) for one in listed[:PICTURES]), legend=_text(found.get("legend"))
        )

    def page(self, case: Case | None, game: Game | None) -> bytes:
        """One HTML page, with the case and the game on it if given. Raises JudgeError when the viewer fails."""
        return guarded(self._succeeded(self._asked(("page",), case, game_as_json(game) if game else b"")))

    def case_from(self, options: Sequence[str]) -> Case:
        """The case that options such as `--board 5x4` ask for. Raises UsageError when the viewer does not know them."""
        answer = self._asked(("case", *options), None, b"")
        if answer.run.exit_code == USAGE:
            raise UsageError(_complaint_first(answer.stderr))
        found = self._json(self._succeeded(answer))
        given, expected = found.get("in"), found.get("ans")
        if not isinstance(given, str) or not isinstance(expected, str):
            raise JudgeError(f"{self._name}: `case` must answer with the strings `in` and `ans`")
        origin = self.executable.program.origin
        return Case(
            name="case of your own",
            input=File(origin=origin, content=given.encode()),
            answer=File(origin=origin, content=expected.encode()),
        )

    @property
    def _name(self) -> Path:
        return self.executable.program.origin

    def _asked(self, words: Sequence[str], case: Case | None, said: bytes) -> _Answer:
        def ask(sandbox: Sandbox, _: None) -> _Answer:
            with self.host.work_folder(sandbox) as work:
                return self._run(sandbox, work, words, case, said)

        return self.host.pool.alone(ask, None)

    def _run(self, sandbox: Sandbox, work: Path, words: Sequence[str], case: Case | None, said: bytes) -> _Answer:
        limits = self.executable.fit(judge_program_limits(self.package.limits))
        files = _written(case, work)
        (work / "game.json").write_bytes(said)
        command = self.executable.command(limits.memory_bytes, *words, *map(str, files))
        command = command.reading(self.executable.directory, *files)
        stdout, stderr = work / "stdout", work / "stderr"
        run = sandbox.run(command, limits, stdin=work / "game.json", stdout=stdout, stderr=stderr)
        with stderr.open("rb") as file:
            complaint = file.read(MESSAGE_BYTES).decode(errors="replace").strip()
        return _Answer(run=run, stdout=stdout.read_bytes(), stderr=complaint)

    def _succeeded(self, answer: _Answer) -> bytes:
        run = answer.run
        if run.exit_code == 0 and run.killed_for is None:
            return answer.stdout
        ended = (
            f"was stopped for its {run.killed_for}" if run.killed_for else f"ended with exit code {run.exit_code}"
        )
        raise JudgeError(f"{self._name}: the viewer {ended}\n{answer.stderr}".strip())

    def _json(self, data: bytes) -> dict[str, object]:
        try:
            found = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise JudgeError(f"{self._name}: the viewer did not write JSON: {error}") from error
        if not isinstance(found, dict):
            raise JudgeError(f"{self._name}: the viewer wrote JSON, but no object")
        return found

    def _picture(self, found: object) -> Picture:
        line = found.get("line") if isinstance(found, dict) else None
        if not isinstance(found, dict) or not isinstance(line, int):
            raise JudgeError(f"{self._name}: a picture must be an object with the number `line`")
        return Picture(
            line=line,
            text=_text(found.get("text")),
            caption=_text(found.get("caption")),
            mark=_text(found.get("mark")),
        )


def _complaint_first(said: str) -> str:
    """What argparse says of wrong options, its one-line reason before the usage, without the words around it."""
    usage, mark, reason = said.rpartition(": error: ")
    if not (mark and usage.startswith("usage: ")):
        return said
    return f"{reason}\n{usage.rpartition(chr(10))[0]}"


def viewer_of(package: Package, host: Host) -> Viewer | None:
    """The package's viewer, built; None if it has none. Raises JudgeError when it does not build."""
    inside = below(package.files, FOLDER)
    if not inside:
        return None
    program = ProgramReader(files=package.files, constants=package.constants, findings=Findings()).program(FOLDER)
    if "__main__.py" in inside:
        program = replace(program, language="python3")  # what lies beside it is for the page
    [executable] = host.build_judge_programs([program], package.limits)
    return Viewer(package=package, host=host, executable=executable)


def _written(case: Case | None, work: Path) -> tuple[Path, ...]:
    if case is None:
        return ()
    given, expected = work / "case.in", work / "case.ans"
    given.write_bytes(case.input.read())
    expected.write_bytes(case.answer.read() if case.answer is not None else b"")
    return given, expected


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
