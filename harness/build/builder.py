"""Build programs from sources: stage them, compile inside the sandbox, cache the result.

The cache is keyed by content, language, flags and the identity of the compiler, so that it never needs clearing.
"""

import copy
import json
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from harness.build import compile_hints
from harness.build.cache import ProgramCache
from harness.build.compiler import (
    CHECKS_MISSING,
    BuildLimits,
    compiler_command,
    excess_of_build,
    lacks_checks,
    read_diagnostics,
    run_compiler,
    why_killed,
)
from harness.build.executable import (
    Built,
    CompileFailure,
    Executable,
    Unavailable,
    built_executable,
    filled,
    placeholder_values,
    sources_of,
)
from harness.build.judge_flags import STATIC, cannot_link_statically, judge_flags
from harness.build.languages import Language, LanguageTable, checked, language_of
from harness.build.precompiled_headers import Headers
from harness.build.source_files import (
    check_names,
    is_perl,
    prepared,
    unknown_language,
    why_too_much,
)
from harness.build.stage import Stage, write_files
from harness.build.toolchains import (
    Toolchain,
    brings_build,
    find_toolchain,
    has_scripts,
    make_startable,
    script_toolchain,
)
from harness.errors import MachineError
from harness.files import untrusted
from harness.package import Program
from harness.package.files import Files
from harness.sandbox.facts import KillReason, Sandbox
from harness.store.identity import digest_of_texts, files_identity, harness_identity, tool_identity
from harness.values import dataclass

