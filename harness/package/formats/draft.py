"""The drafts of 2025-09 (2023-07-draft): the places and keys of 2025-09, with groups of either kind."""

from collections.abc import Sequence

from harness.package.formats.cases import CaseReader
from harness.package.formats.legacy import has_legacy_keys
from harness.package.formats.version import Version
from harness.package.model import Format, ProblemLimits, Program


def _has_graders(cases: CaseReader, graders: Sequence[Program], scoring: bool) -> bool:
    """Whether the package has graders of its own or groups with the legacy keys. scoring makes no difference."""
    del scoring
    return bool(graders) or has_legacy_keys(cases)


DRAFT = Version(
    format=Format.DRAFT,
    is_current=False,
    limits=ProblemLimits(time_limit_is_multiple=False),
    has_graders=_has_graders,
)
