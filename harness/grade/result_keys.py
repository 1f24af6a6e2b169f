"""The keys under which a grading keeps results: digests of what each result was made from."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from harness.build.languages import LanguageTable
from harness.errors import MachineError
from harness.package import Package, Program, Rule
from harness.sandbox import Isolation
from harness.store.identity import (
    digest_of_texts,
    harness_identity,
    package_identity,
    program_identity,
    tools_identity,
)

# What the verdict on a submission cannot depend on.
_NOT_JUDGED_WITH = ("submissions/", "statement/", "solution/", "attachments/", "generators/", "input_validators/")


def conditions_digest(
    package: Package, isolation: Isolation, languages: LanguageTable, tools: Iterable[Path] = ()
) -> str:
    """Digest all but the submission: package, limits, isolation tier, languages, and the harness' own sources.

    tools: the compilers and interpreters of the output validators. Raises MachineError for a file that cannot be read.
    """
    limits = json.dumps(asdict(package.limits), sort_keys=True)
    table = repr(sorted((code, repr(language)) for code, language in languages.items()))
    tier = f"T{int(isolation.tier)}"
    judged_with = package_identity(package, without=_NOT_JUDGED_WITH)
    return digest_of_texts(judged_with, limits, tier, table, harness_identity(), tools_identity(tools))


def submission_key(program: Program, conditions: str, tools: Iterable[Path] = ()) -> str:
    """Digest a submission under these conditions. File names count, the submission's folder does not.

    tools: the compilers and interpreters that it is built and run with. Raises MachineError for a file that cannot be
    read.
    """
    try:
        return digest_of_texts(conditions, program_identity(program), tools_identity(tools))
    except MachineError as error:
        raise MachineError(f"{error}; nothing was judged") from error


def demands_digest(rules: tuple[Rule, ...] | None, *, complete: bool) -> str:
    """Digest what decides which cases count and what the result is held against."""
    return digest_of_texts(repr(complete), repr(None if rules is None else [_ordered(rule) for rule in rules]))


def _ordered(rule: Rule) -> list[object]:
    values = vars(rule).values()
    return [sorted(value) if isinstance(value, frozenset) else value for value in values]
