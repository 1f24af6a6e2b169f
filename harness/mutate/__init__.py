"""Mutation testing of a package's data; see docs/mutation.md."""
