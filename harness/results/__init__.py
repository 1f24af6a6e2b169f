"""The results of judging: verdicts, the result model, and its JSON."""
