"""Runs a package's viewer: the program in its folder viewer/ that draws games (contract: docs/interactive.md).

It is untrusted package code: it runs in the sandbox, and its output is checked before it is shown. A package
without a viewer only lacks pictures.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from harness.build.executable import Executable
from harness.check.validator_call import judge_program_limits
from harness.errors import JudgeError, UsageError
from harness.host.host import Host
from harness.package import Case, Package
from harness.package.files import File, below
from harness.package.findings import Findings
from harness.package.programs import ProgramReader
from harness.replay.record import Game, find_case, game_as_json
from harness.sandbox.facts import RunResult, Sandbox
from harness.values import dataclass

FOLDER = "viewer"
USAGE = 2
MESSAGE_BYTES = 2000
PICTURES = 2000
_DOCTYPE = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; media-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The state of the game after line number `line` (from 0), as text. mark: why it matters. All untrusted."""

    line: int
    text: str
    caption: str = ""
    mark: str = ""


@dataclass(frozen=True, kw_only=True)
class Pictures:
    """All pictures of a game in order, and how to read them."""

    pictures: tuple[Picture, ...] = ()
    legend: str = ""


@dataclass(frozen=True, kw_only=True)
class _Answer:
    run: RunResult
    stdout: bytes
    stderr: str


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """A built viewer."""

    package: Package
    host: Host
    executable: Executable

    def pictures(self, case: Case, game: Game) -> Pictures:
        """Draw the game. Raises JudgeError when the viewer fails."""
        answer = self._run_viewer(("pictures",), case, game_as_json(game))
        value = self._json(self._succeeded(answer))
        listed = value.get("pictures", [])
        if not isinstance(listed, list):
            raise JudgeError(f"{self._name}: `pictures` is not a list")
        return Pictures(
            pictures=tuple(self._picture(item) for item in listed[:PICTURES]), legend=_text(value.get("legend"))
        )

    def page(self, case: Case | None, game: Game | None) -> bytes:
        """Return one HTML page, with the case and the game if given. Raises JudgeError when the viewer fails."""
        return guarded(self._succeeded(self._run_viewer(("page",), case, game_as_json(game) if game else b"")))

    def case_from(self, options: Sequence[str]) -> Case:
        """Make a case by options such as `--board 5x4`. Raises UsageError when the viewer does not know them."""
        answer = self._run_viewer(("case", *options), None, b"")
        if answer.run.exit_code == USAGE:
            raise UsageError(_reason_first(answer.stderr))
        value = self._json(self._succeeded(answer))
        given, expected = value.get("in"), value.get("ans")
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

    def _run_viewer(self, arguments: Sequence[str], case: Case | None, game: bytes) -> _Answer:
        def run(sandbox: Sandbox, _: None) -> _Answer:
            with self.host.work_folder(sandbox) as work:
                return self._run(sandbox, work, arguments, case, game)

        return self.host.pool.alone(run, None)

    def _run(
        self, sandbox: Sandbox, work: Path, arguments: Sequence[str], case: Case | None, game: bytes
    ) -> _Answer:
        limits = self.executable.fit(judge_program_limits(self.package.limits))
        files = _written(case, work)
        (work / "game.json").write_bytes(game)
        command = self.executable.command(limits.memory_bytes, *arguments, *map(str, files))
        command = command.reading(self.executable.directory, *files)
        stdout, stderr = work / "stdout", work / "stderr"
        run = sandbox.run(command, limits, stdin=work / "game.json", stdout=stdout, stderr=stderr)
        message = stderr.read_bytes()[:MESSAGE_BYTES].decode(errors="replace").strip()  # the sandbox has capped it
        return _Answer(run=run, stdout=stdout.read_bytes(), stderr=message)

    def _succeeded(self, answer: _Answer) -> bytes:
        if answer.run.succeeded:
            return answer.stdout
        raise JudgeError(f"{self._name}: the viewer failed: {answer.run.ending}\n{answer.stderr}".strip())

    def _json(self, data: bytes) -> dict[str, object]:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise JudgeError(f"{self._name}: the viewer did not write JSON: {error}") from error
        if not isinstance(value, dict):
            raise JudgeError(f"{self._name}: the viewer wrote JSON, but no object")
        return value

    def _picture(self, value: object) -> Picture:
        line = value.get("line") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(line, int):
            raise JudgeError(f"{self._name}: a picture must be an object with the number `line`")
        return Picture(
            line=line,
            text=_text(value.get("text")),
            caption=_text(value.get("caption")),
            mark=_text(value.get("mark")),
        )


