"""Judge the submissions of a package."""
