"""Build test data from recipes (generators.yaml)."""
