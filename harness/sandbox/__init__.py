"""Runs programs within limits and reports the facts. `open_sandboxes` is the way in."""
