"""Read a contest's folder: `contest.yaml` and `problems.yaml` of DOMjudge, CLICS and BAPCtools.

`contest.yaml` may list the problems itself (`problems`, CLICS `problemset`); else they are in `problems.yaml` or
`problemset.yaml`. Each may be a `.json` file instead. A problem's package is the folder or zip of its short name beside
these files, or a problem of the workspace around them.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import TypeAlias

from harness.contest.contest import Contest, ContestProblem, color_of, rgb_of
from harness.errors import Fault, PackageError, UsageError
from harness.package import Package
from harness.package.archive import is_archive, opened
from harness.package.files import File
from harness.package.find import find_workspace
from harness.package.findings import Findings
from harness.package.load import has_manifest, load_to_read
from harness.package.names import language_code, misspelt
from harness.package.yaml_lines import YamlSection, YamlValue, document_of
from harness.values import dataclass

_ENDS = ("yaml", "yml", "json")
CONTEST = tuple(f"contest.{end}" for end in _ENDS)
PROBLEMS = (*(f"problems.{end}" for end in _ENDS), *(f"problemset.{end}" for end in _ENDS))
MOST_PROBLEMS = 200
NO_PACKAGE = "no such folder or zip"
_CLOCK = re.compile(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?")
_START = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d\d(?::?\d\d)?)?")
_ID = re.compile(r"[A-Za-z0-9_-]+")
_SLUG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_SYNONYMS = {  # of CLICS, BAPCtools and older versions; after `-` was replaced by `_`
    "short_name": "id", "slug": "id", "externalid": "id", "formal_name": "name", "title": "name", "letter": "label",
    "colour": "color", "length": "duration", "scoreboard_freeze_length": "scoreboard_freeze_duration",
    "freeze": "scoreboard_freeze", "timelimit": "time_limit",
}  # fmt: skip
_KEYS_OF_OTHERS = (  # DOMjudge, CLICS and BAPCtools: accepted, but unused here
    "shortname", "scoreboard_type", "penalty", "warning_message", "activate_time", "default_clars",
    "clar_categories", "awards", "medals", "countdown_pause_time", "logo", "banner", "location", "subtitle",
    "testsession", "year", "author", "source", "source_url", "license", "dj_id", "contest_id", "country",
    "scoreboard_freeze_time", "location_name", "event_feed", "allow_submit",
)  # fmt: skip
_KEYS_OF_OTHERS_FOR_PROBLEMS = (  # the package has them, or tools count them there
    "uuid", "ordinal", "memory_limit", "output_limit", "code_limit", "test_data_count", "max_score", "statement",
    "attachments", "package", "author", "source", "externalurl", "shortname",
)  # fmt: skip
ReadPackage: TypeAlias = tuple[Package, tuple[Fault, ...]]
Reading: TypeAlias = Callable[[Path], ReadPackage]


def find_contest(folder: Path) -> Path:
    """Return the contest's folder: `folder`, or a workspace's `problems/` there. Raises UsageError if none.

    A file of the contest stands for its folder.
    """
    if folder.name in (*CONTEST, *PROBLEMS) and folder.is_file():
        folder = folder.parent
    if not folder.is_dir():
        what = "is a file: name the contest's folder" if folder.exists() else "no such folder"
        raise UsageError(f"{folder}: {what}")
    workspace = find_workspace(folder)
    places = [folder] if workspace is None else [folder, workspace, workspace / "problems"]
    for candidate in places:
        if any((candidate / name).is_file() for name in (*CONTEST, *PROBLEMS)):
            return candidate
    writes = f"`harness contest new {shlex.quote(str(folder))}` writes both"
    raise UsageError(f"{folder}: no {CONTEST[0]} or {PROBLEMS[0]} in it: {writes}")


def read_contest(root: Path) -> Contest:
    """Read the contest in a folder. Raises PackageError if its files are unusable (not YAML, no problem)."""
    findings = Findings()
    reader = _Reader(root=root, findings=findings)
    document = reader.document_in(CONTEST)
    described = document.section() if document is not None else None
    rows = _rows(reader, described)
    problems = list(reader.problems(rows))
    if not problems:
        listed = next((root / name for name in (*PROBLEMS, *CONTEST) if (root / name).is_file()), root)
        if not any(fault.path == listed for fault in findings.faults):
            findings.fault(listed, "no problem in it: list them as `- id: <folder>` and `label: A`")
        raise PackageError(findings.faults, findings.warnings)
    contest = (
        _described(root, described)
        if described is not None
        else Contest(root=root, slug=root.resolve().name, name=root.resolve().name, problems=())
    )
    return replace(
        contest, problems=tuple(problems), faults=tuple(findings.faults), warnings=tuple(findings.warnings)
    )


def _rows(reader: "_Reader", described: YamlSection | None) -> list[YamlValue]:
    """Return the problem entries of contest.yaml, else of problems.yaml."""
    inside = [value for key in ("problems", "problemset") if described and (value := described.take(key))]
    if inside:
        return list(inside[0].items())
    listed = reader.document_in(PROBLEMS)
    if listed is None:
        return []
    if listed.is_mapping and (section := listed.section()) is not None:  # CLICS problemset.yaml
        entries = section.take("problems") or section.take("problemset")
        return list(entries.items()) if entries is not None else []
    return list(listed.items())


def _described(root: Path, section: YamlSection) -> Contest:
    """Read the contest's own values from contest.yaml."""
    _spell_keys_alike(section)
    folder = root.resolve().name
    at = dict(section.entries)
    duration_s, freeze_s = _seconds(section, "duration"), _seconds(section, "scoreboard_freeze_duration")
    freeze_at_s = _seconds(section, "scoreboard_freeze")
    if freeze_s is None and freeze_at_s is not None and duration_s is not None:
        freeze_s = duration_s - freeze_at_s
    if freeze_s is not None and duration_s is not None and not 0 <= freeze_s <= duration_s:
        frozen = at.get("scoreboard_freeze_duration") or at["scoreboard_freeze"]
        frozen.fault("the scoreboard is frozen for longer than the contest lasts")
        freeze_s = None
    contest = Contest(
        root=root, slug=section.string("id") or folder, name=section.string("name") or folder, problems=(),
        start_time=_start(section), duration_s=duration_s, freeze_s=freeze_s,
        penalty_minutes=section.integer("penalty_time", 0, 20, high=1000), languages=_languages(section),
        languages_at=f"{section.value.path.name}:{at['languages'].line}" if "languages" in at else "",
    )  # fmt: skip
    _check_id(contest.slug, at.get("id", section.value))
    section.skip(*_KEYS_OF_OTHERS)
    section.finish("contest.yaml", strict=False)
    return contest


