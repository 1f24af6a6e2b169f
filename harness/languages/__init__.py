"""Languages: how a program is built and run, and where this machine keeps the tools for it."""

from harness.languages.table import (
    Language,
    LanguageTable,
    checked,
    config_files,
    holds_checks,
    is_of,
    language_of,
    load_table,
    run_with_checks,
)
from harness.languages.tools import Toolchain, find_toolchain

__all__ = [
    "Language",
    "LanguageTable",
    "Toolchain",
    "checked",
    "config_files",
    "find_toolchain",
    "holds_checks",
    "is_of",
    "language_of",
    "load_table",
    "run_with_checks",
]
