"""Statements for people."""
