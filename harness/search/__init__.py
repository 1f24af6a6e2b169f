"""Search for inputs that break a program, and make them small; see docs/search.md."""
