"""What a grading has found so far, kept in one SQLite file, and results read back from JSON."""
