"""Store the results of gradings and other calls in SQLite files."""
