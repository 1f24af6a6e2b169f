"""Never claims anything: accepted, and worth nothing."""

print("\n".join(["unknown"] * int(input())))
