"""Builds programs for running: staging, compiling in the sandbox, caching."""
