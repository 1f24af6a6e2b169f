"""Does the program that is taken for right answer the samples as their files do?"""

import time
from collections.abc import Sequence

from harness.package import Case
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.search.evaluate import Bench
from harness.search.model import Candidate, Outcome, Source, Trial
from harness.search.output_check import Exchange
from harness.search.policy import HUNT
from harness.search.target import length_of


def doubted(bench: Bench, sandbox: Sandbox, cases: Sequence[Case], deadline_s: float) -> str:
    """The first of some cases that the oracle gets wrong, in words; "" where there is none, or nothing to compare."""
    oracle = bench.target.oracle
    if oracle is None or bench.target.played or oracle in bench.target.package.submissions:
        return ""  # verifying a package is no search
    known = [case for case in cases if case.answer is not None and length_of(case) <= HUNT.most_sample_bytes][
        : HUNT.most_samples
    ]
    trials: list[Trial] = []
    answers: list[bytes | None] = []
    for trial in map(_trial, known):
        if time.monotonic() > deadline_s:
            break
        trials.append(trial)
        answers += bench.answers_to(sandbox, [trial], patiently=True)
    known = known[: len(trials)]
    told = [
        Exchange(given=trial.data, answer=case.answer.read(), output=answer, settings=case.settings)
        for trial, case, answer in zip(trials, known, answers, strict=True)
        if answer is not None and case.answer is not None
    ]
    wrong = {trial.data for trial, answer in zip(trials, answers, strict=True) if answer is None}
    judged = zip(told, bench.checked(sandbox, told), strict=True)
    wrong |= {one.given for one, judgement in judged if judgement.verdict is Verdict.WRONG_ANSWER}
    name = next((case.name for trial, case in zip(trials, known, strict=True) if trial.data in wrong), "")
    return f"{oracle.path} does not answer {name} as its answer file does: is it right?" if name else ""


def _trial(case: Case) -> Trial:
    data = case.input.read()
    candidate = Candidate(source=Source.CASE, words=case.name, data=data)
    return Trial(candidate=candidate, outcome=Outcome.PENDING, data=data, settings=case.settings)
