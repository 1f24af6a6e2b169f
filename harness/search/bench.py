"""Tries candidates: is the input valid, what does the submission do with it, and is that right?"""

import hashlib
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.build import CompileFailure, Executable, Unavailable
from harness.check import Judgement, Validation, classify_run, compare, parse_arguments, run_validator
from harness.check import validation_limits as limits_of_validation
from harness.errors import JudgeError, MachineError, UsageError
from harness.host import Host, submission_build_limits
from harness.interact import Player, interact
from harness.limits import MIB, Limits, wall_limit_s
from harness.package import Program
from harness.package.model import CaseSettings
from harness.sandbox import RunResult, Sandbox
from harness.search.guard import Guard, Makers
from harness.search.programs import Programs, errors_of, output_of
from harness.search.target import Target
from harness.search.trial import Candidate, Failure, Outcome, Trial
from harness.verdict import Verdict
from harness.warm import Place

KEPT_BYTES = 32 * MIB
ERROR_BYTES = 2000
ORACLE_S = 10.0
DEFAULT_LIMIT_S = 2.0


@dataclass(frozen=True, kw_only=True)
class Built:
    """The executables of a target."""

    submission: Executable
    oracle: Executable | None
    checker: Executable | None
    validators: Sequence[Executable]


def build(target: Target, host: Host) -> Built:
    """Build what the search runs. Raises UsageError where the submission or the oracle does not compile."""
    package = target.package
    programs = [one for one in (target.submission, target.oracle) if one is not None]
    outcomes = host.build_all(programs, submission_build_limits(package.limits))
    ready = [_executable(program, outcome) for program, outcome in zip(programs, outcomes, strict=True)]
    checkers = [package.output_validator] if package.output_validator else []
    judges = host.build_judge_programs([*checkers, *package.input_validators], package.limits)
    return Built(
        submission=ready[0],
        oracle=ready[1] if len(ready) > 1 else None,
        checker=judges[0] if checkers else None,
        validators=judges[len(checkers) :],
    )


def _executable(program: Program, outcome: Executable | CompileFailure | Unavailable) -> Executable:
    match outcome:
        case Executable():
            return outcome
        case CompileFailure(diagnostics=diagnostics):
            raise UsageError(f"{program.path}: does not compile\n{diagnostics}")
        case Unavailable(message=message):
            raise MachineError(f"{program.path}: {message}")


