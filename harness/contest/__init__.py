"""Whole contests: their problems in order, and the documents and checks for all of them together."""
