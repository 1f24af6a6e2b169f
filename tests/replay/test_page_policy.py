"""A page of a stranger's viewer reaches nobody from the reader's browser."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import BROWSER, DRIVER, MISSING, Browser, open_browser

from harness.errors import JudgeError
from harness.replay.viewer import guarded

in_browser = pytest.mark.skipif(BROWSER is None or DRIVER is None, reason=MISSING)
PAGE = """<!DOCTYPE html>
<html lang="ja"><head><title>before</title></head><body>
<script>document.title = "ran";\r
const words = "</p><!-- ]]> 日本";</script>
<SCRIPT type="text/javascript" >document.body.dataset.second = "ran too";</SCRIPT >
<p onclick="document.title = 'clicked'" id="p">words</p>
<img src="nowhere.png" onerror="document.title = 'attacked'">
<script src="{address}/far.js"></script>
<script>try {{ eval("document.title = 'evaluated'") }} catch (error) {{ document.body.dataset.eval = "refused" }}
fetch("{address}/stolen").catch(() => {{ document.body.dataset.fetch = "refused" }});</script>
</body></html>
"""


def test_the_policy_stands_before_everything_but_the_doctype() -> None:
    for page, start in (
        (b"\xef\xbb\xbf \n<!doctype html><html><script>1</script>", " \n<!doctype html>"),
        (b"<script>1</script><!doctype html>", ""),
        (b"<!--><script>1</script> --><!doctype html>", ""),
        (b"", ""),
    ):
        assert guarded(page).decode().startswith(start + '<meta charset="utf-8"><meta http-equiv="Content-Sec')


def test_a_page_that_no_policy_could_be_put_into_is_refused() -> None:
    with pytest.raises(JudgeError, match="UTF-8"):
        guarded("<p>".encode("utf-16"))


@pytest.fixture
def asked_for() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine, and what was asked of it."""
    heard: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@in_browser
def test_scripts_of_the_page_run_and_nothing_else_does(
    browser: Browser, asked_for: tuple[str, list[str]], tmp_path: Path
) -> None:
    address, heard = asked_for
    path = tmp_path / "page.html"
    path.write_bytes(guarded(PAGE.format(address=address).encode()))
    browser.open(path.as_uri())
    browser.wait("document.body && document.body.dataset.fetch")
    browser.click("#p")
    found = browser.run("return [document.title, {...document.body.dataset}, document.documentElement.lang]")
    assert found == ["ran", {"second": "ran too", "eval": "refused", "fetch": "refused"}, "ja"]
    assert heard == []
