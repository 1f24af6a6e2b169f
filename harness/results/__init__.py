"""What judging found: verdicts, the one result model, and its JSON."""
