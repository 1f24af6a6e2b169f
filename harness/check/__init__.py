"""From the facts of a run to a verdict."""

from harness.check.classify import Judgement, classify_run
from harness.check.custom_validator import Validation, run_validator
from harness.check.default_validator import compare, compare_files, parse_arguments
from harness.check.difference_window import output_difference
from harness.check.feedback import Feedback, FeedbackRules
from harness.check.judge_programs import ACCEPT, REJECT, judge_program_limits
from harness.check.tokens import Comparison

__all__ = [
    "ACCEPT",
    "REJECT",
    "Comparison",
    "Feedback",
    "FeedbackRules",
    "Judgement",
    "Validation",
    "classify_run",
    "compare",
    "compare_files",
    "judge_program_limits",
    "output_difference",
    "parse_arguments",
    "run_validator",
]
