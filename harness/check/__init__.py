"""Turn the facts of a run into a verdict."""
