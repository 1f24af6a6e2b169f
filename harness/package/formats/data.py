"""Read data/: the judged groups, and the cases for validators alone."""

from harness.package.formats.cases import GROUP_FILE, LEGACY_GROUP_FILE, CaseReader
from harness.package.formats.current import DataReader
from harness.package.formats.legacy import LegacyReader
from harness.package.model import Case, Group, GroupGrading
from harness.values import dataclass

_PARTS = ("sample", "secret", "invalid_input", "invalid_output", "valid_output")
# Older names of parts.
_OLD_NAMES = {
    "invalid_input": "invalid_inputs",
    "invalid_output": "invalid_outputs",
    "valid_output": "valid_outputs",
}


@dataclass(frozen=True, kw_only=True)
class Data:
    """The content of data/. grading: of data/ itself; None where groups have no graders."""

    sample: Group
    secret: Group
    invalid_inputs: tuple[Case, ...]
    invalid_outputs: tuple[Case, ...]
    valid_outputs: tuple[Case, ...]
    grading: GroupGrading | None = None


def read_current(
    cases: CaseReader, *, scoring: bool, static_validated: bool, validator_flags: tuple[str, ...] = ()
) -> Data:
    """Read data/ by the rules of 2025-09. validator_flags: of problem.yaml, as drafts have them."""
    reader = DataReader(
        cases=cases,
        scoring=scoring,
        static_validated=static_validated,
        group_files=(GROUP_FILE, LEGACY_GROUP_FILE),
        validator_flags=validator_flags,
    )
    return _read(reader, None)


def read_legacy(reader: LegacyReader) -> Data:
    """Read data/ by the rules of the legacy format."""
    return _read(reader, reader.grading())


def _read(reader: DataReader | LegacyReader, grading: GroupGrading | None) -> Data:
    _check_parts(reader.cases)
    return Data(
        sample=reader.sample(),
        secret=reader.secret(),
        invalid_inputs=_part(reader, "invalid_input", answered=False),
        invalid_outputs=_with_outputs(reader, "invalid_output"),
        valid_outputs=_with_outputs(reader, "valid_output"),
        grading=grading,
    )


def _part(reader: DataReader | LegacyReader, part: str, *, answered: bool) -> tuple[Case, ...]:
    tree = reader.cases.tree
    old = _OLD_NAMES[part]
    return reader.all_cases(part if tree.has(part) or not tree.has(old) else old, answered=answered)


def _with_outputs(reader: DataReader | LegacyReader, part: str) -> tuple[Case, ...]:
    cases = _part(reader, part, answered=True)
    for case in cases:
        if case.output is None:
            base = case.name.rpartition("/")[2]
            reader.cases.warn(
                f"{case.name}.in", f"no output beside it, so nothing is tried: expected `{base}.out`"
            )
    return tuple(case for case in cases if case.output is not None)


def _check_parts(cases: CaseReader) -> None:
    for name in cases.tree.folders.get("", ()):
        if name not in (*_PARTS, *_OLD_NAMES.values()):
            cases.warn(name, "no part of data/ in this format: ignored")
    for name in cases.tree.names.get("", ()):
        if name not in (GROUP_FILE, LEGACY_GROUP_FILE):
            cases.warn(name, "lies directly in data/: ignored")
