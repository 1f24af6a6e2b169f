"""Run a program on many inputs in one process."""

import struct
from collections.abc import Sequence
from dataclasses import replace

from harness.errors import JudgeError
from harness.host.host import Host
from harness.sandbox import Command, Sandbox
from harness.sandbox.limits import MIB, Limits

_BATCH_S = 1800.0
_BATCH_WALL_S = 4 * _BATCH_S  # other work may keep the machine busy


def pack(inputs: Sequence[bytes]) -> bytes:
    """Join inputs as batch programs read them: of each its length in 32 bits, then its bytes."""
    return b"".join(struct.pack("<I", len(data)) + data for data in inputs)


def run_batch(
    host: Host, sandbox: Sandbox, command: Command, given: bytes, *, shares_memory: bool = False
) -> bytes:
    """Return what a program prints. Raises JudgeError when it fails.

    shares_memory: it shares memory with its forks, which the sandbox allows only to programs that may write files.
    """
    limits = Limits(
        cpu_s=_BATCH_S, wall_s=_BATCH_WALL_S, memory_bytes=3072 * MIB, output_bytes=256 * MIB, threads=256
    )
    with host.work_folder(sandbox) as work:
        stdin, stdout, stderr = work / "batch.in", work / "stdout", work / "stderr"
        stdin.write_bytes(given)
        stdin.chmod(0o644)
        if shares_memory:
            (work / "own").mkdir()
            command = replace(command.reading(command.directory), directory=work / "own", writable_directory=True)
        result = sandbox.run(command, limits, stdin=stdin, stdout=stdout, stderr=stderr)
        if result.exit_code != 0:
            errors = stderr.read_bytes()[:1000].decode(errors="replace")
            ended = result.killed_for or f"exit code {result.exit_code}, signal {result.signal}"
            raise JudgeError(f"{command.argv[-1]}: failed: {ended}\n{errors}".strip())
        return stdout.read_bytes()
