"""Other accepted programs of a package, asked where the reference says that an answer is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.check import Judgement
from harness.errors import MachineError, UsageError
from harness.host.batches import Call
from harness.host.host import Host, judge_build_limits
from harness.package import Program
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.search.evaluate import Bench
from harness.search.linked_programs import Runnable, build_for_search
from harness.search.model import Trial
from harness.search.output_check import Exchange
from harness.search.policy import HUNT
from harness.search.target import Target, references_of


@dataclass(frozen=True, kw_only=True)
class Dispute:
    """Two accepted programs whose answers to an input differ, by their paths.

    agrees: the submission's output is right by the answer of `peer`.
    """

    reference: str
    peer: str
    agrees: bool


@dataclass(frozen=True, kw_only=True)
class Peers:
    """The accepted programs to ask beside the reference; none where the reference is not the package's own."""

    bench: Bench
    programs: Sequence[Runnable] = field(default_factory=tuple)

    def dispute(self, sandbox: Sandbox, trial: Trial) -> Dispute | None:
        """The first peer that gives another answer to the input of a wrong answer; None: all agree, or fail."""
        failure = trial.failure
        if failure is None or failure.verdict is not Verdict.WRONG_ANSWER or failure.answer is None:
            return None
        for program in self.programs:
            output = self._output(sandbox, program, trial)
            if output is None or self._is_right(sandbox, trial, output, failure.answer):
                continue
            agrees = self._is_right(sandbox, trial, failure.output, output)
            if agrees or self.bench.checker is None:  # else it is wrong by either answer
                return Dispute(reference=self._reference_path, peer=program.executable.program.path, agrees=agrees)
        return None

    @property
    def _reference_path(self) -> str:
        oracle = self.bench.built.oracle
        return oracle.executable.program.path if oracle is not None else ""

    def _output(self, sandbox: Sandbox, program: Runnable, trial: Trial) -> bytes | None:
        arguments = trial.settings.args if trial.settings is not None else ()
        call = Call(given=trial.data, arguments=arguments)
        [ran] = self.bench.programs.run(sandbox, program, [call], self.bench.oracle_limits)
        return ran.output if ran.result.killed_for is None and ran.result.exit_code == 0 else None

    def _is_right(self, sandbox: Sandbox, trial: Trial, output: bytes, answer: bytes) -> bool:
        settings = self.bench.settings_of(trial)
        exchange = Exchange(given=trial.data, answer=answer, output=output, settings=settings)
        [judgement] = self.bench.checked(sandbox, [exchange])
        return _accepts(judgement)


def _accepts(judgement: Judgement) -> bool:
    return judgement.verdict is Verdict.ACCEPTED


def peers_of(bench: Bench, host: Host) -> Peers:
    """Build up to three other accepted programs: the fastest two languages and the slowest. What fails is left out."""
    target, oracle = bench.target, bench.built.oracle
    if oracle is None or target.played or target.oracle not in target.package.submissions:
        return Peers(bench=bench)
    asked = oracle.executable.program.path
    others = [one for one in references_of(target.package, target.submission) if one.path != asked]
    chosen = others if len(others) <= HUNT.most_peers else [*others[: HUNT.most_peers - 1], others[-1]]
    built = [_built(target, host, one) for one in chosen]
    return Peers(bench=bench, programs=[one for one in built if one is not None])


def _built(target: Target, host: Host, program: Program) -> Runnable | None:
    package = target.package
    limits = judge_build_limits(package.limits)
    try:
        return build_for_search(host, host.judges, [program], limits, package.include)[0]
    except (MachineError, UsageError):
        return None