def _check_id(slug: str, value: YamlValue) -> None:
    if not _ID.fullmatch(slug):
        value.warn(f"`id: {slug[:60]}` is no id that DOMjudge takes: write it in a-z, A-Z, 0-9, - and _")


def _spell_keys_alike(section: YamlSection) -> None:
    """Rename the keys of other tools and older versions to DOMjudge's keys; if both are present, DOMjudge's counts."""
    for key in list(section.entries):
        dashed = key.replace("-", "_")
        section.entries.setdefault(_SYNONYMS.get(dashed, dashed), section.entries[key])
        if _SYNONYMS.get(dashed, dashed) != key:
            del section.entries[key]


def _start(section: YamlSection) -> str | None:
    value = section.take("start_time")
    text = value.text or "" if value is not None else None
    if value is not None and not _START.fullmatch(text or ""):
        value.fault("`start_time` must be a time such as 2026-11-28T10:00:00+01:00")
        return None
    return text


def _seconds(section: YamlSection, key: str) -> int | None:
    value = section.take(key)
    if value is None:
        return None
    match = _CLOCK.fullmatch(value.text or "")
    if match is None:
        value.fault(f"`{key}` must be hours, minutes and seconds such as 5:00:00")
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 3600 * hours + 60 * minutes + seconds


def _languages(section: YamlSection) -> tuple[str, ...]:
    """Read a list of codes, or of mappings with an `id` (CLICS) or a `name`."""
    value = section.take("languages")
    codes: list[str] = []
    for item in value.items() if value is not None else ():
        if item.is_mapping and (inner := item.section()) is not None:
            codes.append(inner.string("id") or inner.string("name") or "")
        elif item.text is not None:
            codes.append(item.text)
        else:
            item.fault("`languages` must hold codes such as cpp, java, python3")
    return tuple(language_code(code.lower()) for code in codes if code)


