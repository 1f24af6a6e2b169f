"""Show games: record them in a second run, draw them by the package's viewer, or play them by hand."""
