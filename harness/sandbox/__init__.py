"""Run programs within limits and report the facts. Entry point: `opening.open_sandboxes`."""