def _reason_first(text: str) -> str:
    """Put argparse's one-line reason before its usage text."""
    usage, mark, reason = text.rpartition(": error: ")
    if not (mark and usage.startswith("usage: ")):
        return text
    return f"{reason}\n{usage.rpartition(chr(10))[0]}"


def viewer_of(package: Package, host: Host) -> Viewer | None:
    """Build the package's viewer; None if it has none. Raises JudgeError when it does not build."""
    inside = below(package.files, FOLDER)
    if not inside:
        return None
    program = ProgramReader(files=package.files, constants=package.constants, findings=Findings()).program(FOLDER)
    if "__main__.py" in inside:
        program = replace(program, language="python3")  # the other files are for the page
    [executable] = host.build_judge_programs([program], package.limits)
    return Viewer(package=package, host=host, executable=executable)


def _written(case: Case | None, work: Path) -> tuple[Path, ...]:
    if case is None:
        return ()
    given, expected = work / "case.in", work / "case.ans"
    given.write_bytes(case.input.read())
    expected.write_bytes(case.read_answer())
    return given, expected


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def guarded(page: bytes) -> bytes:
    """Return a viewer's page with a content security policy that allows its own scripts and no network.

    The page is package code that quotes contestants, and is opened from the reader's disk. The policy comes first in
    it; a second one in the page can only forbid more. Raises JudgeError for a page that is not UTF-8.
    """
    try:
        text = page.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise JudgeError("the page is not UTF-8") from error
    # Only white space and the doctype may precede it: browsers may end a comment elsewhere than this parser.
    doctype = _DOCTYPE.match(text)
    start = doctype.end() if doctype is not None else 0
    policy = _POLICY.format(scripts=" ".join(_hashes(text)) or "'none'")
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"{text[:start]}{head}{text[start:]}".encode()


def _hashes(text: str) -> list[str]:
    """Hash each inline script as the browser does, which reads every line end as one newline."""
    scripts = _Scripts()
    scripts.feed(text.replace("\r\n", "\n").replace("\r", "\n"))
    scripts.close()
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts.texts)
    return list(dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))


class _Scripts(HTMLParser):
    """Collects the texts of the scripts. A script that a browser reads differently gets no hash and does not run."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a script."""
        if tag == "script":
            self._inside = True
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        """End a script."""
        if tag == "script":
            self._inside = False

    def handle_data(self, data: str) -> None:
        """Add text to the current script."""
        if self._inside:
            self.texts[-1] += data


def case_to_play(
    package: Package, viewer: Viewer | None, name: str | None, options: Sequence[str], *, page: bool
) -> Case:
    """Return the case of this name or of the viewer's options; without both, the viewer's own on a page, else a sample.

    Raises UsageError if there is none.
    """
    if options:
        if viewer is None:
            raise UsageError(f"no such option: {options[0]}; {package.slug} has no viewer that makes cases")
        return viewer.case_from(options)
    if name is not None:
        return find_case(package, name)[1]
    if page and viewer is not None:
        with suppress(UsageError):  # the viewer's default case; a sample is often too small to play on
            return viewer.case_from(())
    first = next(iter(package.judged_cases()), None)
    if first is None:
        raise UsageError(f"{package.slug} has no sample: name a case")
    return first
