"""Judging: submissions of a package, to results."""

from harness.judge.judging import Entry, Judging, Observer

__all__ = ["Entry", "Judging", "Observer"]
