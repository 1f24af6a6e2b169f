"""An online judge for one's own machine: problem packages in, verdicts out."""

__version__ = "0.1.0"
