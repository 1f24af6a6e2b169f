"""The page in a real browser: it opens from disk, fits a phone, and can be used with the keyboard alone."""

import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hostile import CASE, report, submission

from harness.report.page import html
from harness.results.model import Move, RecordedGame
from harness.results.verdict import Verdict
from harness.sandbox.transcript import Speaker

KEYS = {"down": "\ue015", "right": "\ue014", "enter": "\ue007", "tab": "\ue004"}
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    DRIVER is None or shutil.which("chromium") is None, reason="no Chromium: apt install chromium chromium-driver"
)


class Browser:
    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"
        self._session = ""

    def call(self, path: str, body: object = None, method: str | None = None) -> object:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._base}{self._session}{path}", data=data, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def begin(self) -> None:
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu"]
        options = {"args": arguments, "mobileEmulation": {"deviceMetrics": {"width": 390, "height": 844}}}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        begun = self.call("/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{begun['sessionId']}"  # type: ignore[index]

    def run(self, script: str) -> object:
        return self.call("/execute/sync", {"script": script, "args": []})

    def press(self, *keys: str) -> None:
        strokes = [{"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("/actions", {"actions": [{"type": "key", "id": "k", "actions": strokes}]})


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(
        [str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    one = Browser(port)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                one.call("/status")
                break
            time.sleep(0.1)
        one.begin()
        yield one
        one.call("", method="DELETE")
    finally:
        driver.terminate()
        driver.wait()


def a_report() -> str:
    cases = tuple(
        replace(CASE, name=f"sample/{number}", verdict=verdict) for number, verdict in enumerate(Verdict)
    )
    moves = tuple(Move(by=by, at_s=0.1, text=f"{by} says") for by in [*Speaker] * 3)
    game = RecordedGame(submission="b.cpp", case="sample/1", verdict=Verdict.WRONG_ANSWER, moves=moves)
    submissions = (
        submission("a.cpp"),
        submission("b.cpp", cases=cases),
        submission("c.cpp", verdict=Verdict.ACCEPTED, cases=cases[:1]),
    )
    return html([replace(report(*submissions), games=(game,))])


def test_page_in_chromium(tmp_path: Path) -> None:
    """One browser for all of it, since its start is the greater part of the cost."""
    page = tmp_path / "report.html"
    page.write_text(a_report())
    with browser() as one:
        one.call("/url", {"url": page.as_uri()})
        logged = one.call("/se/log", {"type": "browser"})
        assert [entry for entry in logged if entry["level"] == "SEVERE"] == []  # type: ignore[attr-defined, index]
        assert one.run("return document.documentElement.scrollWidth <= innerWidth")
        assert one.run("return document.querySelectorAll('.submission[open]').length") == 0
        _keyboard(one)
        _filter(one)
        _search_and_sort(one)
        _game(one)
        assert one.run("return typeof window.injected") == "undefined"


def _keyboard(one: Browser) -> None:
    one.run("document.querySelector('.matrix tbody td').focus()")
    one.press("down", "right")
    assert one.run("return document.activeElement.textContent") == "AC"  # the first case of the second submission
    one.press("enter")
    assert one.run("return [...document.querySelectorAll('.submission[open] h3')].map(h => h.textContent)") == [
        "b.cpp"
    ]


def _filter(one: Browser) -> None:
    shown = "return [...document.querySelectorAll('.matrix tbody tr')].filter(r => !r.hidden).length"
    one.run("document.querySelector('.filters [data-verdict=AC]').focus()")
    one.press("enter")
    assert one.run(shown) == 1
    one.run("document.querySelector('.filters [data-verdict=\"\"]').click()")
    assert one.run(shown) == 3


def _search_and_sort(one: Browser) -> None:
    rows = "[...document.querySelectorAll('.matrix tbody tr')].filter(r => !r.hidden)"
    shown = f"return {rows}.map(r => r.cells[0].textContent)"
    names = one.run(shown)
    type_in = (
        "const i = document.querySelector('.filters input'); i.value = '{}'; i.dispatchEvent(new Event('input'))"
    )
    one.run(type_in.format("B.CPP"))
    assert one.run(shown) == ["b.cpp"]
    one.run(type_in.format(""))
    press = "document.querySelector('.matrix thead .name button').click()"
    one.run(press)
    assert one.run(shown) == sorted(names)  # type: ignore[type-var, arg-type]
    one.run(press)
    assert one.run(shown) == sorted(names, reverse=True)  # type: ignore[type-var, arg-type]


def _game(one: Browser) -> None:
    shown = "return [...document.querySelectorAll('.moves li')].filter(m => !m.hidden).length"
    assert one.run(shown) == 6
    one.run("document.querySelector('.game [data-step=\"-1\"]').focus()")
    one.press("enter", "enter")
    assert one.run(shown) == 4
    assert one.run("return document.querySelector('.game output').textContent") == "4 of 6 moves"
