"""Word and tabulate results, without judging or printing."""
