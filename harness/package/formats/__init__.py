"""The formats of packages: one reader a family, and each makes the same Package.

For one more family write a module with a `Family` whose `read` fills a Package, and add it to FAMILIES in load.py.
"""
