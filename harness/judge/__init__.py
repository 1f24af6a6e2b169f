"""Judging: submissions of a package, to results."""
