"""What a result was made from, as digests: a result in the store counts only for exactly that."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from harness.build.languages import LanguageTable
from harness.errors import MachineError
from harness.package import Package, Program, Rule
from harness.package.files import File, Files
from harness.sandbox import Isolation

# What the verdict on a stranger's submission cannot depend on.
_NOT_JUDGED_WITH = ("submissions/", "statement/", "solution/", "attachments/", "generators/", "input_validators/")


def package_digest(package: Package) -> str:
    """Of the parts of a package that judging sees: data, output validator, problem.yaml, included files."""
    parts = {name: file for name, file in package.files.items() if not name.startswith(_NOT_JUDGED_WITH)}
    return _digest_of_files(parts)


def conditions_digest(
    package: Package, isolation: Isolation, languages: LanguageTable, version: str, tools: Iterable[Path] = ()
) -> str:
    """Of all but the submission: package, limits, isolation tier, languages, version of the harness.

    tools: the compilers and interpreters of the output validators.
    """
    limits = json.dumps(asdict(package.limits), sort_keys=True)
    table = repr(sorted((code, repr(language)) for code, language in languages.items()))
    tier = f"T{int(isolation.tier)}"
    return _digest_of_texts(package_digest(package), limits, tier, table, version, *map(_identity, tools))


def submission_key(program: Program, conditions: str, tools: Iterable[Path] = ()) -> str:
    """Of a submission under these conditions; where it lies does not matter, what its files are called does.

    tools: the compilers and interpreters that it is built and run with.
    """
    own = (program.language or "", program.entrypoint or "", _digest_of_files(program.files))
    return _digest_of_texts(conditions, *own, *map(_identity, tools))


def _identity(tool: Path) -> str:
    """Another version is another file, of another size or date; asking it for its version would cost a start each."""
    try:
        status = tool.stat()
    except OSError:
        return str(tool)
    return f"{tool.resolve()} {status.st_size} {status.st_mtime_ns}"


def demands_digest(rules: tuple[Rule, ...] | None, *, complete: bool) -> str:
    """Of what decides which cases count and what the result is held against."""
    return _digest_of_texts(repr(complete), repr(None if rules is None else [_ordered(rule) for rule in rules]))


def _ordered(rule: Rule) -> list[object]:
    values = vars(rule).values()
    return [sorted(value) if isinstance(value, frozenset) else value for value in values]


def _digest_of_texts(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogateescape")
        digest.update(f"{len(encoded)}\0".encode() + encoded)
    return digest.hexdigest()


def _digest_of_files(files: Files) -> str:
    return _digest_of_texts(*(part for name in sorted(files) for part in (name, _digest_of_file(files[name]))))


def _digest_of_file(file: File) -> str:
    try:
        with file.open() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except MachineError as error:
        raise MachineError(f"{error}; nothing was judged") from error
