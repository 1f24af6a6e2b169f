"""Mutation testing of a package's data; docs/mutation.md."""
