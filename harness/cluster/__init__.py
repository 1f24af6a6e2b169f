"""Grading on a Dask cluster: cases run on its workers, everything else stays where it is."""
