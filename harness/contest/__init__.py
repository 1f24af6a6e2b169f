"""Whole contests: which problems, in which order, and what is made of all of them together."""
