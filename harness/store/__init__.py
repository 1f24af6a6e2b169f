"""What a grading has found so far, kept in one SQLite file, and results read back from JSON."""

from harness.store.database import Store, open_store
from harness.store.reading import read_report, read_reports

__all__ = ["Store", "open_store", "read_report", "read_reports"]
