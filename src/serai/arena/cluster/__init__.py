"""Games on many machines: what is asked of a Dask cluster, and how its workers answer. Only ``reach`` loads Dask."""
