"""Games to show to people: recorded in a second run, drawn by the package's viewer, or played by hand."""
