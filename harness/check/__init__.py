"""From the facts of a run to a verdict."""
