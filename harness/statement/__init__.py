"""Render problem statements."""
