"""Grading: many submissions of strangers, to one report, with nothing lost on the way."""
