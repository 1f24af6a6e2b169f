"""Verify a package: check everything that a careful setter would check before publishing it."""
