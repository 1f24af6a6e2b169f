"""Runs a helper of our own on much input."""

from dataclasses import replace

from harness.errors import JudgeError
from harness.host.host import Host
from harness.sandbox import Command, Sandbox
from harness.sandbox.limits import MIB, Limits

_BATCH_S = 1800.0
_BATCH_WALL_S = 4 * _BATCH_S  # other work may keep the machine busy


def run_batch(host: Host, sandbox: Sandbox, command: Command, given: bytes, *, shares: bool = False) -> bytes:
    """What it says. Raises JudgeError when it fails.

    shares: it shares memory with its forks, which the sandbox grants only to who may write files, so it gets a folder.
    """
    limits = Limits(
        cpu_s=_BATCH_S, wall_s=_BATCH_WALL_S, memory_bytes=3072 * MIB, output_bytes=256 * MIB, threads=256
    )
    with host.work_folder(sandbox) as work:
        stdin, stdout, stderr = work / "batch.in", work / "stdout", work / "stderr"
        stdin.write_bytes(given)
        stdin.chmod(0o644)
        if shares:
            (work / "own").mkdir()
            command = replace(command.reading(command.directory), directory=work / "own", writable_directory=True)
        result = sandbox.run(command, limits, stdin=stdin, stdout=stdout, stderr=stderr)
        if result.exit_code != 0:
            said = stderr.read_bytes()[:1000].decode(errors="replace")
            ended = result.killed_for or f"exit code {result.exit_code}, signal {result.signal}"
            raise JudgeError(f"{command.argv[-1]}: failed: {ended}\n{said}".strip())
        return stdout.read_bytes()
