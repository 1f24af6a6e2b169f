"""Statements for people."""

from harness.statement.page import render_html

__all__ = ["render_html"]
