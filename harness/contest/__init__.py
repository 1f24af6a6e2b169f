"""Whole contests: which problems, in which order, and what is made of all of them together."""

from harness.contest.model import Contest, ContestProblem
from harness.contest.read import find_contest, read_contest

__all__ = ["Contest", "ContestProblem", "find_contest", "read_contest"]
