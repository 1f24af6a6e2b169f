"""What a grading has found so far, kept in one SQLite file, and results read back from JSON."""

from harness.results.reading import read_report, read_reports
from harness.store.database import Store, open_store

__all__ = ["Store", "open_store", "read_report", "read_reports"]
