"""Run programs on this machine: workers, folders of submissions, servers that keep programs ready."""
