"""One submission on one case: run, classify, ask the output validator."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from harness.build import Executable
from harness.check import Comparison, Judgement, Validation, classify_run, compare, run_validator
from harness.errors import JudgeError
from harness.host import Host
from harness.interact import Player, interact
from harness.limits import Limits
from harness.package import Case, Group
from harness.results import CaseResult
from harness.sandbox import RunResult, Sandbox, Tier
from harness.score import case_score
from harness.transcript import Tap
from harness.verdict import Reason, Verdict
from harness.warm import Place

# A program is let run a little past its limit, so that "just over" can be told from "endless".
OVERTIME = 1.15
OVERTIME_FLOOR_S = 0.05
STDERR_BYTES = 2000
OUTPUT_BYTES = 4000


@dataclass(frozen=True, kw_only=True)
class OutputCheck:
    """How outputs are judged: by the package's validator, or by the default one with each case's arguments."""

    validator: Executable | None
    limits: Limits
    interactive: bool
    comparisons: dict[tuple[str, ...], Comparison]


@dataclass(frozen=True, kw_only=True)
class CaseJudge:
    """Everything that judging a case needs, but the case. tap: records the games, when they are played to be shown."""

    host: Host
    limits: Limits
    check: OutputCheck
    tap: Tap | None = None

    def judge(self, sandbox: Sandbox, executable: Executable, group: Group, case: Case) -> CaseResult:
        """Run and judge; a judge program's failure becomes the verdict JE."""
        limits = self._limits_in(sandbox, executable)
        with self.host.work_folder(sandbox) as work:
            if self.check.interactive:
                return self._play(sandbox, executable, group, case, work)
            command = executable.command(limits.memory_bytes, *case.settings.args)
            stdout, stderr = work / "stdout", work / "stderr"
            given = _on_disk(case, work)
            run = sandbox.run(command, _generous(limits), stdin=given, stdout=stdout, stderr=stderr)
            judgement = classify_run(run, limits)
            if judgement is None:
                judgement = self._check_output(sandbox, group, case, work)
            result = _result(group, case, run, judgement, stderr)
            wrong = judgement.verdict is Verdict.WRONG_ANSWER
            return replace(result, output=_head(stdout)) if wrong else result

    def _play(self, sandbox: Sandbox, executable: Executable, group: Group, case: Case, work: Path) -> CaseResult:
        limits = self._limits_in(sandbox, executable)
        command = executable.command(limits.memory_bytes, *case.settings.args)
        player = Player(command=command, limits=limits, generous=_generous(limits))
        try:
            game = interact(sandbox, player, self._validation(sandbox, case, work), work, self.tap)
        except JudgeError as error:
            return CaseResult(
                name=case.name,
                group=group.name,
                verdict=Verdict.JUDGE_ERROR,
                reason=Reason.VALIDATOR,
                message=str(error),
            )
        judgement = self._guarded(lambda: self._scored(group, case, game.judgement))
        return _result(group, case, game.run, judgement, work / "stderr")

    def _limits_in(self, sandbox: Sandbox, executable: Executable) -> Limits:
        """Without a PID namespace a submission may have threads, but no process that could outlive it."""
        fitted = executable.fit(self.limits)
        return replace(fitted, may_fork=sandbox.isolation.tier not in (Tier.FILTERED, Tier.LOCKED))

    def _check_output(self, sandbox: Sandbox, group: Group, case: Case, work: Path) -> Judgement:
        def check() -> Judgement:
            if self.check.validator is not None:
                judgement = run_validator(self._validation(sandbox, case, work), work / "stdout", sandbox, work)
            else:
                answer = case.answer.read() if case.answer is not None else b""
                comparison = self.check.comparisons[case.settings.output_validator_args]
                judgement = compare((work / "stdout").read_bytes(), answer, comparison)
            return self._scored(group, case, judgement)

        return self._guarded(check)

    def _guarded(self, check: Callable[[], Judgement]) -> Judgement:
        try:
            return check()
        except JudgeError as error:
            return Judgement(verdict=Verdict.JUDGE_ERROR, reason=Reason.VALIDATOR, message=str(error))

    def _validation(self, sandbox: Sandbox, case: Case, work: Path) -> Validation:
        """The validator's call on copies of the case, for its user may not reach the place where the package lies."""
        validator = self.check.validator
        if validator is None:
            raise JudgeError(f"{case.name}: an interactive problem needs an output validator")
        given, answer = work / "case.in", work / "case.ans"
        given.write_bytes(case.input.read())
        answer.write_bytes(case.answer.read() if case.answer is not None else b"")
        warm = self.host.warm(validator, sandbox, self.check.limits)
        return Validation(
            validator=validator,
            limits=self.check.limits,
            input=given,
            answer=answer,
            place=warm.fresh_place() if warm is not None else Place(directory=work / "feedback"),
            arguments=case.settings.output_validator_args,
            warm=warm,
        )

    def _scored(self, group: Group, case: Case, judgement: Judgement) -> Judgement:
        if judgement.verdict is not Verdict.ACCEPTED or group.name == "sample":
            return judgement
        score = case_score(group, case, score=judgement.score, multiplier=judgement.score_multiplier)
        return replace(judgement, score=score)


def _generous(limits: Limits) -> Limits:
    return replace(limits, cpu_s=limits.cpu_s * OVERTIME + OVERTIME_FLOOR_S)


def _on_disk(case: Case, work: Path) -> Path:
    if case.input.content is None:
        return case.input.origin
    copy = work / "case.in"
    copy.write_bytes(case.input.content)
    return copy


def _result(group: Group, case: Case, run: RunResult, judgement: Judgement, stderr: Path) -> CaseResult:
    message = judgement.message
    if judgement.verdict is Verdict.RUN_TIME_ERROR:
        message = _tail(stderr)
    return CaseResult(
        name=case.name,
        group=group.name,
        verdict=judgement.verdict,
        score=judgement.score,
        reason=judgement.reason,
        cpu_s=run.cpu_s,
        wall_s=run.wall_s,
        memory_bytes=run.memory_bytes,
        exit_code=run.exit_code,
        signal=run.signal,
        message=message,
    )


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(OUTPUT_BYTES).decode(errors="replace")


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - STDERR_BYTES, 0))
        return file.read(STDERR_BYTES).decode(errors="replace").strip()
