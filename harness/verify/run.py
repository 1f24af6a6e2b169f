"""Run the parts of a verification in order; results of unchanged parts are read from disk."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.errors import HarnessError, PackageError
from harness.generate.overlay import load_with_overlay
from harness.host.host import Host
from harness.package import Package
from harness.store.identity import (
    digest_of_texts,
    harness_identity,
    machine_identity,
    package_identity,
    tools_identity,
)
from harness.store.memory import Memory, memory_in
from harness.values import dataclass
from harness.verify.bounds import check_bounds
from harness.verify.data import (
    check_data,
    check_package,
    fault_findings,
    findings_of_cases,
)
from harness.verify.findings import Finding, PartResult, Verification, level_of
from harness.verify.inputs import check_inputs
from harness.verify.outputs import check_outputs
from harness.verify.setting import JudgedSubmissions, Progress, Setting
from harness.verify.statements import check_statement
from harness.verify.stored_runs import StoredRuns
from harness.verify.submissions import check_answers, check_classes, check_submissions
from harness.verify.timing import check_time
from harness.verify.visualizers import check_visualizers

# In the order in which they run: quick parts, and parts that others depend on, come first.
_CHECKS_OF_PACKAGE: Mapping[str, Callable[[Setting], PartResult]] = {
    "statement": check_statement,
    "inputs": check_inputs,
    "outputs": check_outputs,
    "bounds": check_bounds,
}
_CHECKS_OF_SUBMISSIONS: Mapping[str, Callable[[JudgedSubmissions], PartResult]] = {
    "submissions": check_submissions,
    "answers": check_answers,
    "classes": check_classes,
    "visualizers": check_visualizers,
    "time": check_time,
}
PARTS = ("package", "data", *_CHECKS_OF_PACKAGE, *_CHECKS_OF_SUBMISSIONS)


@dataclass(frozen=True, kw_only=True)
class VerificationObserver:
    """Called in the calling thread. begin: a part begins; step: within a part; end: with the result of a part."""

    begin: Callable[[str], None] = lambda _: None
    step: Progress = lambda _: None
    end: Callable[[PartResult], None] = lambda _: None


@dataclass(frozen=True, kw_only=True)
class Verifier:
    """Verifies one package. cache: the folder of stored results. fresh: ignore the results of earlier calls."""

    root: Path
    host: Host
    cache: Path
    fresh: bool = False
    observer: VerificationObserver = field(default_factory=VerificationObserver)

    def run(self, parts: Sequence[str]) -> Verification:
        """Run the parts and their dependencies in order; skip parts that depend on a broken part."""
        wanted = [part for part in PARTS if part in parts]
        package, result = check_package(self.root, self.host)
        self.observer.end(result)
        results = [result]
        if package is not None:
            package, stored, result = self._check_data(package)
            if "data" in wanted or not result.holds:
                self.observer.end(result)
            results.append(result)
            if package is not None:
                results += self._run_checks(package, stored, wanted)
        return Verification(
            problem=self.root.resolve().name,
            title=package.title if package is not None else "",
            tier=self._tier(),
            parts=tuple(result for result in results if result.part in wanted or not result.holds),
        )

    def _check_data(self, package: Package) -> tuple[Package | None, "StoredParts", PartResult]:
        """Run the part `data`; return the package with its data (None if the data is broken), and the stored parts."""
        self.observer.begin("data")
        started_s = time.monotonic()
        stored = self._stored_parts(package)
        kept = stored.recall("data")
        if kept is not None:  # same files, and their data was complete when the result was stored
            return package, stored, kept
        result = check_data(self.root, package, self.host, self.observer.step, fresh=self.fresh)
        result = replace(result, part="data", wall_s=time.monotonic() - started_s)
        if not result.holds:
            return None, stored, result
        earlier = package.warnings
        try:
            package = load_with_overlay(self.root, self.host.builder.cache, built=True)
        except PackageError as error:
            return None, stored, replace(result, findings=(*result.findings, *fault_findings(error)))
        stored = self._stored_parts(package)
        result = replace(result, findings=(*result.findings, *findings_of_cases(package, earlier)))
        stored.keep(result)
        return package, stored, result

    def _run_checks(self, package: Package, stored: "StoredParts", wanted: Sequence[str]) -> list[PartResult]:
        """Run the parts after `data`."""
        runs = StoredRuns(memory=self._memory, package=package, identity=self._machine(package), fresh=self.fresh)
        setting = Setting(package=package, host=self.host, progress=self.observer.step, memory=runs)
        judged, results = JudgedSubmissions(setting=setting), list[PartResult]()
        try:
            for part in [part for part in wanted if part not in ("package", "data")]:
                self.observer.begin(part)
                result = stored.recall(part)
                if result is None:
                    started_s = time.monotonic()
                    result = _check(part, judged)
                    disturbed = result.disturbed or judged.judge_failed
                    wall_s = time.monotonic() - started_s
                    result = replace(result, part=part, disturbed=disturbed, wall_s=wall_s)
                    stored.keep(result)
                self.observer.end(result)
                results.append(result)
        finally:
            runs.save()
        return results

    @property
    def _memory(self) -> Memory:
        return memory_in(self.cache)

    def _tier(self) -> str:
        return self.host.pool.isolation.tier.value

    def _stored_parts(self, package: Package) -> "StoredParts":
        identity = f"{package_identity(package)} {self._machine(package)}"
        return StoredParts(memory=self._memory, topic=f"verify parts {identity}", fresh=self.fresh)

    def _machine(self, package: Package) -> str:
        """Return a digest of the harness, the machine, the tier, and the languages and tools of the programs."""
        programs = [*package.submissions, *package.input_validators, *package.output_validators]
        programs += filter(None, (package.input_visualizer, package.output_visualizer))
        builder = self.host.builder
        # harness.toml may change how a language is compiled and run with the same tools.
        languages = sorted({repr(builder.language(program)) for program in programs})
        tools = tools_identity(builder.tools_of(programs))
        return digest_of_texts(harness_identity(), machine_identity(), self._tier(), tools, *languages)


def _check(part: str, judged: JudgedSubmissions) -> PartResult:
    """Run one part; an exception is an error of that part."""
    package = judged.setting.package
    try:
        if part in _CHECKS_OF_PACKAGE:
            return _CHECKS_OF_PACKAGE[part](judged.setting)
        if not package.judged_cases():
            return PartResult(summary="no test case: nothing can be judged", skipped=True)
        return _CHECKS_OF_SUBMISSIONS[part](judged)
    except HarnessError as error:
        finding = Finding(level=level_of(error), subject=package.slug, message=str(error))
        return PartResult(summary="could not be checked", findings=(finding,), disturbed=True)


@dataclass(frozen=True, kw_only=True)
class StoredParts:
    """The stored results of parts. topic: their key in the memory, made from all that they depend on.

    fresh: ignore the results of earlier calls.
    """

    memory: Memory
    topic: str
    fresh: bool = False

    def recall(self, part: str) -> PartResult | None:
        """Return the stored result of a part, or None."""
        stored = None if self.fresh else self.memory.recall_as(PartResult, self.topic).get(part)
        return replace(stored, cached=True) if stored is not None else None

    def keep(self, result: PartResult) -> None:
        """Store the result of a part, unless a later call should measure it again."""
        if not result.disturbed:
            self.memory.keep(self.topic, {result.part: result})
