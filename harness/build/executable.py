"""Results of a build: an executable, a compile failure, or a tool that this machine lacks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from harness.build.languages import Language, is_of
from harness.build.toolchains import Toolchain
from harness.package import Program
from harness.sandbox.facts import MIB, Command, Limits
from harness.values import dataclass

BINARY = "program.bin"
JAVA = "java"
# A compiled class with `main(String[])` contains these: its name and the type of its arguments.
_HAS_MAIN = (b"\x01\x00\x04main", b"([Ljava/lang/String;)V")
_LARGEST_CLASS = 1 << 20
_MOST_CLASSES = 10_000
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z0-9_]+)", re.MULTILINE)
_MEMORY_MIB = "\0"  # stands for {memory_mib} until a run: no file can have that name
BASE_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def placeholder_values(program: Program, toolchain: Toolchain, folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the value of each placeholder of the table."""
    given = sources_of(program, toolchain.language)
    return {
        **{name: (str(path),) for name, path in toolchain.paths.items()},
        "flags": tuple(flag.replace("{dir}", str(folder)) for flag in toolchain.language.flags),
        "files": given,
        "source": given[:1],
        "binary": (str(folder / BINARY),),
        "dir": (str(folder),),
    }


def filled(template: Iterable[str], values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Replace placeholders; a placeholder that is a whole argument may become several arguments."""
    arguments: list[str] = []
    for part in template:
        if part.startswith("{") and part.endswith("}") and part[1:-1] in values:
            arguments += values[part[1:-1]]
            continue
        for name, replacement in values.items():
            part = part.replace("{" + name + "}", " ".join(replacement))  # noqa: PLW2901
        arguments.append(part)
    return tuple(arguments)


def with_folder(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment with `{dir}` filled in."""
    return {name: value.replace("{dir}", str(folder)) for name, value in environment.items()}


def sources_of(program: Program, language: Language) -> tuple[str, ...]:
    """Return the files for the compiler: those with the language's endings, else all.

    The file that a program starts with comes first: `main`, or the name of its folder, or a script that no other script
    imports.
    """
    names = tuple(program.files)
    own = tuple(name for name in names if is_of(language, name)) or names
    mains = filter(None, ("main", "__main__", program.start_by_name))
    first = next((name for main in mains for name in own if name.rpartition(".")[0].lower() == main), None)
    if first is None and len(own) > 1 and all(name.endswith(".py") for name in own):
        first = _not_imported(program, own)
    return own if first is None else (first, *(name for name in own if name != first))


def _not_imported(program: Program, names: Iterable[str]) -> str | None:
    scripts = tuple(names)
    imported = {word for name in scripts for word in _IMPORT.findall(program.files[name].read())}
    return next((name for name in scripts if "/" not in name and Path(name).stem.encode() not in imported), None)


def entry_candidates(program: Program, language: Language) -> list[str]:
    """Return the files that could be started, the most likely first."""
    if program.entrypoint:
        return [program.entrypoint]
    stems = [Path(name).stem for name in sources_of(program, language)]
    source = sources_of(program, language)[0]
    candidates: list[str] = []
    for template in language.entry:
        candidates += [template.format(stem=stem, source=source) for stem in stems]
    return list(dict.fromkeys(candidates))


def entry_of(program: Program, language: Language, folder: Path) -> str | None:
    """Return the file or class to start: "" if the language needs none; None if nothing can be started."""
    if not any("{entry}" in part for part in language.run):
        return ""
    candidates = entry_candidates(program, language)
    if language.code == JAVA:
        starting = list(_starting_classes(folder))
        wanted = {name: index for index, name in reversed(list(enumerate(candidates)))}
        starting.sort(key=lambda name: wanted.get(name.rpartition(".")[2], len(wanted)))
        if starting and not program.entrypoint:
            return starting[0]
    for candidate in candidates:
        if (folder / language.entry_file.replace("{entry}", candidate)).is_file():
            return candidate
    return None


def _starting_classes(folder: Path) -> Iterator[str]:
    """Yield the compiled classes that have a `main`, with their packages; top folders first, then by name."""
    classes = []
    for number, path in enumerate(sorted(folder.rglob("*.class"))):
        if number >= _MOST_CLASSES:
            break
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST_CLASS:
            content = path.read_bytes()
            if all(sign in content for sign in _HAS_MAIN):
                classes.append(path.relative_to(folder).with_suffix("").parts)
    yield from (
        ".".join(parts) for parts in sorted(classes, key=lambda parts: (len(parts), "$" in parts[-1], parts))
    )


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A built program: its folder and how to start it. `argv` still lacks the memory limit.

    entry: what the language starts (a file, a class), or the first source if it starts the binary itself. mended: what
    was changed because it does not compile as it is.
    """

    program: Program
    language: Language
    directory: Path
    argv: tuple[str, ...]
    warnings: str = ""
    entry: str = ""
    mended: str = ""

    def moved(self, directory: Path) -> "Executable":
        """Return the program for a copy of its folder."""
        here = str(self.directory)
        argv = tuple(
            str(directory) + part[len(here) :] if part == here or part.startswith(f"{here}/") else part
            for part in self.argv
        )
        return replace(self, directory=directory, argv=argv)

    def as_in_package(self, text: str) -> str:
        """Return a text of the program with the file names of the package, not of the stage."""
        path = self.program.path
        home = path.rpartition("/")[0] if path.rpartition("/")[2] in self.program.files else path
        return text.replace(f"{self.directory}/", f"{home}/" if home else "")

    def command(self, memory_bytes: int, *arguments: str, elsewhere: bool = False) -> Command:
        """Return the command of a run within `memory_bytes`.

        elsewhere: the caller sets another working folder; the run may still read the program's own.
        """
        command = self._commands.get((memory_bytes, elsewhere))
        if command is None:
            command = self._bare_command(memory_bytes)
            if elsewhere:
                argv = tuple(self._absolute(part) for part in command.argv)
                command = replace(command.reading(self.directory), argv=argv)
            self._commands[memory_bytes, elsewhere] = command
        return replace(command, argv=(*command.argv, *arguments)) if arguments else command

    def _absolute(self, part: str) -> str:
        path = self.directory / part
        return str(path) if path.is_file() else part

    @cached_property
    def _commands(self) -> dict[tuple[int, bool], Command]:
        """Cache of commands without arguments, as a program is run on many cases."""
        return {}

    def _bare_command(self, memory_bytes: int) -> Command:
        memory_mib = str(max(memory_bytes // MIB, 16))
        return Command(
            argv=tuple(part.replace(_MEMORY_MIB, memory_mib) for part in self.argv),
            directory=self.directory,
            environment={**BASE_ENVIRONMENT, **with_folder(self.language.environment, self.directory)},
            readable=self.language.readable_here,
        )

    def fit(self, limits: Limits) -> Limits:
        """Return `limits` adapted to this language's runtime: stack, address space, threads."""
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
    """The program does not compile, by its author's fault. `diagnostics` is untrusted text.

    stopped: the compiler reached a limit, which it may not do next time. retries: what it said when the program was
    compiled in other ways, which did not help.
    """

    diagnostics: str
    stopped: bool = False
    retries: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Unavailable:
    """This machine cannot build the program; `message` says what to install."""

    message: str


Built = Executable | CompileFailure | Unavailable


def built_executable(program: Program, toolchain: Toolchain, folder: Path, warnings: str) -> Built:
    """Return the executable in `folder`; a compile failure if nothing can be started."""
    _make_readable(folder)
    values = placeholder_values(program, toolchain, folder)
    entry = entry_of(program, toolchain.language, folder)
    if entry is None:
        tried = ", ".join(entry_candidates(program, toolchain.language))
        return CompileFailure(diagnostics=f"nothing to start: no {tried} after compiling")
    template = [part.replace("{memory_mib}", _MEMORY_MIB) for part in toolchain.language.run]
    argv = filled(template, {**values, "entry": (entry,)})
    return Executable(
        program=program,
        language=toolchain.language,
        directory=folder,
        argv=argv,
        warnings=warnings,
        entry=entry or next(iter(sources_of(program, toolchain.language)), ""),
    )


def _make_readable(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
