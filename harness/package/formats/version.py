"""The differences between the versions of the package format, as data; current.py and legacy.py define the versions."""

from collections.abc import Callable, Sequence

from harness.package.formats.cases import CaseReader
from harness.package.model import Format, ProblemLimits, Program
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Version:
    """One version of the format.

    is_current: whether what 2025-09 forbids is a fault; else it is merely old. limits: the defaults.
    statement_folders, output_validator_folders: the version's own name first, then the other versions' name.
    statements_are_named: whether each statement needs a name in problem.yaml and each name a statement.
    guesses_python_2: whether programs may leave out that they are in Python 2.
    default_validator_unless_custom: whether an output validator counts only with `validation: custom`.
    has_graders: whether groups are graded by graders, of the cases, the programs in graders/ and whether there are
    scores; else by the rules of 2025-09.
    """

    format: Format
    is_current: bool
    limits: ProblemLimits
    statement_folders: tuple[str, str] = ("statement", "problem_statement")
    output_validator_folders: tuple[str, str] = ("output_validator", "output_validators")
    statements_are_named: bool = True
    guesses_python_2: bool = False
    default_validator_unless_custom: bool = False
    has_graders: Callable[[CaseReader, Sequence[Program], bool], bool]
