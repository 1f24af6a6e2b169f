"""The page of `bridgit` in a browser: playing, hints, undo, replays, keys, touch, words, and no network."""

import importlib.util
import itertools
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from browser import BROWSER, DRIVER, MISSING, Browser, open_browser

from harness.host.host import Host
from harness.judge.judging import Judging
from harness.package import Package, Program
from harness.package.files import File
from harness.package.load import load
from harness.replay.record import Game
from harness.replay.viewer import Viewer, viewer_of
from harness.results.verdict import Verdict
from harness.sandbox.transcript import Speaker, Transcript, TranscriptLine

pytestmark = pytest.mark.skipif(BROWSER is None or DRIVER is None, reason=MISSING)

BRIDGIT = Path(__file__).resolve().parents[2] / "problems" / "bridgit"
WRONG = BRIDGIT.parents[1] / "reference" / "bridgit" / "wrong_answer"
Opener = Callable[..., Browser]


@pytest.fixture(scope="module")
def bridgit() -> Package:
    return load(BRIDGIT, built=False)


@pytest.fixture(scope="module")
def viewer(bridgit: Package, host: Host) -> Viewer:
    found = viewer_of(bridgit, host)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def judge(bridgit: Package, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The interactor as a module."""
    assert bridgit.output_validator is not None
    (file,) = bridgit.output_validator.files.values()
    path = tmp_path_factory.mktemp("bridgit") / "bridgit_of_page.py"
    path.write_bytes(file.read().replace(b"{{max_side}}", b"20"))
    spec = importlib.util.spec_from_file_location("bridgit_of_page", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bridgit_of_page"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def opened(viewer: Viewer, browser: Browser, tmp_path: Path) -> Opener:
    """opened("--board", "5x4", game=…): the browser with the page of that case."""

    def get(*options: str, game: Game | None = None, language: str = "en", **size: object) -> Browser:
        path = tmp_path / "page.html"
        path.write_bytes(viewer.page(viewer.case_from(options), game))
        browser.resize(**{"width": 1280, "height": 800, **size})  # type: ignore[arg-type]
        browser.open(f"{path.as_uri()}#{language}")
        return browser

    return get


@pytest.fixture(scope="module")
def lost(bridgit: Package, viewer: Viewer, host: Host) -> Game:
    """A judged game of a strong wrong program on 4 × 3, as `harness judge` hands it to the viewer."""
    case = viewer.case_from(["--board", "4x3", "--first", "--style", "path", "--seed", "1"])
    source = WRONG / "maximum_current.cpp"
    program = Program(path=source.name, files={source.name: File(origin=source)})
    result, transcript = Judging(package=bridgit, host=host).recorded(program, bridgit.sample, case)
    return Game(
        problem="bridgit",
        case="secret/x",
        submission="my.cpp",
        transcript=transcript,
        verdict=result.verdict,
        message=result.message,
    )


def door(browser: Browser, name: str) -> str:
    number = browser.run(f"return page.game.doors.numbers.get({name!r})")
    return f'#board [data-door="{number}"]'


def state(browser: Browser) -> list[int]:
    return browser.run("return page.game.stateAt(page.at)")  # type: ignore[no-any-return]


def test_click_fixes_a_door_and_the_king_closes_the_one_that_the_interactor_would(
    opened: Opener, judge: ModuleType
) -> None:
    page = opened("--board", "5x4", "--first", "--style", "trap", "--seed", "7")
    page.click(door(page, "| 3 3"))
    page.wait("!page.busy")
    king = judge.King(judge.Doors(5, 4), "trap", 7)
    mine = king.doors.numbers["|", 3, 3]
    king.sees(mine)
    _, his = king.choice(mine)
    expected = [0] * king.doors.count
    expected[mine], expected[his] = 1, 2
    assert state(page) == expected
    kind, i, j = king.doors.places[his]
    assert (
        page.run("return said.textContent").replace("\u00a0", " ")
        == f"The king closed “{kind} {i} {j}”. Your turn."
    )


def test_decided_door_cannot_be_chosen_again(opened: Opener) -> None:
    page = opened("--board", "3x1", "--first")
    page.click(door(page, "- 1 1"))
    page.wait("!page.busy")
    before = state(page)
    page.click(door(page, "- 1 1"))
    assert state(page) == before
    assert page.run("return document.querySelector('.door.fixed').getAttribute('aria-disabled')") == "true"


def test_finger_fixes_a_door(opened: Opener) -> None:
    page = opened("--board", "4x3", "--first", width=390, height=844, phone=True)
    page.tap(door(page, "- 2 2"))
    page.wait("page.at === 2")
    assert state(page)[page.run("return page.game.doors.numbers.get('- 2 2')")] == 1


def test_game_is_played_by_keys_alone(opened: Opener) -> None:
    page = opened("--board", "3x2", "--first", "--style", "path")
    page.run("document.querySelector('[data-language=ja]').focus()")
    page.press("Tab", "ArrowDown", "ArrowRight", "Enter")
    page.wait("page.at === 2 && !page.busy")
    assert page.run("return page.game.doors.named(page.game.moves[0].door)") == "- 1 2"
    page.press("Home")
    assert page.run("return page.game.doors.named(page.board.cursor)") == "- 1 1"
    page.press("ArrowUp")
    assert page.run("return page.game.doors.named(page.board.cursor)") == "| 1 1"
    page.press("u")
    assert page.run("return page.game.moves.length") == 0
    page.press("h")
    assert page.run("return page.hints") is True
    page.press("Enter")
    page.wait("page.at === 2 && !page.busy")
    page.press(",", ",", ".")
    assert page.run("return page.at") == 1
    page.press("n")
    assert page.run("return page.game.moves.length") == 0


def test_arrow_keys_reach_every_door(opened: Opener) -> None:
    page = opened("--board", "4x3", "--first")
    reached = page.run(
        "const seen = new Set([0]), queue = [0];"
        "for (const one of queue) for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {"
        "  const next = page.board.neighbour(one, key);"
        "  if (next !== undefined && !seen.has(next)) { seen.add(next); queue.push(next); } }"
        "return seen.size"
    )
    assert reached == 4 * 4 + 3 * 3


def test_hints_are_the_doors_that_keep_the_win(opened: Opener, judge: ModuleType) -> None:
    page = opened("--board", "4x2", "--second", "--style", "trap")
    page.click("#hint")
    told = 0
    for round_ in range(6):
        page.wait("!page.busy")
        if page.run("return page.game.resultAt(page.at)") is not None:
            break
        board = judge.Forests(judge.Doors(4, 2), state(page))
        lead = board.replies()[0]
        right = {0: {n for n, what in enumerate(state(page)) if what == 0}, 1: set(board.keepers()), 2: set()}[
            lead
        ]
        shown = page.run(
            "return [...document.querySelectorAll('.door.keeps')].map((one) => Number(one.dataset.door))"
        )
        assert set(shown) == right
        told += 1
        page.run(f"page.fix({sorted(right)[round_ % len(right)]})")
    assert told >= 3


def test_whoever_follows_the_hints_wins_and_the_way_is_shown(opened: Opener) -> None:
    page = opened("--board", "5x4", "--first")
    for number in range(30):
        page.wait("!page.busy")
        if page.run("return page.game.resultAt(page.at)") is not None:
            break
        page.run(f"const doors = page.game.hintsAt(page.at).doors; page.fix(doors[{7 * number} % doors.length])")
    assert "won" in page.run("return document.getElementById('status').className")
    assert page.run("return document.querySelectorAll('.door.fixed.decisive').length") >= 5


def test_mistake_is_punished_and_named_at_the_end(opened: Opener, judge: ModuleType) -> None:
    page = opened("--board", "2x1", "--first", "--style", "path", "--seed", "1")
    page.click(door(page, "| 1 1"))
    page.wait("!page.busy")
    while page.run("return page.game.resultAt(page.at)") is None:
        page.run("page.fix(page.game.stateAt(page.at).indexOf(0))")
        page.wait("!page.busy")
    if page.run("return page.game.resultAt(page.at)") == "lost":
        assert re.search(r"Lost by move \d+, “", page.run("return judged.textContent"))
    assert page.run("return page.loss === null") == (page.run("return page.game.resultAt(page.at)") == "won")


def test_undo_goes_back_to_the_last_choice(opened: Opener) -> None:
    page = opened("--board", "5x3", "--second")
    page.wait("!page.busy")
    first = state(page)
    page.click(door(page, page.run("return page.game.doors.named(page.game.stateAt(1).indexOf(0))")))
    page.wait("page.at === 3")
    page.click("#undo")
    assert state(page) == first and page.run("return page.game.moves.length") == 1
    assert page.run("return undo.disabled") is True


def test_judged_game_is_replayed_with_its_losing_move(opened: Opener, lost: Game) -> None:
    assert lost.verdict is Verdict.WRONG_ANSWER
    page = opened("--board", "4x3", "--first", game=lost)
    number, blamed = re.search(r"lost by move (\d+), `([^`]+)`", lost.message).groups()  # type: ignore[union-attr]
    said = page.run("return judged.textContent").replace("\u00a0", " ")
    assert said.startswith(f"Lost by move {number}, “{blamed}”")
    moves = page.run("return page.game.moves.map(({door}) => page.game.doors.named(door))")
    spoken = [line.text.decode() for line in lost.transcript.lines]
    assert moves[:-1] == [text for text in spoken if text[:1] in ("|", "-")]
    assert f"the king closes `{moves[-1]}`" in lost.message
    assert page.run("return page.game.resultAt(page.at)") == "lost"
    page.click("#blunder")
    assert page.run("return page.game.doors.named(page.game.moves[page.at - 1].door)") == blamed
    page.click("#to-start")
    assert not any(state(page))


def test_game_goes_on_from_the_middle_of_a_replay_and_the_replay_comes_back(opened: Opener, lost: Game) -> None:
    page = opened("--board", "4x3", "--first", game=lost)
    whole = page.run("return page.game.moves.length")
    page.run("page.go(page.loss.at)")
    better = page.run("return page.game.hintsAt(page.at).doors[0]")
    page.click(f'#board [data-door="{better}"]')
    page.wait("!page.busy")
    assert page.run("return page.loss === null && !page.isReplay")
    page.click("#again")
    assert page.run("return [page.game.moves.length, page.isReplay]") == [whole, True]


EVIL = '</script><script>document.title = "stolen"</script><img src="x" onerror="document.title = 1">'


def test_hostile_transcript_does_nothing(opened: Opener) -> None:
    said = ["Yes", "| 1 1", EVIL, "| 99999999999 1", "__proto__", "| 1 1"]
    lines = [TranscriptLine(speaker=Speaker.INTERACTOR, at_s=0, text=b"4 3 First")]
    lines += [TranscriptLine(speaker=Speaker.SUBMISSION, at_s=1, text=text.encode()) for text in said]
    lines += [TranscriptLine(speaker=Speaker.INTERACTOR, at_s=2, text=EVIL.encode())]
    game = Game(
        problem="bridgit", case=EVIL, submission=EVIL, transcript=Transcript(lines=tuple(lines)), message=EVIL
    )
    page = opened("--board", "4x3", "--first", game=game)
    assert page.run("return document.title") == "vs. DEGwer"
    assert page.run("return document.querySelectorAll('img, iframe, a').length") == 0
    assert page.run("return page.game.moves.length") == 1
    assert EVIL in page.run("return document.getElementById('replay-of').textContent")


def test_page_is_one_file_that_wants_nothing_from_anywhere(opened: Opener, viewer: Viewer, lost: Game) -> None:
    text = viewer.page(viewer.case_from(["--board", "4x3"]), lost).decode()
    assert set(re.findall(r"https?://[^\"' )]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"/\* [a-z]+\.(js|css) \*/|\{\{", text)
    page = opened("--board", "4x3", "--first", game=lost)
    page.click("#back")
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.complaints() == []


@pytest.mark.parametrize("language", ["en", "ja"])
def test_everything_that_can_be_used_has_a_name_in_the_language(language: str, opened: Opener, lost: Game) -> None:
    page = opened("--board", "4x3", "--first", game=lost, language=language)
    names = page.run(
        "return [...document.querySelectorAll('button, select, input, [role=button]')].map((one) =>"
        " one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent)"
    )
    assert all(name.strip() and "undefined" not in name for name in names)
    assert page.run("return document.documentElement.lang") == language
    japanese = [name for name in names if re.search(r"[ぁ-んァ-ヶ一-龠]", name)]
    assert len(japanese) >= len(names) - 8 if language == "ja" else len(japanese) == 1
    assert page.run("return said.getAttribute('aria-live')") == "polite"
    page.run("page.go(1)")
    label = page.run("return document.querySelector('.door.fixed').getAttribute('aria-label')")
    assert label.endswith("あなたが固定" if language == "ja" else "fixed by you")


def test_both_languages_have_the_same_words(opened: Opener) -> None:
    page = opened("--board", "2x1")
    one, two = page.run("return [Object.keys(WORDS.en).sort(), Object.keys(WORDS.ja).sort()]")
    assert one == two
    assert page.run(
        "return [...document.querySelectorAll('[data-word]')].every((one) => one.dataset.word in WORDS.en)"
    )


@pytest.mark.parametrize(
    ("width", "height", "language", "board"),
    [
        (*size, *rest)
        for size, rest in itertools.product([(390, 844), (1280, 800)], [("en", "5x4"), ("ja", "20x19")])
    ],
)
def test_page_fits_the_window(width: int, height: int, language: str, board: str, opened: Opener) -> None:
    page = opened("--board", board, "--first", language=language, width=width, height=height, phone=width < 500)
    assert page.run("return document.documentElement.scrollWidth") <= width
    smallest = page.run(
        "return Math.min(...[...document.querySelectorAll('button, select')].filter((one) => one.offsetParent)"
        ".map((one) => one.getBoundingClientRect().height))"
    )
    assert smallest >= 34


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(theme: int) -> None:
    css = (BRIDGIT / "viewer" / "page.css").read_text()
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", css.split(":root")[1 + theme].split("}")[0]))
    colours = {name: "#" + "".join(2 * c for c in v[1:]) if len(v) == 4 else v for name, v in colours.items()}
    text = itertools.product(["ink", "soft"], ["paper", "card", "calm", "won", "lost"])
    shapes = itertools.product(["fixed", "closed", "undecided", "stone"], ["tile"])
    for pairs, least in ((text, 4.5), ([("on-accent", "accent")], 4.5), (shapes, 2.5)):
        for front, back in pairs:
            high, low = sorted((luminance(colours[front]), luminance(colours[back])), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= least, (front, back)
