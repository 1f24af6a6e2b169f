"""Grade on a Dask cluster: cases run on its workers, everything else on this machine."""
