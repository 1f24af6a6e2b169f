"""Evaluate results: points, groups, expectations, time limits."""
