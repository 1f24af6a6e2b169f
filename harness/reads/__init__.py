"""What programs read from standard input, found in their sources, and written as shapes."""
