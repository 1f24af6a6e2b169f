"""Packages for other judges: one self-contained zip, and a list of what it cannot hold."""
