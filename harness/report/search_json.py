"""What a search found, as JSON values: schema version 1, documented in docs/stress.md."""

import base64
from typing import Any

from harness.search import Dispute, Found, Hunt, Outcome

SCHEMA_VERSION = 1


def search_as_json(hunt: Hunt, found: Found | None) -> dict[str, Any]:
    """The outcome of a search; `found` is null where nothing was."""
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
        "not_valid": progress.outcomes[Outcome.REFUSED],
        "disputed": progress.outcomes[Outcome.DISPUTED],
        "not_answered": progress.outcomes[Outcome.UNANSWERED],
        "reason_not_answered": progress.complaint,
        "found": _found(found) if found is not None else None,
    }


def _found(found: Found) -> dict[str, Any]:
    failure, first = found.trial.failure, found.first
    confirmed = found.confirmed
    return {
        "verdict": failure.verdict.value if failure is not None else None,
        "reason": failure.reason.value if failure is not None and failure.reason is not None else None,
        "signal": failure.signal if failure is not None else None,
        "exit_code": failure.exit_code if failure is not None else None,
        "message": failure.message if failure is not None else "",
        "input": _text(found.trial.data),
        "input_base64": base64.b64encode(found.trial.data).decode(),
        "input_bytes": len(found.trial.data),
        "output": _text(failure.output) if failure is not None else "",
        "answer": _text(failure.answer) if failure is not None and failure.answer is not None else None,
        "standard_error": _text(failure.stderr) if failure is not None else "",
        "proven_smallest": found.proven,
        "confirmed": found.is_confirmed,
        "dispute": _dispute(found.dispute) if found.dispute is not None else None,
        "verdict_of_plain_run": confirmed.verdict.value if confirmed is not None else None,
        "first": {
            "source": first.candidate.source.value,
            "words": first.candidate.words,
            "bytes": len(first.data),
        },
        "inputs_to_find": found.to_find,
        "runs_to_shrink": found.to_shrink,
    }


def _dispute(dispute: Dispute) -> dict[str, Any]:
    programs = [dispute.reference, dispute.peer]
    return {"programs": programs, "program_agrees_with": dispute.peer if dispute.agrees else None}


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
