"""Turns a program's sources into something that can be run: staged, compiled inside the sandbox, cached.

The cache is keyed by content, language, flags and the identity of the compiler, so that it never needs clearing.
"""

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from harness.build import artifacts, command_lines, compile_hints, java_classes, older_standards, scripts
from harness.build.cache import ProgramCache
from harness.build.compiler import (
    CHECKS_MISSING,
    BuildLimits,
    compiler_command,
    lacks_checks,
    read_diagnostics,
    run_compiler,
    why_killed,
)
from harness.build.languages import Language, LanguageTable, checked, language_of
from harness.build.model import Built, CompileFailure, Executable, Unavailable
from harness.build.precompiled_headers import Headers
from harness.build.source_files import check_names, is_perl, unknown_language, why_too_much, with_included
from harness.build.stage import Stage, write_files
from harness.build.toolchains import Toolchain, find_toolchain
from harness.errors import MachineError
from harness.files import untrusted
from harness.package import Program
from harness.package.files import Files, included
from harness.sandbox import KillReason, Sandbox
from harness.store.identity import digest_of_texts, files_identity, harness_identity, tool_identity

_LOOK_S = 10.0  # for what only makes a message better
_NOTHING: Mapping[str, Files] = MappingProxyType({})


class Builder:
    """Builds programs; safe to share between workers."""

    def __init__(
        self, *, table: LanguageTable, search_path: str, cache: Path, stage: Stage, as_other_user: bool
    ) -> None:
        self._table = table
        self._search_path = search_path
        self.cache = cache
        self._programs = ProgramCache(cache)
        self._headers = Headers(cache / "headers", stage)
        self._stage = stage
        self._as_other_user = as_other_user
        self._toolchains: dict[str, Toolchain] = {}
        self._lock = threading.Lock()

    def build(
        self, program: Program, limits: BuildLimits, sandbox: Sandbox, include: Mapping[str, Files] = _NOTHING
    ) -> Built:
        """Build `program`, or take it from the cache.

        include: files that join it before it is compiled, and do not count as its code: those of `default`, and
        over them those of its language (2025-09, "Included files").
        Raises MachineError when the machine, not the program, is at fault.
        """
        check_names(program)
        if limits.scripts and scripts.has_scripts(program):
            return self._from_cache_or_compiler(program, scripts.toolchain(program), limits, sandbox)
        if limits.code_bytes is not None and (why := why_too_much(program, limits.code_bytes)):
            return CompileFailure(diagnostics=why)
        language = self.language(program)
        if language is None:
            return self._of_no_language(program, limits, sandbox)
        toolchain = self.toolchain(language)
        if not toolchain.available:
            return Unavailable(message=toolchain.explanation)
        if program.language is not None:
            program = command_lines.well_ended(program, language)
        program = with_included(program, included(include, language.code))
        if language.code == java_classes.CODE:
            program = java_classes.well_named(program)
        built = self._from_cache_or_compiler(program, toolchain, limits, sandbox)
        if isinstance(built, CompileFailure) and limits.older_dialects:
            renamed = older_standards.without_taken_names(program, toolchain, built.diagnostics)
            again = self._from_cache_or_compiler(*renamed, limits, sandbox) if renamed is not None else built
            built = again if isinstance(again, Executable) else built
        if isinstance(built, CompileFailure) and limits.older_dialects:
            built = self._in_older_dialect(program, toolchain, limits, sandbox) or built
        if isinstance(built, CompileFailure) and scripts.brings_build(program):
            by_script = self._from_cache_or_compiler(program, scripts.toolchain(program), limits, sandbox)
            built = by_script if isinstance(by_script, Executable) else built
        return self._with_mend(built, program, toolchain, limits, sandbox)

    def _with_mend(
        self, built: Built, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> Built:
        """A compile error with a line before it that says what mends it, where that is known."""
        if not isinstance(built, CompileFailure) or toolchain.language.code not in ("c", "cpp"):
            return built
        mend = compile_hints.of_headers(built.diagnostics)
        if mend is None and not limits.older_dialects and compile_hints.of_standards(built.diagnostics):
            brief = replace(limits, time_s=min(limits.time_s, _LOOK_S))
            flag = self._older_dialect_of(program, toolchain, brief, sandbox)
            mend = (
                flag
                and f"compiles with {flag}, not with {_standard(toolchain)}: harness.toml sets a language's flags"
            )
        return replace(built, diagnostics=f"{compile_hints.MEND}{mend}\n{built.diagnostics}") if mend else built

    def _older_dialect_of(
        self, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> str | None:
        """The flag of the newest older standard that takes the program."""
        for older, flag in older_standards.of(toolchain):
            if isinstance(self._from_cache_or_compiler(program, older, limits, sandbox), Executable):
                return flag
        return None

    def _of_no_language(self, program: Program, limits: BuildLimits, sandbox: Sandbox) -> Built:
        if scripts.has_scripts(program):
            return self._from_cache_or_compiler(program, scripts.toolchain(program), limits, sandbox)
        return Unavailable(message=unknown_language(program, self._table))

    def _in_older_dialect(
        self, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> Executable | None:
        """What was written for an older standard of its language, and is no program of today's."""
        for older, flag in older_standards.of(toolchain):
            built = self._from_cache_or_compiler(program, older, limits, sandbox)
            if isinstance(built, Executable):
                said = f"does not compile by today's standard, but with {flag}\n{built.warnings}"
                return replace(built, warnings=said.strip())
        return None

    def with_flags(self, flags: Mapping[str, Sequence[str]]) -> "Builder":
        """A builder that gives the compilers of these languages, by code, more flags."""
        table = {
            code: replace(language, flags=(*language.flags, *flags.get(code, ())))
            for code, language in self._table.items()
        }
        return self.with_table(table)

    def with_checks(self) -> "Builder":
        """A builder that compiles C and C++ with run-time checks."""
        return self.with_table(checked(self._table))

    def with_table(self, table: LanguageTable) -> "Builder":
        """A builder that knows these languages instead."""
        return Builder(
            table=table,
            search_path=self._search_path,
            cache=self.cache,
            stage=self._stage,
            as_other_user=self._as_other_user,
        )

    def language(self, program: Program) -> Language | None:
        """The language of a program; None where its files do not tell."""
        found = language_of(self._table, program.files, program.language)
        if found is not None and found.code == "prolog" and program.language is None and is_perl(program):
            return self._table.get("perl", found)
        return found

    def toolchain(self, language: Language) -> Toolchain:
        """The tools of `language` on this machine, looked for once."""
        with self._lock:
            if language.code not in self._toolchains:
                self._toolchains[language.code] = find_toolchain(
                    language, search_path=self._search_path, as_other_user=self._as_other_user
                )
            return self._toolchains[language.code]

    def offers(self, code: str) -> bool:
        """Whether this machine has the tools of the language with that code."""
        language = self._table.get(code)
        return language is not None and self.toolchain(language).available

    def tools_of(self, programs: Iterable[Program]) -> list[Path]:
        """The compilers and interpreters that these programs would be built and run with, as far as they are here."""
        languages = {
            language.code: language
            for one in programs
            if (language := language_of(self._table, one.files, one.language)) is not None
        }
        return sorted({path for one in languages.values() for path in self.toolchain(one).paths.values()})

    def _from_cache_or_compiler(
        self, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> Built:
        digest = _key(program, toolchain)
        folder = self._stage.folder("run")  # the cache may lie below a private home, the stage is for everybody
        warnings = self._programs.take(digest, folder)
        if warnings is None:
            outcome = self._compile(program, toolchain, limits, sandbox)
            if isinstance(outcome, CompileFailure):
                lacks = lacks_checks(toolchain.language, outcome.diagnostics)
                return Unavailable(message=CHECKS_MISSING) if lacks else outcome
            built, warnings = outcome
            self._programs.keep(digest, built, warnings)
            untrusted.copy_tree(built, folder)
            untrusted.remove(built)
        return _executable(program, toolchain, folder, warnings)

    def _compile(
        self, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> tuple[Path, str] | CompileFailure:
        headers = self._headers_for(program, toolchain, limits, sandbox)
        outcome = self._compile_with(headers, program, toolchain, limits, sandbox)
        if headers is not None and isinstance(outcome, CompileFailure):  # what helps to be fast decides nothing
            return self._compile_with(None, program, toolchain, limits, sandbox)
        return outcome

    def _headers_for(
        self, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> Path | None:
        """A folder with precompiled headers that this program gains from."""
        if toolchain.language.code != "cpp":
            return None
        ample = replace(limits, time_s=BuildLimits.time_s, memory_bytes=BuildLimits.memory_bytes)

        def compile_it(folder: Path, argv: Sequence[str]) -> bool:
            command = compiler_command(tuple(argv), toolchain.language, folder)
            result = run_compiler(command, ample, sandbox, self._stage.folder("work"))
            if result.exit_code is None:  # Ctrl-C, say: that tells nothing about the next time
                raise MachineError("the compiler was stopped")
            return result.exit_code == 0

        return self._headers.folder_for(program, toolchain, compile_it)

    def _compile_with(
        self, headers: Path | None, program: Program, toolchain: Toolchain, limits: BuildLimits, sandbox: Sandbox
    ) -> tuple[Path, str] | CompileFailure:
        folder = self._stage.folder("build")
        write_files(folder, program.files)
        scripts.make_startable(folder, toolchain)
        output = self._stage.folder("work")
        diagnostics = ""
        for template in toolchain.language.compile:
            argv = command_lines.filled(template, command_lines.values(program, toolchain, folder))
            command = compiler_command(argv, toolchain.language, folder)
            if headers is not None:
                command = replace(command, argv=(*command.argv, "-I", str(headers))).reading(headers)
            result = run_compiler(command, limits, sandbox, output)
            diagnostics += read_diagnostics(output, folder)
            if result.killed_for is KillReason.REQUEST:
                raise MachineError("interrupted")
            too_much = artifacts.excess(folder)
            if result.exit_code != 0 or result.killed_for is not None or too_much:
                untrusted.remove(folder)
                why = f"{too_much}\n" if too_much else why_killed(result, limits, diagnostics)
                return CompileFailure(diagnostics=(why + diagnostics).strip())
        scripts.make_startable(folder, toolchain)
        return folder, diagnostics


def _executable(program: Program, toolchain: Toolchain, folder: Path, warnings: str) -> Built:
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


def _standard(toolchain: Toolchain) -> str:
    """The flag by which the language table asks for a standard."""
    return next(
        (flag for flag in toolchain.language.flags if flag.startswith(older_standards.STANDARD)), "today's"
    )


def _key(program: Program, toolchain: Toolchain) -> str:
    tools = {name: tool_identity(path) for name, path in sorted(toolchain.paths.items())}
    language = toolchain.language
    recipe = [language.code, language.compile, language.flags, dict(language.environment), tools]
    recipe.append(command_lines.sources(program, language))  # the name of its folder may tell what comes first
    return digest_of_texts(harness_identity("build"), json.dumps(recipe), files_identity(program.files))


def _make_readable(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
