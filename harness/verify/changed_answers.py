"""Right answers with one small change: what a checker accepts of them shows what it does not look at."""

import re
from collections.abc import Iterator, Mapping, Sequence

from harness.build import Executable
from harness.host.host import submission_build_limits
from harness.judge.case_setting import submission_limits
from harness.package import Case
from harness.sandbox import Sandbox
from harness.values import dataclass
from harness.verify.context import Setting
from harness.verify.findings import Findings

MOST_CASES = 20
LARGEST_ANSWER = 20_000
LEAST_CASES = 2  # fewer show nothing
MOST_RUN = 3  # cases on which accepted solutions are asked
ONE_OFF = "a number one off"
_UNLIMITED_S = 10.0
_TOKEN = re.compile(rb"\S+")
_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,17}")


@dataclass(frozen=True, kw_only=True)
class Changed:
    """An answer with one change. kind: which."""

    kind: str
    content: bytes


def changed(answer: bytes) -> Iterator[Changed]:
    """Some changes of each kind: a number one off, two tokens exchanged, a token in the place of its neighbour."""
    places = [found.span() for found in _TOKEN.finditer(answer)]
    tokens = [answer[start:end] for start, end in places]
    for place in _spread([place for place, token in enumerate(tokens) if _INTEGER.fullmatch(token)]):
        for step in (1, -1):
            yield _with(answer, places, {place: b"%d" % (int(tokens[place]) + step)}, ONE_OFF)
    pairs = [place for place in range(len(tokens) - 1) if tokens[place] != tokens[place + 1]]
    for place in _spread(pairs):
        swapped = {place: tokens[place + 1], place + 1: tokens[place]}
        yield _with(answer, places, swapped, "two tokens exchanged")
        yield _with(answer, places, {place + 1: tokens[place]}, "a token in the place of the next")


def probed(cases: Sequence[Case]) -> list[Case]:
    """The cases whose answers are changed: small ones, evenly spread."""
    small = [case for case in cases if case.answer is not None and case.answer.size() <= LARGEST_ANSWER]
    return small[:: max(1, -(-len(small) // MOST_CASES))]


def tell_changed(setting: Setting, accepted: Mapping[str, Mapping[str, bool]], findings: Findings) -> None:
    """Warn of a checker that accepts changes of every kind on every case, though solutions agree on the answers.

    accepted: by case and kind, whether some change of the kind was accepted for as many points as the answer.
    """
    tried = {name: kinds for name, kinds in accepted.items() if kinds}
    checker = ", ".join(one.path for one in setting.package.output_validators)
    if len(tried) < LEAST_CASES:
        return
    if not all(all(kinds.values()) for kinds in tried.values()):
        if all(kinds.get(ONE_OFF) for kinds in tried.values()):
            findings.note(checker, f"accepts {ONE_OFF} on all of {len(tried)} cases: right where it is free")
        return
    kinds = ", ".join(sorted({kind for found in tried.values() for kind in found}))
    message = f"accepts changed answers of every kind on all of {len(tried)} cases ({kinds})"
    if _solutions_agree(setting, sorted(tried)):
        findings.warning(checker, f"{message}, which no accepted solution prints: what does it compare?")
    else:
        findings.note(checker, f"{message}: right where several answers are, and accepted solutions print several")


def _with(answer: bytes, places: Sequence[tuple[int, int]], new: Mapping[int, bytes], kind: str) -> Changed:
    parts, end = [], 0
    for place, token in sorted(new.items()):
        parts += [answer[end : places[place][0]], token]
        end = places[place][1]
    return Changed(kind=kind, content=b"".join([*parts, answer[end:]]))


def _spread(places: Sequence[int]) -> list[int]:
    """The first, one in the middle and the last."""
    return sorted({places[0], places[len(places) // 2], places[-1]}) if places else []


def _solutions_agree(setting: Setting, names: Sequence[str]) -> bool:
    """Whether all accepted solutions print the jury's answers, token by token, as far as they can be run here."""
    package, host = setting.package, setting.host
    programs = [one for one in package.submissions if one.path.startswith("accepted/")]
    built = host.build_all(programs, submission_build_limits(package.limits), package.include)
    solutions = [one for one in built if isinstance(one, Executable)]
    cases = [case for case in package.judged_cases() if case.name in names and not case.extra_files]
    smallest = sorted(cases, key=lambda case: case.input.size())[:MOST_RUN]
    runs = [(solution, case) for solution in solutions for case in smallest]

    def agrees(sandbox: Sandbox, run: tuple[Executable, Case]) -> bool:
        return _prints_the_answer(setting, sandbox, *run)

    return all(host.pool.in_order(agrees, runs))


def _prints_the_answer(setting: Setting, sandbox: Sandbox, solution: Executable, case: Case) -> bool:
    """Whether it prints the answer; True, too, where it does not come to its end: then it says nothing."""
    limits = submission_limits(setting.package, setting.package.limits.time_limit_s or _UNLIMITED_S)
    with setting.host.work_folder(sandbox) as work:
        given, stdout, stderr = work / "case.in", work / "stdout", work / "stderr"
        given.write_bytes(case.input.read())
        command = solution.command(limits.memory_bytes, *case.settings.args)
        result = sandbox.run(command, solution.fit(limits), stdin=given, stdout=stdout, stderr=stderr)
        if result.exit_code != 0 or result.killed_for is not None:
            return True
        return stdout.read_bytes().split() == (case.answer.read().split() if case.answer is not None else [])
