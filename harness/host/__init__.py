"""Run programs on this machine: workers, submission folders, servers of warm programs."""
