"""The engine in JavaScript plays move for move as the interactor does; run in headless Chromium."""

import json
import shutil
import subprocess
from html import unescape

import pytest

from problems.conftest import ROOT, load_program

PACKAGE = ROOT / "problems" / "bridgit"
STYLES = ["path", "current", "random", "mirror", "mixed", "trap"]
BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no browser: apt install chromium")

# Plays one game and keeps a record; the same in both languages. The contestant is right with chance `skill` of 8.
GAME = """
function game(height, width, first, style, seed, skill) {
  const doors = new Doors(height, width), king = new King(doors, style, seed), draws = new Draws(seed + 1);
  const record = [];
  let last = OPEN_DOOR, turn = first;
  for (;;) {
    if (turn) {
      const keepers = draws.below(8) < skill && king.forests.replies()[0] === 1 ? king.forests.keepers() : [];
      last = draws.oneOf(keepers.length ? keepers.sort((a, b) => a - b) : king.maze.undecided);
      king.sees(last);
      record.push(last);
      if (king.maze.crossed()) return record;
    }
    turn = true;
    const [lead, door] = king.choice(last);
    record.push([lead, door, king.maze.detours()[0]]);
    if (king.maze.cutsOff(door)) return record;
    king.closes(door);
  }
}
document.body.textContent = JSON.stringify(GAMES.map((one) => game(...one)));
"""


def game(judge, height, width, first, style, seed, skill):
    """As in GAME."""
    doors = judge.Doors(height, width)
    king, draws = judge.King(doors, style, seed), judge.Draws(seed + 1)
    record, last, turn = [], judge.OPEN_DOOR, first
    while True:
        if turn:
            keepers = king.forests.keepers() if draws.below(8) < skill and king.forests.replies()[0] == 1 else []
            last = draws.one_of(sorted(keepers) or king.maze.undecided)
            king.sees(last)
            record.append(last)
            if king.maze.crossed():
                return record
        turn = True
        lead, door = king.choice(last)
        record.append([lead, door, king.maze.detours()[0]])
        if king.maze.cuts_off(door):
            return record
        king.closes(door)


@pytest.fixture(scope="module")
def judge(shipped):
    """The interactor as a module."""
    return load_program(shipped("output_validator"))


@pytest.fixture
def in_browser(tmp_path):
    """in_browser(script): the text that the script leaves as the document's body."""

    def run(script):
        page = tmp_path / "page.html"
        page.write_text(f"<!doctype html><meta charset=utf-8><body><script>{script}</script>")
        command = [BROWSER, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200)
        return unescape(done.stdout.partition("<body>")[2].rpartition("</body>")[0])

    return run


def engine():
    """The two files as the page has them."""
    return "".join((PACKAGE / "viewer" / name).read_text() for name in ("forests.js", "king.js"))


def check(judge, in_browser, games):
    """Every game the same in both."""
    said = in_browser(f"{engine()}\nconst GAMES = {json.dumps(games)};\n{GAME}")
    for given, found in zip(games, json.loads(said), strict=True):
        assert found == game(judge, *given), given


def test_engine_plays_as_the_interactor_does_on_small_and_middle_boards(judge, in_browser):
    boards = [(1, 1, True), (2, 1, True), (3, 3, False), (4, 2, False), (5, 4, True), (6, 6, True), (8, 5, False)]
    boards += [(10, 9, True), (9, 7, False)]
    games = [
        (*board, style, 10 * number + seed, skill)
        for number, board in enumerate(boards)
        for style in STYLES
        for seed, skill in enumerate((0, 6, 8))
    ]
    check(judge, in_browser, games)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_engine_plays_as_the_interactor_does_on_many_boards(judge, in_browser):
    boards = [(h, w, bool((h + w) % 2)) for h in range(1, 21, 2) for w in range(1, 21, 3)]
    boards += [(20, 18, False), (20, 19, True), (20, 20, True), (20, 10, False)]
    for style in STYLES:
        check(judge, in_browser, [(*board, style, n, n % 9) for n, board in enumerate(boards)])
