"""Words and tables for results. Judges nothing, prints nothing."""
