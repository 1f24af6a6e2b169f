"""Run a Java program on many inputs in one virtual machine; HarnessServer.java is its other end."""

import re
from dataclasses import replace
from pathlib import Path

from harness.build.builder import Builder
from harness.build.compiler import BuildLimits
from harness.build.executable import JAVA, Executable
from harness.errors import MachineError
from harness.package import Program
from harness.package.files import File
from harness.sandbox.facts import MIB, Command, Sandbox

_SERVER = Path(__file__).with_name("HarnessServer.java")
_BUFFERS_BYTES = 64 * MIB  # of the heap, for inputs, outputs and replies
# Such a program ends the virtual machine without System.exit, changes it for later runs, has a name of the server's, or
# uses its streams without System.in and System.out.
_NEEDS_OWN_MACHINE = re.compile(
    rb"\b(?:halt|Runtime|\w*UncaughtExceptionHandler|HarnessServer\w*|FileDescriptor|inheritedChannel|console"
    rb"|ProcessHandle)\b|/dev/|/proc/"
)


def build_java_server(builder: Builder, executable: Executable, sandbox: Sandbox) -> Executable | None:
    """Build the server for a program; None if it cannot run it."""
    if executable.language.code != JAVA or executable.argv[-3:-1] != ("-cp", str(executable.directory)):
        return None
    if any(_NEEDS_OWN_MACHINE.search(file.read()) for file in executable.program.files.values()):
        return None
    server = Program(path=_SERVER.name, files={_SERVER.name: File(origin=_SERVER, content=_SERVER.read_bytes())})
    try:
        built = builder.build(server, BuildLimits(), sandbox)
    except MachineError:
        return None
    return built if isinstance(built, Executable) else None


def java_server_command(executable: Executable, server: Executable, memory_bytes: int) -> Command:
    """Return the command of the server for a program."""
    command = executable.command(memory_bytes + _BUFFERS_BYTES)
    *options, folder, entry = command.argv
    argv = (*options, str(server.directory), server.entry, folder, entry)
    return replace(command.reading(server.directory, executable.directory), argv=argv)
