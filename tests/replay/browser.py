"""A headless Chromium for tests, by WebDriver over HTTP with nothing but the standard library."""

import base64
import contextlib
import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
BROWSER = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
DRIVER = shutil.which("chromedriver")
MISSING = "no browser: apt install chromium chromium-driver"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014"}
KEYS |= {"ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010"}


class Browser:
    """One page in one browser."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ask(self, method: str, path: str, value: object = None) -> Any:
        """One command of the protocol; its answer."""
        data = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(self._address + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def chrome(self, command: str, **parameters: object) -> Any:
        """A command of Chromium's own protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address: str) -> None:
        """Load a page."""
        self.ask("POST", "/url", {"url": "about:blank"})
        self.ask("POST", "/url", {"url": address})

    def run(self, script: str) -> Any:
        """What a script returns."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": []})

    def wait(self, condition: str) -> None:
        """Until an expression is true; the test's own timeout is the limit."""
        script = "const done = arguments[0], look = () => { if (%s) done(1); else setTimeout(look, 20); }; look();"
        self.ask("POST", "/execute/async", {"script": script % condition, "args": []})

    def click(self, selector: str) -> None:
        """A click of the mouse."""
        found = self.ask("POST", "/element", {"using": "css selector", "value": selector})
        origin = {ELEMENT: found[ELEMENT]}
        script = "arguments[0].scrollIntoView({block: 'center', inline: 'center'})"
        self.ask("POST", "/execute/sync", {"script": script, "args": [origin]})
        self._act("pointer", [
            {"type": "pointerMove", "origin": origin, "x": 0, "y": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ])  # fmt: skip

    def tap(self, selector: str) -> None:
        """A tap of a finger."""
        x, y = self.run(
            f"const r = document.querySelector({selector!r}).getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]"
        )
        self.chrome("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.chrome("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            value = KEYS.get(key, key)
            self._act("key", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def _act(self, kind: str, actions: list[dict[str, object]]) -> None:
        self.ask("POST", "/actions", {"actions": [{"type": kind, "id": kind, "actions": actions}]})

    def resize(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """The size of the window, and the reader's wish for light or dark."""
        self.chrome(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.chrome("Emulation.setEmulatedMedia", features=features)

    def picture(self, path: Path) -> None:
        """What is to be seen, as PNG."""
        path.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    def complaints(self) -> list[str]:
        """What the browser has logged: errors of scripts, anything that the page wanted from the network."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]


@contextlib.contextmanager
def open_browser(profile: Path) -> Iterator[Browser]:
    """A browser with an empty profile, ended with the block."""
    driver = subprocess.Popen([str(DRIVER), "--port=0"], stdout=subprocess.PIPE, text=True)
    try:
        assert driver.stdout is not None
        lines = iter(driver.stdout.readline, "")
        port = next(found[1] for line in lines if (found := re.search(r"on port (\d+)\.", line)))
        address = f"http://127.0.0.1:{port}"
        options = {"binary": BROWSER, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = Browser(address).ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        browser = Browser(f"{address}/session/{session['sessionId']}")
        try:
            browser.ask("POST", "/timeouts", {"script": 30_000})
            yield browser
        finally:
            browser.ask("DELETE", "")
    finally:
        driver.terminate()
        driver.wait(20)
