"""Test cases: the files of data/ that belong to a case, and its settings (2025-09, "Test data"; legacy likewise)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from harness.package.constants import Constants, substituted
from harness.package.files import File, Files
from harness.package.findings import Findings
from harness.package.model import Case, CaseSettings, is_sample_name
from harness.package.yaml_lines import YamlSection, YamlValue, section_of
from harness.values import dataclass

GROUP_FILE = "test_group.yaml"
LEGACY_GROUP_FILE = "testdata.yaml"
GROUP_FILES = (GROUP_FILE, LEGACY_GROUP_FILE)
GRADING_KEYS = ("grading", "on_reject", "grader_flags", "accept_score", "reject_score", "range")  # of legacy
# Extensions that may accompany a case, longest first.
CASE_EXTENSIONS = (
    ".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction",
    ".yaml", ".ans", ".out", ".in", ".png", ".jpg", ".jpeg", ".svg",
)  # fmt: skip
LEGACY_EXTENSIONS = (".hint", ".desc", ".gif", ".args", ".pdf")
_PARTS = (".in", ".ans", ".out", ".yaml")
# A sample may be for people only: these files are shown, nothing is run.
_SHOWN = (".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction")
# At most one of each row belongs to a case (2025-09, "Sample data", "Illustrations").
_EXCLUSIVE = (
    (".in.statement", ".interaction"), (".out", ".ans.statement", ".interaction"), (".out", ".ans.download"),
    (".png", ".jpg", ".jpeg", ".svg"),
)  # fmt: skip
_ARGUMENT_KEYS = ("args", "output_validator_args", "input_visualizer_args", "output_visualizer_args")
_LONGEST_TEXT = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Tree:
    """data/ as folders. `files`: by path below data/; `names`, `folders`: the entries directly in a folder, sorted."""

    files: Files
    names: Mapping[str, Sequence[str]]
    folders: Mapping[str, Sequence[str]]
    extra: Mapping[str, Files]

    def has(self, folder: str) -> bool:
        """Return whether the folder exists."""
        return folder in self.names or folder in self.folders

    def walk(self, folder: str) -> Iterator[str]:
        """Yield `folder` and each folder below it."""
        yield folder
        for name in self.folders.get(folder, ()):
            yield from self.walk(_joined(folder, name))


def tree_of(files: Files) -> Tree:
    """Return the tree of the files below data/; the files in a `.files` belong to its case."""
    names: dict[str, list[str]] = {}
    folders: dict[str, set[str]] = {}
    extra: dict[str, dict[str, File]] = {}
    for path, file in files.items():
        case, inside = _in_extra(path, files)
        if case is not None:
            extra.setdefault(case, {})[inside] = file
            continue
        folder, _, name = path.rpartition("/")
        names.setdefault(folder, []).append(name)
        while folder:
            above, _, name = folder.rpartition("/")
            folders.setdefault(above, set()).add(name)
            folder = above
    return Tree(
        files=files,
        names={folder: sorted(inside) for folder, inside in names.items()},
        folders={folder: sorted(inside) for folder, inside in folders.items()},
        extra=extra,
    )


def _in_extra(path: str, files: Files) -> tuple[str | None, str]:
    case, separator, inside = path.partition(".files/")
    return (case, inside) if separator and f"{case}.in" in files else (None, "")


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


@dataclass(frozen=True, kw_only=True)
class CaseReader:
    """Make cases from files. root: the path of data/, for findings. legacy: `.hint`, `.desc` and stray files are usual.

    answers_expected: False while data is still being built. conversation: the judge program
    needs no answer, so a missing answer is an empty one.
    """

    tree: Tree
    root: PurePath
    constants: Constants
    findings: Findings
    legacy: bool = False
    answers_expected: bool = True
    conversation: bool = False

    def cases_in(self, folder: str, settings: CaseSettings, *, answered: bool = True) -> list[Case]:
        """Return the cases directly in `folder`, by name; other files there are reported."""
        names = self.tree.names.get(folder, ())
        bases = sorted({name.removesuffix(".in") for name in names if name.endswith(".in")})
        self._report_strays(folder, names, set(bases))
        return [self._case(_joined(folder, base), settings, answered=answered) for base in bases]

    def shown_samples(self) -> tuple[Case, ...]:
        """Return what sample/ holds to be shown without an input beside it, by name."""
        names = self.tree.names.get("sample", ())
        bases = {name.removesuffix(end) for name in names for end in _SHOWN if name.endswith(end)}
        lacking = sorted(_joined("sample", base) for base in bases if f"{base}.in" not in names)
        nothing = File(origin=Path(self.root), content=b"")
        return tuple(Case(name=name, input=nothing, answer=None, shown=self._shown(name)) for name in lacking)

    def section(self, path: str) -> YamlSection | None:
        """Return a YAML file below data/ with constants replaced."""
        file = self.tree.files.get(path)
        return section_of(substituted(file, self.constants), self.findings) if file is not None else None

    def fault(self, path: str, message: str) -> None:
        """Add a fault at a path below data/."""
        self.findings.fault(self.origin_of(path), message)

    def warn(self, path: str, message: str) -> None:
        """Add a warning at a path below data/."""
        self.findings.warn(self.origin_of(path), message)

    def origin_of(self, path: str) -> PurePath:
        """Return the file on disk for a path below data/."""
        file = self.tree.files.get(path)
        return file.origin if file is not None else self.root / path

    def _case(self, name: str, settings: CaseSettings, *, answered: bool) -> Case:
        answer = self.tree.files.get(f"{name}.ans")
        base = name.rpartition("/")[2]
        if answer is None and answered and self.answers_expected:
            answer = self._without_answer(name, base)
        if f"{base}.yaml" in GROUP_FILES:
            self.fault(f"{name}.in", f"a test case must not be called `{base}`: its settings would be the group's")
        if self.tree.has(name):
            self.warn(f"{name}.in", "a folder beside it has the same name: rename one")
        shown = self._shown(name)
        return Case(
            name=name,
            input=self.tree.files[f"{name}.in"],
            answer=answer,
            output=self.tree.files.get(f"{name}.out"),
            settings=self._settings(name, settings, shown),
            extra_files=self.tree.extra.get(name, {}),
            shown=shown,
        )

    def _without_answer(self, name: str, base: str) -> File | None:
        missing = f"no answer beside it: expected `{base}.ans`"
        if f"{name}.out" in self.tree.files:
            missing += f"; if `{base}.out` is the answer, rename it"
        if not self.conversation:
            link = self.findings.shown(self.origin_of(f"{name}.ans"))
            if all(fault.path != link for fault in self.findings.faults):  # a broken link is told once
                self.fault(f"{name}.in", missing)
            return None
        self.warn(f"{name}.in", f"{missing}; the output validator gets an empty one")
        return File(origin=Path(self.origin_of(f"{name}.ans")), content=b"")

    def _shown(self, name: str) -> dict[str, File]:
        extensions = [end for end in (*CASE_EXTENSIONS, *LEGACY_EXTENSIONS) if end not in _PARTS]
        shown = {end: self.tree.files[name + end] for end in extensions if name + end in self.tree.files}
        for kind in () if self.legacy else ("in", "ans"):
            if (f".{kind}.statement" in shown) != (f".{kind}.download" in shown) and ".interaction" not in shown:
                there, lacks = sorted(("statement", "download"), key=lambda end: f".{kind}.{end}" not in shown)
                self.warn(f"{name}.{kind}.{there}", f"should come with a `.{kind}.{lacks}`")
        for ends in () if self.legacy else _EXCLUSIVE:
            present = [
                f"`{end}`" for end in ends if end in shown or (end == ".out" and name + end in self.tree.files)
            ]
            if present[1:]:
                self.warn(f"{name}.in", f"{' and '.join(present)} beside it exclude each other: keep one")
        return shown

    def _settings(self, name: str, inherited: CaseSettings, shown: Files) -> CaseSettings:
        described = replace(
            inherited,
            hint=_text(shown.get(".hint")) or inherited.hint,
            description=_text(shown.get(".desc")) or inherited.description,
        )
        section = self.section(f"{name}.yaml")
        if section is None:
            return described if shown else inherited
        settings = read_case_settings(section, described)
        section.finish("a test case's settings", strict=not self.legacy)
        return settings

    def _report_strays(self, folder: str, names: Sequence[str], bases: set[str]) -> None:
        for name in names:
            if name in GROUP_FILES:
                continue
            extension = next((end for end in (*CASE_EXTENSIONS, *LEGACY_EXTENSIONS) if name.endswith(end)), None)
            path = _joined(folder, name)
            if extension is None:
                meant = _meant(name)
                fix = f"did you mean `{meant}`?" if meant else f"known are {', '.join(CASE_EXTENSIONS)}"
                self.warn(path, f"no file of a test case ends so, ignored: {fix}")
            elif name.removesuffix(extension) not in bases:
                self._report_orphan(path, name.removesuffix(extension), extension)

    def _report_orphan(self, path: str, base: str, extension: str) -> None:
        message = f"no input beside it: expected `{base}.in`"
        if is_sample_name(path) and self.conversation and extension == ".interaction":
            return  # as judges of older packages want it
        if is_sample_name(path) and (extension in _SHOWN or (self.legacy and self.conversation)):
            self.warn(path, f"{message}; it is shown to people, nothing is run")
        elif extension in (".ans", ".out", ".yaml", *_SHOWN) and not self.legacy:
            self.fault(path, message)
        else:
            self.warn(path, message)


def _meant(name: str) -> str | None:
    """Return the name that was probably meant by `1.IN`, `1.in.txt` or `test_group.yml`; None if there is none."""
    if name.endswith(".yml"):
        return f"{name.removesuffix('.yml')}.yaml"
    likely = name.lower().removesuffix(".txt")
    return next((name[: len(likely) - len(end)] + end for end in CASE_EXTENSIONS if likely.endswith(end)), None)


def has_grading_keys(cases: CaseReader) -> bool:
    """Return whether a `testdata.yaml` has keys of the legacy format."""
    quiet = replace(cases, findings=Findings())
    for path in cases.tree.files:
        if path.rpartition("/")[2] == LEGACY_GROUP_FILE:
            section = quiet.section(path)
            if section is not None and any(key in section.entries for key in GRADING_KEYS):
                return True
    return False


def _text(file: File | None) -> str | None:
    if file is None or file.size() > _LONGEST_TEXT:
        return None
    return file.read().decode(errors="replace").strip() or None


def read_case_settings(section: YamlSection, inherited: CaseSettings) -> CaseSettings:
    """Read the keys that the settings of cases and of groups share, overriding the inherited settings."""
    section.skip(
        "answer_validator_args", "answer_validator_flags"
    )  # of BAPCtools, whose answer_validators/ are not run
    section.boolean("full_feedback", False)  # nothing here depends on it
    given = {key: _words(section, key) for key in _ARGUMENT_KEYS if key in section.entries}
    return replace(
        inherited,
        **given,
        input_validator_args=_validator_args(section, inherited.input_validator_args),
        hint=section.string("hint", inherited.hint),
        description=section.string("description", inherited.description),
    )


def _words(section: YamlSection, key: str) -> tuple[str, ...]:
    """Take a list of arguments; a string of several words is read as a list, as in older versions."""
    value = section.entries[key]
    if value.text is None or not value.text.split()[1:]:
        return section.strings(key)
    section.skip(key)
    words = tuple(value.text.split())
    value.warn(f"`{key}` is one string: read as the list [{', '.join(words)}]; write it so")
    return words


def _validator_args(
    section: YamlSection, inherited: tuple[str, ...] | Mapping[str, tuple[str, ...]]
) -> tuple[str, ...] | Mapping[str, tuple[str, ...]]:
    value = section.entries.get("input_validator_args")
    if value is None:
        return inherited
    if not value.is_mapping:
        return _words(section, "input_validator_args")
    section.skip("input_validator_args")
    by_validator = YamlSection(value=value)
    return {name: _words(by_validator, name) for name in tuple(by_validator.entries)}


Flags = tuple[str, ...] | Mapping[str, tuple[str, ...]]


def take_flags(section: YamlSection, inherited: CaseSettings) -> CaseSettings:
    """Return `inherited` with the flags of `section`, if it has any."""
    settings = inherited
    value = section.take("input_validator_flags")
    if value is not None:
        settings = replace(settings, input_validator_args=_flags(value))
    value = section.take("output_validator_flags")
    if value is not None:
        flags = _flags(value)
        if isinstance(flags, Mapping):
            value.warn("flags by output validator: every output validator gets all of them")
            flags = tuple(word for words in flags.values() for word in words)
        settings = replace(settings, output_validator_args=flags)
    return settings


def _flags(value: YamlValue) -> Flags:
    if not value.is_mapping:
        return tuple(word for item in value.items() for word in (item.text or "").split())
    section = YamlSection(value=value)
    by_name = {name: tuple((flags.text or "").split()) for name, flags in section.entries.items()}
    if set(section.entries) <= {"name", "flags"}:  # {name: which validator, flags: what it gets}
        name = section.string("name")
        return by_name.get("flags", ()) if name is None else {name: by_name.get("flags", ())}
    return by_name
