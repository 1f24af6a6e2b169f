"""A game once more: recorded, drawn by the package, or played by a person."""
