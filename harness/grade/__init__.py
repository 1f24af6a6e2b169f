"""Grade many untrusted submissions into one report, resumably."""
