"""Run generators again: what they make must depend on their arguments only, or no other machine can build the data."""

import time
from pathlib import Path

from harness.errors import HarnessError
from harness.generate.case_rule import NAME
from harness.generate.programs import PackagePrograms, ProgramCall, generator_program
from harness.generate.recipe import PlannedCase, Recipe, alternating
from harness.generate.record import digest_of
from harness.host.host import Host
from harness.package import Package
from harness.sandbox.facts import Sandbox


def unlike_before(package: Package, recipe: Recipe, data: Path, host: Host, time_s: float) -> list[str]:
    """Return the inputs in `data` that their generators make differently when they are called again.

    The first cases of all generators come first; after `time_s` seconds no further call is begun. A call that fails,
    or that writes its files itself, tells nothing.
    """
    programs, end_s = PackagePrograms(host=host, limits=package.limits), time.monotonic() + time_s
    made = [case for case in alternating(recipe.cases) if case.invocation is not None and ".in" not in case.texts]

    def differs(sandbox: Sandbox, case: PlannedCase) -> bool:
        if case.invocation is None or case.retries > 1 or time.monotonic() > end_s:
            return False
        program = generator_program(package, recipe, case.invocation.generator)
        call = ProgramCall(
            program=program, arguments=case.invocation.arguments, stdin=Path("/dev/null"), writes_files=True
        )
        with host.work_folder(sandbox) as work:
            try:
                folder = programs.run(sandbox, call, f"{case.name}.in", work)
            except HarnessError:
                return False
            own = folder / f"{NAME}.in"
            return not own.exists() and digest_of(work / "stdout") != digest_of(data / f"{case.name}.in")

    return sorted(f"{case.name}.in" for case, is_other in host.pool.each(differs, made) if is_other)
