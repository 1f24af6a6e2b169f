"""From the facts of a run to a verdict."""

from harness.check.classify import Judgement, classify_run
from harness.check.default_validator import compare, compare_files, parse_arguments
from harness.check.difference_window import output_difference
from harness.check.tokens import Comparison
from harness.check.validator_call import (
    ACCEPT,
    REJECT,
    Feedback,
    FeedbackRules,
    ValidatorCall,
    judge_program_limits,
    run_validator,
)

__all__ = [
    "ACCEPT",
    "REJECT",
    "Comparison",
    "Feedback",
    "FeedbackRules",
    "Judgement",
    "ValidatorCall",
    "classify_run",
    "compare",
    "compare_files",
    "judge_program_limits",
    "output_difference",
    "parse_arguments",
    "run_validator",
]