@dataclass(kw_only=True)
class _Reader:
    """Reads the files of one contest. seen: the first line of each label, short name and colour."""

    root: Path
    findings: Findings
    seen: dict[tuple[str, str], int] = field(default_factory=dict)

    def document_in(self, names: Sequence[str]) -> YamlValue | None:
        """Return the document of the first of these files that exists."""
        path = next((self.root / name for name in names if (self.root / name).is_file()), None)
        return document_of(File(origin=path), self.findings) if path is not None else None

    def problems(self, rows: Sequence[YamlValue]) -> Iterator[ContestProblem]:
        """Yield the problems of the entries in order, skipping faulty entries."""
        if len(rows) > MOST_PROBLEMS:
            rows[0].fault(f"{len(rows)} problems: at most {MOST_PROBLEMS} are read")
        for index, row in enumerate(rows[:MOST_PROBLEMS]):
            problem = self._problem(row, label_of(index))
            if problem is not None:
                yield problem

    def _problem(self, row: YamlValue, default_label: str) -> ContestProblem | None:
        """Read the entry of a problem; None if it is faulty."""
        if row.text is not None:  # a list of folders
            return self._located(row, ContestProblem(label=default_label, slug=row.text, root=None))
        section = row.section()
        if section is None:
            return None
        _spell_keys_alike(section)
        slug = section.string("id")
        if slug is None:
            row.fault("a problem without `id`: name its folder there")
            return None
        label, color, rgb = (
            section.string("label") or default_label,
            section.string("color"),
            section.string("rgb"),
        )
        shade = rgb_of(rgb or color or "")
        if (rgb or color) and shade is None:
            row.warn(f"the colour `{rgb or color}` is not known: give `rgb: '#rrggbb'`")
        problem = ContestProblem(
            label=label, slug=slug, root=None, name=section.string("name"), rgb=shade,
            color=color if color and not color.startswith("#") else color_of(shade) if shade else None,
            time_limit_s=section.number("time_limit", 0, None), origin=f"{row.path.name}:{row.line}",
        )  # fmt: skip
        section.skip(*_KEYS_OF_OTHERS_FOR_PROBLEMS)
        section.finish(row.path.name, strict=False)
        return self._located(row, problem)

    def _located(self, row: YamlValue, problem: ContestProblem) -> ContestProblem | None:
        """Return the problem with its folder or zip."""
        if not is_slug(problem.slug):
            row.fault(
                f"`id: {problem.slug[:60]}` is no name of a folder beside this file (letters, digits, - _ .)"
            )
            return None
        self._report_second("label", problem.label, row.line, row.fault)
        self._report_second("id", problem.slug, row.line, row.fault)
        if problem.rgb is not None:
            self._report_second("colour", problem.rgb, row.line, row.warn)
        zipped = problem.slug.endswith(".zip")  # the file's name, not the id
        root = None if zipped else next(filter(_is_package, self._places(problem.slug)), None)
        link = self.root / problem.slug
        if root is None and link.is_symlink() and not link.exists():
            row.fault(f"`{problem.slug}` is a link to nothing, or to itself: let it name the package's folder")
        elif root is None:
            meant = self._meant(problem.slug)
            fix = f"did you mean `{meant}`?" if meant else f"neither {problem.slug}/problem.yaml nor a zip"
            row.fault(f"no package `{problem.slug}` beside this file: {fix}")
        else:
            _check_id(problem.slug, row)
        return replace(problem, root=root)

    def _report_second(self, kind: str, text: str, line: int, note: Callable[[str], None]) -> None:
        """Report a repeated label or problem as a fault, a repeated colour as a warning."""
        first = self.seen.setdefault((kind, text), line)
        if first != line:
            note(f"the {kind} `{text}` stands twice: on line {first}, too; change one")

    def _meant(self, slug: str) -> str | None:
        """Return the short name that was probably meant; None if there is none."""
        paths = [path for place in self._places(".") if place.is_dir() for path in place.iterdir()]
        names = {name.lower(): name for name in map(short_name, filter(_is_package, paths)) if is_slug(name)}
        wanted = slug.removesuffix(".zip").lower()
        return names.get(wanted) or names.get(misspelt(wanted, names) or "")

    def _places(self, slug: str) -> Iterator[Path]:
        yield from (self.root / slug, self.root / f"{slug}.zip", self.root / "problems" / slug)
        workspace = find_workspace(self.root)
        if workspace is not None:
            yield workspace / "problems" / slug


def _is_package(path: Path) -> bool:
    return path.is_file() if path.suffix == ".zip" else has_manifest(path)


@contextmanager
def opened_package(problem: ContestProblem, read: Reading = load_to_read) -> Iterator[ReadPackage]:
    """Open a problem's package; yield the package as far as it can be read, and its faults.

    read: reads it in its folder. Raises UsageError if the problem has no package, PackageError if nothing of it can be
    read.
    """
    if problem.root is None:
        raise UsageError(NO_PACKAGE)
    with opened(problem.root) as root:
        yield read(root)


def is_slug(text: str) -> bool:
    """Return whether a problem may have this short name."""
    return _SLUG.fullmatch(text) is not None and ".." not in text


def short_name(path: Path) -> str:
    """Return the short name that the name of a folder or archive gives."""
    return path.stem if is_archive(path) else path.name


def label_of(index: int) -> str:
    """Return the label of an index: A, B, …, Z, AA, AB, …"""
    return ("" if index < 26 else label_of(index // 26 - 1)) + chr(ord("A") + index % 26)
