"""What can go wrong with mutation testing itself."""

from harness.errors import HarnessError


class MutationError(HarnessError):
    """A solution cannot be mutated: its language is not known, it does not build, or the data does not accept it."""
