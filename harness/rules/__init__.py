"""What results are worth: points, groups, expectations, time limits."""