@dataclass(kw_only=True)
class Bench:
    """The programs of one target, built, and the rules by which a candidate fails. Shared by the workers."""

    target: Target
    host: Host
    built: Built
    answers: Sequence[bytes] = (b"",)
    programs: Programs = field(init=False)
    _seen: set[bytes] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        limits = self.target.package.limits
        limit_s = limits.time_limit_s or DEFAULT_LIMIT_S
        self.limits = Limits(
            cpu_s=limit_s,
            wall_s=wall_limit_s(limit_s),
            memory_bytes=limits.memory_mib * MIB,
            output_bytes=limits.output_mib * MIB,
        )
        oracle_s = max(ORACLE_S, limit_s)
        self.oracle_limits = replace(self.limits, cpu_s=oracle_s, wall_s=2 * oracle_s)
        self.checking = limits_of_validation(limits)
        self.programs = Programs(host=self.host)
        self.makers = Makers(target=self.target, programs=self.programs, limits=self.checking)
        self.guard = Guard(
            programs=self.programs,
            validators=self.built.validators,
            settings=self.target.settings,
            limits=self.checking,
        )

    def is_new(self, data: bytes) -> bool:
        """Whether this input was not tried before; it counts as tried from now on."""
        digest = hashlib.blake2b(data, digest_size=16).digest()
        with self._lock:
            known = digest in self._seen
            self._seen.add(digest)
        return not known

    def look(
        self, sandbox: Sandbox, candidate: Candidate, *, cpu_s: float | None = None, again: bool = False
    ) -> Trial:
        """Try one candidate. cpu_s: a limit in the place of the problem's. again: even if it was tried before."""
        data = candidate.data
        if data is None and candidate.invocation is not None:
            data = self.makers.make(sandbox, candidate.invocation)
        if data is None:
            return Trial(candidate=candidate, outcome=Outcome.REFUSED, message="its generator failed")
        if not again and not self.is_new(data):
            return Trial(candidate=candidate, outcome=Outcome.REPEATED, data=data)
        given = self.programs.folder(sandbox) / "given"
        given.write_bytes(data)
        settings = self.guard.valid_under(sandbox, given)
        trial = Trial(candidate=candidate, outcome=Outcome.REFUSED, data=data, settings=settings)
        if settings is None:
            return trial
        limits = self.limits if cpu_s is None else replace(self.limits, cpu_s=cpu_s)
        try:
            judge = self._played if self.target.interactive else self._judged
            return judge(_Try(sandbox=sandbox, trial=trial, given=given, settings=settings, limits=limits))
        except JudgeError as error:
            return replace(trial, outcome=Outcome.UNANSWERED, message=str(error))

    def answer(self, sandbox: Sandbox, data: bytes, settings: CaseSettings) -> bytes:
        """What the oracle says; nothing without one. Raises JudgeError when it fails."""
        if self.built.oracle is None:
            return b""
        folder = self.programs.folder(sandbox)
        given = folder / "given"
        given.write_bytes(data)
        run = self.programs.run(sandbox, self.built.oracle, settings.args, given=given, limits=self.oracle_limits)
        if run.killed_for is not None or run.exit_code != 0:
            raise JudgeError(f"{self.built.oracle.program.path}: the reference fails on a valid input")
        return output_of(folder, KEPT_BYTES)

    def _judged(self, it: "_Try") -> Trial:
        folder = self.programs.folder(it.sandbox)
        run = self.programs.run(
            it.sandbox, self.built.submission, it.settings.args, given=it.given, limits=it.limits
        )
        judgement, answer = classify_run(run, it.limits), None
        output, stderr = output_of(folder, KEPT_BYTES), errors_of(folder, ERROR_BYTES)
        if judgement is None:
            answer = self.answer(it.sandbox, it.trial.data, it.settings)
            judgement = self._checked(it, output, answer)
        return it.ended(run, judgement, output=output, stderr=stderr, answer=answer)

    def _checked(self, it: "_Try", output: bytes, answer: bytes) -> Judgement:
        if self.built.checker is None:
            if self.built.oracle is None:
                return Judgement(verdict=Verdict.ACCEPTED)
            return compare(output, answer, parse_arguments(it.settings.output_validator_args))
        folder = self.programs.folder(it.sandbox)
        (folder / "output").write_bytes(output)
        return run_validator(self._validation(it, answer), folder / "output", it.sandbox, folder)

    def _validation(self, it: "_Try", answer: bytes) -> Validation:
        checker = self.built.checker
        if checker is None:
            raise JudgeError("an interactive problem needs an output validator")
        folder = self.programs.folder(it.sandbox)
        (folder / "answer").write_bytes(answer)
        warm = self.programs.warm(it.sandbox, checker, self.checking, reads=True)
        return Validation(
            validator=checker,
            limits=self.checking,
            input=it.given,
            answer=folder / "answer",
            place=warm.fresh_place() if warm is not None else Place(directory=_fresh(folder / "feedback")),
            arguments=it.settings.output_validator_args,
            warm=warm,
        )

    def _played(self, it: "_Try") -> Trial:
        """A game; where the interactor's answer is not known, the first of the pool that goes with the input."""
        known = it.trial.candidate.answer
        complaint: JudgeError | None = None
        for answer in (known,) if known is not None else self._pool(it.trial.data):
            try:
                return self._game(it, answer)
            except JudgeError as error:
                complaint = error
        raise complaint or JudgeError("no answer file goes with this input")

    def _game(self, it: "_Try", answer: bytes) -> Trial:
        folder = self.programs.folder(it.sandbox)
        fitted = self.built.submission.fit(it.limits)
        command = self.built.submission.command(fitted.memory_bytes, *it.settings.args)
        player = Player(command=command, limits=fitted, generous=fitted)
        game = interact(it.sandbox, player, self._validation(it, answer), folder)
        stderr = errors_of(folder, ERROR_BYTES)
        return it.ended(game.run, game.judgement, output=b"", stderr=stderr, answer=answer)

    def _pool(self, data: bytes) -> list[bytes]:
        """The known answers in an order that depends on the input only, so that all of them get their turn."""
        return sorted(self.answers, key=lambda one: hashlib.blake2b(data + one, digest_size=8).digest())


@dataclass(frozen=True, kw_only=True)
class _Try:
    """One trial under way."""

    sandbox: Sandbox
    trial: Trial
    given: Path
    settings: CaseSettings
    limits: Limits

    def ended(
        self, run: RunResult, judgement: Judgement, *, output: bytes, stderr: bytes, answer: bytes | None
    ) -> Trial:
        """The trial with what came of it."""
        if judgement.verdict in (Verdict.ACCEPTED, Verdict.SKIPPED):
            return replace(self.trial, outcome=Outcome.PASSED, cpu_s=run.cpu_s)
        failure = Failure(
            verdict=judgement.verdict,
            reason=judgement.reason,
            signal=run.signal,
            exit_code=run.exit_code,
            message=judgement.message,
            output=output,
            stderr=stderr,
            answer=answer,
            cpu_s=run.cpu_s,
        )
        return replace(self.trial, outcome=Outcome.FAILED, failure=failure, cpu_s=run.cpu_s)


def _fresh(folder: Path) -> Path:
    """A place where no folder is yet."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder
