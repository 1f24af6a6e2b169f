"""Runs the parts in order, each from the cache where nothing has changed since it held."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.errors import HarnessError, PackageError
from harness.generate import load_with_overlay
from harness.host.host import Host
from harness.package import Package
from harness.store.identity import (
    digest_of_texts,
    harness_identity,
    machine_identity,
    package_identity,
    tools_identity,
)
from harness.store.memory import MEMORY, Memory
from harness.values import dataclass
from harness.verify.answers import check_answers
from harness.verify.bounds import check_bounds
from harness.verify.bug_classes import check_classes
from harness.verify.cache import PartCache
from harness.verify.context import Progress, Setting
from harness.verify.data import check_data
from harness.verify.findings import Finding, Level, PartResult, Verification
from harness.verify.inputs import check_inputs
from harness.verify.judged_submissions import Judged
from harness.verify.outputs import check_outputs
from harness.verify.statements import check_statements
from harness.verify.stored_runs import RunMemory
from harness.verify.submissions import check_submissions
from harness.verify.timing import check_time
from harness.verify.visualizers import check_visualizers

# In the order in which they run: what is quick and what others rest on first.
PARTS = (
    "package",
    "data",
    "statement",
    "inputs",
    "outputs",
    "bounds",
    "submissions",
    "answers",
    "classes",
    "visualizers",
    "time",
)
_CHECKS_OF_PACKAGE: Mapping[str, Callable[[Setting], PartResult]] = {
    "statement": check_statements,
    "inputs": check_inputs,
    "outputs": check_outputs,
    "bounds": check_bounds,
}
_CHECKS_OF_SUBMISSIONS: Mapping[str, Callable[[Judged], PartResult]] = {
    "submissions": check_submissions,
    "answers": check_answers,
    "classes": check_classes,
    "visualizers": check_visualizers,
    "time": check_time,
}


_NO_CASE = Finding(
    level=Level.ERROR,
    subject="data/secret",
    message="no test case: a package needs at least one, a .in and a .ans",
)


@dataclass(frozen=True, kw_only=True)
class Observer:
    """Told of progress in the calling thread. begin: a part begins; step: within it; end: its result."""

    begin: Callable[[str], None] = lambda _: None
    step: Progress = lambda _: None
    end: Callable[[PartResult], None] = lambda _: None


@dataclass(frozen=True, kw_only=True)
class Verifier:
    """Verifies one package. cache: the folder of the memory. fresh: trust nothing that was found before."""

    root: Path
    host: Host
    cache: Path
    fresh: bool = False
    observer: Observer = field(default_factory=Observer)

    def run(self, parts: Sequence[str]) -> Verification:
        """The parts that are asked for, in order; those that rest on a broken one are left out."""
        wanted = [part for part in PARTS if part in parts]
        done: list[PartResult] = []
        package, cache = self._loaded(done), None
        if package is not None:
            package, cache = self._with_data(package, done, shown="data" in wanted)
        if package is not None and cache is not None:
            done += self._checks(package, cache, [part for part in wanted if part not in ("package", "data")])
        shown = tuple(part for part in done if part.part in wanted or not part.holds)
        return Verification(
            problem=self.root.resolve().name,
            title=package.title if package is not None else "",
            tier=self._tier(),
            parts=shown,
        )

    @property
    def _memory(self) -> Memory:
        return Memory(path=self.cache / MEMORY)

    def _tier(self) -> str:
        return f"T{int(self.host.pool.isolation.tier)}"

    def _loaded(self, done: list[PartResult]) -> Package | None:
        """The part `package`."""
        try:
            package = load_with_overlay(self.root, self.host.builder.cache, built=False)
        except PackageError as error:
            faults = tuple(
                Finding(
                    level=Level.ERROR,
                    subject=f"{fault.path}:{fault.line}" if fault.line else str(fault.path),
                    message=fault.message,
                )
                for fault in error.faults
            )
            self._end(
                done, PartResult(part="package", summary="is broken: nothing else was looked at", findings=faults)
            )
            return None
        warnings = tuple(
            Finding(level=Level.WARNING, subject=package.slug, message=message) for message in package.warnings
        )
        kinds = ", ".join(sorted(package.types))
        summary = f"{package.format} package, {kinds}, {len(package.submissions)} submissions"
        self._end(done, PartResult(part="package", summary=summary, findings=warnings))
        return package

    def _with_data(
        self, package: Package, done: list[PartResult], *, shown: bool
    ) -> tuple[Package | None, PartCache]:
        """The part `data`, then the package with it and what is remembered of it."""
        self.observer.begin("data")
        started_s = time.monotonic()
        cache = self._part_cache(package)
        result = cache.recall("data") or check_data(self.root, package, self.host, self.observer.step)
        if result.cached:  # the same files, which were whole when it was kept
            if shown:
                self._end(done, result)
            return package, cache
        result = replace(result, wall_s=time.monotonic() - started_s)
        if not result.holds:
            self._end(done, result)
            return None, cache
        try:
            package = load_with_overlay(self.root, self.host.builder.cache, built=True)
        except PackageError as error:
            findings = tuple(
                Finding(level=Level.ERROR, subject=str(f.path), message=f.message) for f in error.faults
            )
            self._end(done, replace(result, findings=(*result.findings, *findings)))
            return None, cache
        cache = self._part_cache(package)
        if not package.judged_cases():
            result = replace(result, findings=(*result.findings, _NO_CASE))
        cache.keep(result)
        if shown:
            self._end(done, result)
        return package, cache

    def _checks(self, package: Package, cache: PartCache, parts: Iterable[str]) -> list[PartResult]:
        memory = RunMemory(memory=self._memory, package=package, identity=self._machine(package), fresh=self.fresh)
        setting = Setting(package=package, host=self.host, progress=self.observer.step, memory=memory)
        judged, done = Judged(setting=setting), list[PartResult]()
        try:
            for part in parts:
                self.observer.begin(part)
                result = cache.recall(part)
                if result is None:
                    result = _timed(lambda name=part: _check(name, setting, judged))  # type: ignore[misc]
                    cache.keep(result)
                self._end(done, result)
        finally:
            memory.save()
        return done

    def _end(self, done: list[PartResult], result: PartResult) -> None:
        done.append(result)
        self.observer.end(result)

    def _part_cache(self, package: Package) -> PartCache:
        identity = f"{package_identity(package)} {self._machine(package)}"
        return PartCache(memory=self._memory, identity=identity, fresh=self.fresh)

    def _machine(self, package: Package) -> str:
        programs = [*package.submissions, *package.input_validators, *package.output_validators]
        programs += [one for one in (package.input_visualizer, package.output_visualizer) if one is not None]
        builder = self.host.builder
        # How a language is compiled and run may be said anew in harness.toml, with the same tools.
        rows = sorted({repr(builder.language(one)) for one in programs})
        tools = tools_identity(builder.tools_of(programs))
        return digest_of_texts(harness_identity(), machine_identity(), self._tier(), tools, *rows)


def _timed(work: Callable[[], PartResult]) -> PartResult:
    started_s = time.monotonic()
    return replace(work(), wall_s=time.monotonic() - started_s)


def _check(part: str, setting: Setting, judged: Judged) -> PartResult:
    """One part; what cannot be looked at at all is an error of that part."""
    try:
        if part in _CHECKS_OF_PACKAGE:
            return _CHECKS_OF_PACKAGE[part](setting)
        if not setting.package.judged_cases():
            return PartResult(part=part, summary="no test case: nothing can be judged", skipped=True)
        return _CHECKS_OF_SUBMISSIONS[part](judged)
    except HarnessError as error:
        finding = Finding(level=Level.ERROR, subject=setting.package.slug, message=str(error))
        return PartResult(part=part, summary="could not be looked at", findings=(finding,))
