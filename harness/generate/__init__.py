"""Test data from recipes."""
