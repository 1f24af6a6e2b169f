"""Statements for people."""

from harness.statement.page import render_html
from harness.statement.pdf import render_pdf
from harness.statement.source import chosen_language, render_markdown

__all__ = ["chosen_language", "render_html", "render_markdown", "render_pdf"]
