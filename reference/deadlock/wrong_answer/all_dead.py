"""BUG: calls everything dead."""

print("\n".join(["dead"] * int(input())))
