"""The families of package formats, one reader each; every reader fills the same Package.

A family with folders of its own layout is one function: it lays the files out as those of a package of 2025-09. Give it
a `Family` with `lay_out` in a module here, and add that to FAMILIES in families.py.
"""
