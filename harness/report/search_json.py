"""The outcome of `harness stress` as JSON (schema version 1, docs/stress.md)."""

import base64
from typing import Any

from harness.search import CandidateOutcome, Doubt, Hunt, Outside, SearchResult, TriedCandidate

SCHEMA_VERSION = 1


def search_as_json(hunt: Hunt, result: SearchResult | None) -> dict[str, Any]:
    """Return the outcome of a search as JSON values; `found` is null without a counterexample."""
    progress = hunt.progress
    return {
        "schema_version": SCHEMA_VERSION,
        "problem": hunt.target.package.slug,
        "program": hunt.target.submission.path,
        "seed": hunt.seed,
        "interrupted": progress.interrupted,
        "elapsed_s": round(progress.elapsed_s, 3),
        "seconds": {phase: round(spent_s, 3) for phase, spent_s in progress.clock.seconds.items()},
        "executions": progress.executions,
        "tried": {source.value: count for source, count in progress.tried.items()},
        "not_valid": progress.outcomes[CandidateOutcome.REFUSED],
        "doubtful": progress.outcomes[CandidateOutcome.DOUBTFUL],
        "not_answered": progress.outcomes[CandidateOutcome.UNANSWERED],
        "reason_not_answered": progress.complaint,
        "found": _found(result) if result is not None else None,
    }


def _found(result: SearchResult) -> dict[str, Any]:
    failure, first = result.trial.failure, result.first
    confirmed = result.confirmed
    return {
        "verdict": failure.verdict.value if failure is not None else None,
        "reason": failure.reason.value if failure is not None and failure.reason is not None else None,
        "signal": failure.signal if failure is not None else None,
        "exit_code": failure.exit_code if failure is not None else None,
        "message": failure.message if failure is not None else "",
        "input": _text(result.trial.data),
        "input_base64": base64.b64encode(result.trial.data).decode(),
        "input_bytes": len(result.trial.data),
        "output": _text(failure.output) if failure is not None else "",
        "answer": _text(failure.answer) if failure is not None and failure.answer is not None else None,
        "standard_error": _text(failure.stderr) if failure is not None else "",
        "proven_smallest": result.proven,
        "confirmed": result.is_confirmed,
        **_doubt(result.trial.doubt),
        "outside": _outside(result.outside) if result.outside is not None else None,
        "accepted_programs_differ_on": _differ(result.doubtful),
        "verdict_of_plain_run": confirmed.verdict.value if confirmed is not None else None,
        "first": {
            "source": first.candidate.source.value,
            "words": first.candidate.words,
            "bytes": len(first.data),
        },
        "inputs_to_find": result.to_find,
        "runs_to_shrink": result.to_shrink,
    }


def _doubt(doubt: Doubt | None) -> dict[str, Any]:
    programs = doubt.programs if doubt is not None else None
    dispute = None
    if doubt is not None and programs is not None:
        dispute = {"programs": list(programs), "program_agrees_with": programs[1] if doubt.agrees else None}
    return {"doubt": doubt.reason if doubt is not None else None, "dispute": dispute}


def _outside(outside: Outside) -> dict[str, Any]:
    """Return the samples' rule that is broken; `smaller`: the input that breaks it, null if the main result."""
    return {"rule": outside.rule, "smaller": _text(outside.trial.data) if outside.trial is not None else None}


def _differ(doubtful: TriedCandidate | None) -> dict[str, Any] | None:
    if doubtful is None or doubtful.doubt is None or doubtful.doubt.programs is None:
        return None
    return {"input": _text(doubtful.data), "programs": list(doubtful.doubt.programs)}


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
