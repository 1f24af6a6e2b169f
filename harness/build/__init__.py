"""Builds programs for running: staging, compiling in the sandbox, caching."""

from harness.build.builder import Builder
from harness.build.compiler import BuildLimits
from harness.build.model import Built, CompileFailure, Executable, Unavailable
from harness.build.source_files import too_much_code
from harness.build.stage import Stage, staging, write_files

__all__ = [
    "BuildLimits",
    "Builder",
    "Built",
    "CompileFailure",
    "Executable",
    "Stage",
    "Unavailable",
    "staging",
    "too_much_code",
    "write_files",
]
