"""What a page from a viewer may do in the reader's browser: run its own scripts, and reach nobody.

The page is package code with the words of contestants in it, and is opened from the reader's disk. So a policy is put
before everything else: scripts by the hash of their text, no network, no forms. A second policy in the page can only
take away from it.
"""

import base64
import hashlib
import re
from html.parser import HTMLParser

from harness.errors import JudgeError

_DOCTYPE = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:; media-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'"
)


def guarded(page: bytes) -> bytes:
    """The page with its policy. Raises JudgeError for one that is not UTF-8: then no policy could be read."""
    try:
        text = page.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise JudgeError("the page is not UTF-8") from error
    # Only white space and the doctype may stand before it: a comment ends where the browser says, not where we think.
    doctype = _DOCTYPE.match(text)
    start = doctype.end() if doctype is not None else 0
    policy = _POLICY.format(scripts=" ".join(_hashes(text)) or "'none'")
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"{text[:start]}{head}{text[start:]}".encode()


def _hashes(text: str) -> list[str]:
    """Of each inline script, as the browser hashes it: it reads every end of line as one newline."""
    scripts = _Scripts()
    scripts.feed(text.replace("\r\n", "\n").replace("\r", "\n"))
    scripts.close()
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts.found)
    return list(dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))


class _Scripts(HTMLParser):
    """Collects the text of the scripts. What it reads otherwise than a browser gets no hash, and does not run."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A script begins."""
        if tag == "script":
            self._inside = True
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        """A script ends."""
        if tag == "script":
            self._inside = False

    def handle_data(self, data: str) -> None:
        """A piece of one."""
        if self._inside:
            self.found[-1] += data
