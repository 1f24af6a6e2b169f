"""Judge programs that are started once and forked for each run."""

from harness.warm.programs import Place, WarmProgram, WarmPrograms, WarmRun

__all__ = ["Place", "WarmProgram", "WarmPrograms", "WarmRun"]
