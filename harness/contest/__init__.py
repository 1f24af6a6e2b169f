"""Whole contests: read and write them, verify all problems, make the booklet, upload."""
