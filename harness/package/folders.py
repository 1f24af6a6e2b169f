"""Folders of submissions of which no rule speaks: whatever such a submission gets, nobody would notice."""

import difflib
from collections.abc import Sequence
from pathlib import PurePath

from harness.package.findings import Findings
from harness.package.globs import matches
from harness.package.model import Program, Rule

_SHORT = {
    "ac": "accepted",
    "correct": "accepted",
    "good": "accepted",
    "right": "accepted",
    "bad": "wrong_answer",
    "incorrect": "wrong_answer",
    "wa": "wrong_answer",
    "slow": "time_limit_exceeded",
    "timeout": "time_limit_exceeded",
    "tle": "time_limit_exceeded",
    "crash": "run_time_error",
    "re": "run_time_error",
    "rte": "run_time_error",
}
_LIKENESS = 0.55  # `wrong` is as like to `wrong_answer` as that


def check_folders(
    submissions: Sequence[Program], rules: Sequence[Rule], root: PurePath, findings: Findings
) -> None:
    """Warn once a folder, with the name that may have been meant."""
    known = sorted({folder for rule in rules for folder in _plain(rule.pattern)})
    told = set()
    for submission in submissions:
        if any(matches(rule.pattern, submission.path) for rule in rules):
            continue
        folder, _, inside = submission.path.partition("/")
        if folder not in told:
            told.add(folder)
            findings.warn(root / "submissions" / submission.path, _message(folder if inside else "", known))


def _message(folder: str, known: Sequence[str]) -> str:
    if not folder:
        what = "stands in no folder that says what it must get: move it to accepted/, wrong_answer/ …"
    else:
        meant = _SHORT.get(folder.lower()) or next(
            iter(difflib.get_close_matches(folder.lower(), known, n=1, cutoff=_LIKENESS)), None
        )
        what = f"nothing says what submissions in `{folder}/` must get"
        what += f": did you mean `{meant}/`?" if meant else f": rename the folder ({', '.join(known)})"
    return f"{what}{' Or' if what.endswith('?') else ', or'} name it in submissions/submissions.yaml"


def _plain(pattern: str) -> list[str]:
    """The folders that a pattern spells out."""
    names = pattern.strip("/").removeprefix("{").removesuffix("}").split(",")
    return [name for name in names if name.replace("_", "").isalnum()]