_MOST_FAILURES = 100  # that are remembered
_MOST_HEADERS = 3  # times that a program is compiled with more headers
_LOOK_S = 10.0  # for what only improves a message
_NOTHING: Mapping[str, Files] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class _Job:
    """A program to build, with its tools and limits. flags: last arguments of the compiler."""

    program: Program
    toolchain: Toolchain
    flags: tuple[str, ...] = ()
    limits: BuildLimits
    sandbox: Sandbox


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
        # Of this process only: what is missing may be installed before the next one.
        self._failures: dict[tuple[str, BuildLimits], CompileFailure] = {}
        self._lock = threading.Lock()
        self._for_judges = False

    def for_judges(self) -> "Builder":
        """Return a builder that gives judge programs further flags."""
        judges = copy.copy(self)
        judges._for_judges = True
        return judges

    def build(
        self, program: Program, limits: BuildLimits, sandbox: Sandbox, include: Mapping[str, Files] = _NOTHING
    ) -> Built:
        """Build `program`, or take it from the cache.

        include: files added before compilation, which do not count as the program's code: those of `default`,
        replaced by those of its language if names are equal (2025-09, "Included files").
        Raises MachineError if the machine, not the program, is at fault.
        """
        check_names(program)
        if limits.scripts and has_scripts(program):
            return self._by_script(program, limits, sandbox)
        if limits.code_bytes is not None and (why := why_too_much(program, limits.code_bytes)):
            return CompileFailure(diagnostics=why)
        language = self.language(program)
        if language is None:
            unknown = Unavailable(message=unknown_language(program, self._table))
            return self._by_script(program, limits, sandbox) if has_scripts(program) else unknown
        toolchain = self.toolchain(language)
        if not toolchain.available:
            return Unavailable(message=toolchain.explanation)
        job = _Job(
            program=prepared(program, language, include), toolchain=toolchain, limits=limits, sandbox=sandbox
        )
        built = self._from_cache_or_compiler(job)
        return self._built_otherwise(job, built) if isinstance(built, CompileFailure) else built

    def _by_script(self, program: Program, limits: BuildLimits, sandbox: Sandbox) -> Built:
        toolchain = script_toolchain(program)
        return self._from_cache_or_compiler(
            _Job(program=program, toolchain=toolchain, limits=limits, sandbox=sandbox)
        )

    def _built_otherwise(self, job: _Job, failure: CompileFailure) -> Built:
        """Retry a program that did not compile: other names, more headers, an older standard, or its own script.

        Return the failure, with what the retries said, if nothing helps.
        """
        said, failed = [failure.diagnostics], {_key(self._as_compiled(job)): failure}
        for retry, warning in self._retries(job, said, stopped=failure.stopped):
            outcome = self._from_cache_or_compiler(retry)
            if isinstance(outcome, Executable):
                for digest, each in failed.items():
                    if not each.stopped:
                        self._programs.keep_failure(digest, each.diagnostics)
                return replace(outcome, mended=warning, warnings=f"{warning}\n{outcome.warnings}".strip())
            if isinstance(outcome, CompileFailure):
                said.append(outcome.diagnostics)
                failed[_key(self._as_compiled(retry))] = outcome
        return self._with_mend(job, replace(failure, retries=tuple(said[1:])))

    def _retries(self, job: _Job, said: Sequence[str], *, stopped: bool) -> Iterator[tuple[_Job, str]]:
        """Yield what else to compile, with a warning if that helps.

        said: the diagnostics of the failures, which grow with each retry. stopped: the first reached a limit.
        """
        if job.limits.older_dialects and job.toolchain.language.code in ("c", "cpp"):
            if not stopped:
                renamed = compile_hints.without_taken_names(job.program, job.toolchain, said[0])
                if renamed is not None:
                    yield replace(job, program=renamed[0], toolchain=renamed[1]), ""
                yield from self._with_missing_headers(job, said)
            for older, flag in compile_hints.with_older_standards(job.toolchain):
                yield replace(job, toolchain=older), f"does not compile by today's standard, but with {flag}"
        if brings_build(job.program):
            yield replace(job, toolchain=script_toolchain(job.program)), ""

    def _with_missing_headers(self, job: _Job, said: Sequence[str]) -> Iterator[tuple[_Job, str]]:
        """Yield the program with the headers that the compiler misses; each time it may name further ones."""
        headers: list[str] = []
        latest = said[0]
        for _ in range(_MOST_HEADERS):
            more = compile_hints.missing_headers(latest)
            if set(more) <= set(headers):
                return
            headers = list(dict.fromkeys([*headers, *more]))
            program, toolchain = compile_hints.with_headers(job.program, job.toolchain, headers)
            included = ", ".join(f"#include <{name}>" for name in headers)
            yield (
                replace(job, program=program, toolchain=toolchain),
                f"does not compile here as it is, but with {included}",
            )
            latest = said[-1]

    def _by_older_standard(self, job: _Job) -> tuple[Executable, str] | None:
        """Build by the newest older standard that accepts the program; return the flag, too."""
        for older, flag in compile_hints.with_older_standards(job.toolchain):
            built = self._from_cache_or_compiler(replace(job, toolchain=older))
            if isinstance(built, Executable):
                return built, flag
        return None

    def _with_mend(self, job: _Job, failure: CompileFailure) -> CompileFailure:
        """Put the fix on a line before a compile error, if it is known."""
        fix = compile_hints.of_files(job.program)
        if fix is None and job.toolchain.language.code in ("c", "cpp"):
            fix = self._mend_of_cpp(job, failure.diagnostics)
        return replace(failure, diagnostics=f"{compile_hints.FIX}{fix}\n{failure.diagnostics}") if fix else failure

    def _mend_of_cpp(self, job: _Job, diagnostics: str) -> str | None:
        """Return the fix for a program in C or C++ that does not compile; None if none is known."""
        fix, limits = compile_hints.of_headers(diagnostics), job.limits
        if fix is not None or limits.older_dialects or not compile_hints.of_standards(diagnostics):
            return fix
        brief = replace(limits, time_s=min(limits.time_s, _LOOK_S))
        older = self._by_older_standard(replace(job, limits=brief))
        if older is None:
            return None
        flags = f"compiles with {older[1]}, not with {_standard(job.toolchain)}"
        return f"{flags}: harness.toml sets a language's flags"

    def with_flags(self, flags: Mapping[str, Sequence[str]]) -> "Builder":
        """Return a builder with more compiler flags. flags: by language code."""
        table = {
            code: replace(language, flags=(*language.flags, *flags.get(code, ())))
            for code, language in self._table.items()
        }
        return self.with_table(table)

    def with_checks(self) -> "Builder":
        """Return a builder that compiles C and C++ with run-time checks."""
        return self.with_table(checked(self._table))

    def with_table(self, table: LanguageTable) -> "Builder":
        """Return a builder for another table of languages; it shares all but the tools that it found."""
        other = copy.copy(self)
        other._table, other._toolchains = table, {}
        return other

    @property
    def language_codes(self) -> Collection[str]:
        """Return the codes of the table of languages."""
        return self._table.keys()

    def language(self, program: Program) -> Language | None:
        """Return the language of a program; None if its files do not show it."""
        language = language_of(self._table, program.files, program.language)
        if language is not None and language.code == "prolog" and program.language is None and is_perl(program):
            return self._table.get("perl", language)
        return language

    def toolchain(self, language: Language) -> Toolchain:
        """Return the tools of `language` on this machine, searched once."""
        with self._lock:
            if language.code not in self._toolchains:
                self._toolchains[language.code] = find_toolchain(
                    language, search_path=self._search_path, as_other_user=self._as_other_user
                )
            return self._toolchains[language.code]

    def offers(self, code: str) -> bool:
        """Return whether this machine has the tools of the language with this code."""
        language = self._table.get(code)
        return language is not None and self.toolchain(language).available

    def tools_of(self, programs: Iterable[Program]) -> list[Path]:
        """Return the compilers and interpreters on this machine that these programs would be built and run with."""
        languages = {
            language.code: language
            for program in programs
            if (language := language_of(self._table, program.files, program.language)) is not None
        }
        return sorted(
            {path for language in languages.values() for path in self.toolchain(language).paths.values()}
        )

    def _from_cache_or_compiler(self, job: _Job) -> Built:
        job = self._as_compiled(job)
        digest = _key(job)
        folder = self._stage.folder("run")  # the cache may lie below a private home
        warnings = self._programs.take(digest, folder)
        if warnings is None:
            outcome = self._known_failure(digest, job.limits) or self._compile(job)
            if isinstance(outcome, CompileFailure):
                if not outcome.stopped:
                    self._remember(digest, job.limits, outcome)
                lacks = lacks_checks(job.toolchain.language, outcome.diagnostics)
                return Unavailable(message=CHECKS_MISSING) if lacks else outcome
            built, warnings = outcome
            self._programs.keep(digest, built, warnings)
            untrusted.copy_tree(built, folder)
            untrusted.remove(built)
        return built_executable(job.program, job.toolchain, folder, warnings)

    def _as_compiled(self, job: _Job) -> _Job:
        """Return the job with the flags of judge programs, if this builder gives them."""
        return replace(job, flags=judge_flags(job.program, job.toolchain)) if self._for_judges else job

    def _known_failure(self, digest: str, limits: BuildLimits) -> CompileFailure | None:
        """Return the failure of this process, or one whose changed version compiled."""
        failure = self._failures.get((digest, limits))
        kept = self._programs.failure(digest) if failure is None else None
        return failure if kept is None else CompileFailure(diagnostics=kept)

    def _remember(self, digest: str, limits: BuildLimits, failure: CompileFailure) -> None:
        with self._lock:
            if len(self._failures) >= _MOST_FAILURES:  # a grading meets thousands, each once
                self._failures.clear()
            self._failures[digest, limits] = failure

    def _compile(self, job: _Job) -> tuple[Path, str] | CompileFailure:
        """Compile; return the folder and the compiler's warnings."""
        headers = self._headers_for(job)
        outcome = self._compile_with(headers, job)
        if headers is not None and isinstance(outcome, CompileFailure):  # precompiled headers must not decide
            outcome = self._compile_with(None, job)
        linking = isinstance(outcome, CompileFailure) and cannot_link_statically(outcome.diagnostics)
        return self._compile_with(None, replace(job, flags=())) if linking and STATIC[0] in job.flags else outcome

    def _headers_for(self, job: _Job) -> Path | None:
        """Return a folder with precompiled headers that speed up this program."""
        language = job.toolchain.language
        if language.code != "cpp" or compile_hints.INCLUDE in language.flags:  # such headers would come first
            return None
        ample = replace(job.limits, time_s=BuildLimits.time_s, memory_bytes=BuildLimits.memory_bytes)

        def compile_it(folder: Path, argv: Sequence[str]) -> bool:
            command = compiler_command(tuple(argv), language, folder)
            result = run_compiler(command, ample, job.sandbox, self._stage.folder("work"))
            if result.exit_code is None:  # for example Ctrl-C: the next call may succeed
                raise MachineError("the compiler was stopped")
            return result.exit_code == 0

        return self._headers.folder_for(job.program, job.toolchain, compile_it)

    def _compile_with(self, headers: Path | None, job: _Job) -> tuple[Path, str] | CompileFailure:
        folder, output = self._stage.folder("build"), self._stage.folder("work")
        write_files(folder, job.program.files)
        make_startable(folder, job.toolchain)
        diagnostics = ""
        for template in job.toolchain.language.compile:
            argv = filled(template, placeholder_values(job.program, job.toolchain, folder))
            command = compiler_command(argv, job.toolchain.language, folder)
            if headers is not None:
                command = replace(command, argv=(*command.argv, "-I", str(headers))).reading(headers)
            command = replace(command, argv=(*command.argv, *job.flags))
            result = run_compiler(command, job.limits, job.sandbox, output)
            diagnostics += read_diagnostics(output, folder)
            if result.killed_for is KillReason.REQUEST:
                raise MachineError("interrupted")
            too_much = excess_of_build(folder)
            if result.exit_code != 0 or result.killed_for is not None or too_much:
                untrusted.remove(folder)
                why = f"{too_much}\n" if too_much else why_killed(result, job.limits, diagnostics)
                stopped = result.exit_code is None or result.killed_for is not None
                return CompileFailure(diagnostics=(why + diagnostics).strip(), stopped=stopped)
        make_startable(folder, job.toolchain)
        return folder, diagnostics


def _standard(toolchain: Toolchain) -> str:
    """Return the flag by which the language table sets a standard."""
    return next((flag for flag in toolchain.language.flags if flag.startswith(compile_hints.STANDARD)), "today's")


def _key(job: _Job) -> str:
    program, language = job.program, job.toolchain.language
    tools = {name: tool_identity(path) for name, path in sorted(job.toolchain.paths.items())}
    recipe = [language.code, language.compile, language.flags, job.flags, dict(language.environment), tools]
    recipe.append(sources_of(program, language))  # the name of its folder may decide the order
    return digest_of_texts(harness_identity("build"), json.dumps(recipe), files_identity(program.files))
