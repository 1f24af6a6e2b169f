"""Results of a build: an executable, a failure of its author, or a tool that this machine lacks."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from harness.build import command_lines
from harness.build.languages import Language
from harness.build.toolchains import Toolchain
from harness.package import Program
from harness.sandbox import Command
from harness.sandbox.limits import MIB, Limits
from harness.values import dataclass

BASE_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A built program: where it lies and how it is started. `argv` still holds {memory_mib}.

    entry: what the language starts (a file, a class), or the first source where it starts the binary itself.
    """

    program: Program
    language: Language
    directory: Path
    argv: tuple[str, ...]
    warnings: str = ""
    entry: str = ""

    def moved(self, directory: Path) -> "Executable":
        """Return the program for a copy of its folder."""
        here = str(self.directory)
        argv = tuple(
            str(directory) + part[len(here) :] if part == here or part.startswith(f"{here}/") else part
            for part in self.argv
        )
        return replace(self, directory=directory, argv=argv)

    def as_in_package(self, text: str) -> str:
        """Return a text of the program with its files named as in the package, not as staged."""
        path = self.program.path
        home = path.rpartition("/")[0] if path.rpartition("/")[2] in self.program.files else path
        return text.replace(f"{self.directory}/", f"{home}/" if home else "")

    def command(self, memory_bytes: int, *arguments: str) -> Command:
        """Return the command of a run within `memory_bytes`."""
        command = self._commands.get(memory_bytes)
        if command is None:
            command = self._commands[memory_bytes] = self._bare_command(memory_bytes)
        return replace(command, argv=(*command.argv, *arguments)) if arguments else command

    @cached_property
    def _commands(self) -> dict[int, Command]:
        """Commands without arguments, by memory: a program is run on many cases."""
        return {}

    def _bare_command(self, memory_bytes: int) -> Command:
        memory_mib = str(max(memory_bytes // MIB, 16))
        return Command(
            argv=tuple(part.replace("{memory_mib}", memory_mib) for part in self.argv),
            directory=self.directory,
            environment={**BASE_ENVIRONMENT, **command_lines.placed(self.language.environment, self.directory)},
            readable=self.language.readable_here,
        )

    def fit(self, limits: Limits) -> Limits:
        """Return `limits` with what this language's runtime needs: stack, address space, threads."""
        fitted = self._fits.get(limits)
        if fitted is None:
            fitted = self._fits[limits] = replace(
                limits,
                stack_bytes={"memory": limits.memory_bytes, "half": limits.memory_bytes // 2}.get(
                    self.language.stack
                ),
                cap_data_segment=self.language.cap_data,
                cap_address_space=self.language.cap_addresses,
                threads=self.language.threads,
            )
        return fitted

    @cached_property
    def _fits(self) -> dict[Limits, Limits]:
        return {}


@dataclass(frozen=True, kw_only=True)
class CompileFailure:
    """The program does not build: its author's fault. `diagnostics` is untrusted text."""

    diagnostics: str


@dataclass(frozen=True, kw_only=True)
class Unavailable:
    """This machine cannot build the program; `message` says what to install."""

    message: str


Built = Executable | CompileFailure | Unavailable


def built_executable(program: Program, toolchain: Toolchain, folder: Path, warnings: str) -> Built:
    """Return what was built in `folder`; a compile failure where nothing can be started."""
    _make_readable(folder)
    values = command_lines.values(program, toolchain, folder)
    entry = command_lines.entry(program, toolchain.language, folder)
    if entry is None:
        tried = ", ".join(command_lines.entry_candidates(program, toolchain.language))
        return CompileFailure(diagnostics=f"nothing to start: no {tried} after compiling")
    argv = command_lines.filled(toolchain.language.run, {**values, "entry": (entry,)})
    return Executable(
        program=program,
        language=toolchain.language,
        directory=folder,
        argv=argv,
        warnings=warnings,
        entry=entry or next(iter(command_lines.sources(program, toolchain.language)), ""),
    )


def _make_readable(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
