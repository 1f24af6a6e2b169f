"""Atomic file writes, temporary folders, and untrusted folders."""
