"""What can go wrong with mutation testing itself."""

from harness.errors import HarnessError


class MutationError(HarnessError):
    """A solution cannot be mutated: its language is not known, it does not build, or the data does not accept it."""


class UnsearchableError(MutationError):
    """Mutants of a solution cannot be searched for killers; the message says on which input, why, and what to do."""
