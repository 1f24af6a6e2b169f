"""Adds a content security policy to a viewer's page: it may run its own scripts and reach no network.

The page is package code that quotes contestants, and is opened from the reader's disk. The policy comes first in the
page: scripts by the hash of their text, no network, no forms. A second policy in the page can only forbid more.
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
    """Return the page with its policy. Raises JudgeError for a page that is not UTF-8."""
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
