"""From the facts of a run to a verdict."""

from harness.check.classify import Judgement, classify_run
from harness.check.custom_validator import Validation, run_validator, validation_limits
from harness.check.default_validator import Comparison, compare, parse_arguments

__all__ = [
    "Comparison",
    "Judgement",
    "Validation",
    "classify_run",
    "compare",
    "parse_arguments",
    "run_validator",
    "validation_limits",
]
