"""Check built data: input validators accept every input; files contain the patterns of `match` in the recipe."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from harness.build.executable import CompileFailure, Unavailable
from harness.check.input_validators import input_validators_for
from harness.errors import Fault, JudgeError, PackageError
from harness.generate.programs import PackagePrograms, ProgramCall
from harness.generate.recipe import PlannedCase, Recipe
from harness.generate.record import digest_of
from harness.host.host import Host
from harness.package import Case, Package, Program
from harness.package.files import File
from harness.package.model import Rule, rules_for
from harness.package.workspace import RECIPE
from harness.sandbox.facts import Sandbox
from harness.store.identity import digest_of_texts, files_identity, harness_identity, programs_identity
from harness.store.memory import memory_in

MATCH_TIME_S = 10.0
SHOWN_BYTES = 65536
# Prints a line for each argument (a pattern) that is not in standard input. It runs in the sandbox: patterns are not
# trusted, and may never end.
_MATCHER = b"""import re
import sys

text = sys.stdin.buffer.read().decode("utf-8", "replace")
for number, pattern in enumerate(sys.argv[1:]):
    try:
        found = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    except (re.error, OverflowError, RecursionError):
        print(number, "is no regular expression")
    else:
        if not found:
            print(number, "is not found")
"""

_ERROR = re.compile(r"(?i)error\b\s*:")
Progress = Callable[[str], None]


def validate_inputs(package: Package, cases: Iterable[Case], host: Host, progress: Progress) -> list[str]:
    """Check every input that the input validators have not accepted before.

    Accepted inputs are recorded in the user's cache, never in the package, which must not confirm itself.
    Returns a warning for each validator that cannot be built. Raises PackageError with all refusals.
    """
    memory, topic = memory_in(host.builder.cache.parent), f"valid inputs {package.slug}"
    validators_digest = programs_identity(package.input_validators)
    digests = {case.name: validity_digest(validators_digest, case) for case in cases}
    accepted = memory.recall(topic).keys()
    pending = [case for case in cases if digests[case.name] not in accepted]
    if not pending:
        return []
    warnings: list[str] = []
    faults: list[Fault] = []

    def failed(program: Program, outcome: CompileFailure | Unavailable) -> None:  # the data does not depend on it
        why = outcome.diagnostics if isinstance(outcome, CompileFailure) else outcome.message
        lines = why.strip().splitlines()
        reason = next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")
        warnings.append(f"{program.shown}: cannot be built, so it checks no input: {reason.strip()}")

    validators = input_validators_for(package, host, failed)

    def validate(sandbox: Sandbox, case: Case) -> None:
        for refusal in validators.refusals(sandbox, case):
            faults.append(_refused(package, case, f"refused by {refusal.validator}: {refusal.message}"))

    for case, _ in host.pool.each(validate, pending):
        progress(case.name)
    if faults:
        raise PackageError(sorted(faults, key=str))
    if not warnings:
        memory.keep(topic, dict.fromkeys(digests.values()), alone=True)
    return warnings


def _refused(package: Package, case: Case, message: str) -> Fault:
    """Return the fault of a refused input, at its file; at the recipe if the data was built outside of the package."""
    if case.input.origin.is_relative_to(package.root):
        return Fault(path=case.input.origin, message=message)
    return Fault(path=package.files[RECIPE].origin, message=f"{case.name}.in: {message}")


def validity_digest(validators: str, case: Case) -> str:
    """Digest everything that a validation depends on: validators, input, arguments, `.files`, this harness."""
    files = files_identity(dict(sorted(case.extra_files.items())))
    input_digest = digest_of(case.input.origin) or ""
    return digest_of_texts(harness_identity(), validators, input_digest, repr(case.settings), files)


def wrong_solutions(package: Package, recipe: Recipe) -> list[str]:
    """Return a warning for each solution of the recipe that must fail otherwise than by its time."""
    lines = {path.removeprefix("/submissions/"): line for path, line in recipe.solutions.items()}
    return [
        f"{package.files[RECIPE].origin}:{line}: makes the answers by a submission that must fail ({path}): "
        "name an accepted one as `solution`"
        for path, line in lines.items()
        if any(map(_must_be_wrong, rules_for(path, package.rules)))
    ]


def _must_be_wrong(rule: Rule) -> bool:
    limits = (codes for codes in (rule.permitted, rule.required) if codes)
    return any(not codes & {"AC", "TLE"} for codes in limits)  # one that is too slow may be right


def match_files(programs: PackagePrograms, data: Path, cases: Iterable[PlannedCase]) -> list[str]:
    """Search the patterns of `match` in the files of the cases; return a warning for each that is not found."""
    matcher = Program(path="match.py", files={"match.py": File(origin=Path("match.py"), content=_MATCHER)})
    searches = [
        (f"{case.name}{extension}", patterns)
        for case in cases
        for extension, patterns in case.match.items()
        if patterns and (data / f"{case.name}{extension}").is_file()
    ]

    def match(sandbox: Sandbox, search: tuple[str, tuple[str, ...]]) -> list[str]:
        name, patterns = search
        call = ProgramCall(program=matcher, stdin=data / name, arguments=patterns, time_s=MATCH_TIME_S)
        with programs.host.work_folder(sandbox) as work:
            try:
                programs.run(sandbox, call, name, work)
            except JudgeError:
                return [f"{name}: `match`: its patterns took too long, and were given up"]
            with (work / "stdout").open("rb") as printed:
                return _match_warnings(name, patterns, printed.read(SHOWN_BYTES))

    return sorted(warning for _, found in programs.host.pool.each(match, searches) for warning in found)


def _match_warnings(name: str, patterns: tuple[str, ...], printed: bytes) -> list[str]:
    lines = (line.partition(" ") for line in printed.decode("ascii", "replace").splitlines())
    return [
        f"{name}: `match`: {patterns[int(number)]!r} {what}"
        for number, _, what in lines
        if number.isascii() and number.isdigit() and len(number) < 6 and int(number) < len(patterns)
    ]
