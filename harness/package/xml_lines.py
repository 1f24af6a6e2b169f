"""XML whose elements hold their line numbers. Document types (and so custom entities) are refused."""

from collections.abc import Iterator
from dataclasses import field
from xml.parsers import expat

from harness.package.files import File
from harness.package.findings import Findings
from harness.values import dataclass

LARGEST_FILE = 32 << 20
DEEPEST = 60
MOST_ELEMENTS = 300_000


@dataclass(frozen=True, kw_only=True)
class Element:
    """An element: its name, its attributes, its children, its text without blanks around it, its line."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()

    def get(self, name: str, default: str = "") -> str:
        """Return the attribute, without blanks around it."""
        return self.attributes.get(name, default).strip()

    def all(self, path: str) -> Iterator["Element"]:
        """Yield the elements at the path of tags below this element."""
        tag, _, rest = path.partition("/")
        for child in self.children:
            if child.tag == tag:
                yield from child.all(rest) if rest else (child,)

    def find(self, path: str) -> "Element | None":
        """Return the first element at the path of tags, or None."""
        return next(self.all(path), None)


class _RefusedError(Exception):
    """The XML is well-formed but not accepted."""


def parse_xml(file: File, findings: Findings) -> Element | None:
    """Return the root element; None, with a fault, if the file is not XML or too large."""
    if file.size() > LARGEST_FILE:
        findings.fault(file.origin, f"more than {LARGEST_FILE >> 20} MiB: not read")
        return None
    parser = expat.ParserCreate()
    top = Element(tag="", line=0, attributes={})
    opened, count = [top], 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(opened) > DEEPEST:
            raise _RefusedError(
                f"more than {MOST_ELEMENTS:,} elements, or {DEEPEST} in each other: not read further"
            )
        element = Element(tag=tag, line=parser.CurrentLineNumber, attributes=attributes)
        opened[-1].children.append(element)
        opened.append(element)

    def note(text: str) -> None:
        opened[-1].pieces.append(text)

    def refuse(*_: object) -> None:
        raise _RefusedError(
            "a document type is not read, for its entities could stand for anything: remove <!DOCTYPE …>"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: opened.pop()
    parser.CharacterDataHandler = note
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(file.read(), True)
    except expat.ExpatError as error:
        findings.fault(file.origin, f"not XML: {_reason(error, file.read())}", error.lineno)
        return None
    except (_RefusedError, LookupError, ValueError) as error:
        findings.fault(file.origin, str(error), parser.CurrentLineNumber)
        return None
    return top.children[0]


def _reason(error: expat.ExpatError, content: bytes) -> str:
    """Describe an error of the parser."""
    reason = expat.ErrorString(error.code)
    if reason in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN):
        return "the file ends before all elements are closed: get it anew"
    if reason == expat.errors.XML_ERROR_INVALID_TOKEN and not _is_utf_8(content):
        return "bytes that are not UTF-8: save it as UTF-8, or state its encoding in the first line"
    return reason


def _is_utf_8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
