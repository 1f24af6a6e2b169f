"""Check a package that has been read: faults and warnings about parts that do not fit together."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from harness.package.files import File, below
from harness.package.findings import Findings
from harness.package.formats.submission_rules import CODES, KNOWN_RULES
from harness.package.globs import matches
from harness.package.model import CONVERSATIONS, Group, Package, ProblemType, Program, Rule, rules_for
from harness.package.names import misspelt
from harness.package.statements import LANGUAGE
from harness.package.workspace import LOCK, MISNAMED_RECIPES, RECIPE

SHORT_NAME = re.compile(r"[a-z0-9]+")
_FOLDERS_OF_OTHERS = {
    "answer_validators": "",
    "answer_format_validators": "",
    "visualizers": "; programs that draw go to input_visualizer/ and output_visualizer/",
}
# The folders at a package's top that have the same name in every version of the format, and their older names.
_FOLDERS = (
    "attachments", "data", "generators", "graders", "include", "input_validators", "input_visualizer",
    "output_visualizer", "solution", "static_validator", "submissions",
)  # fmt: skip
# Files of the format at the top of a package, and where they belong.
_PLACES = {
    "submissions.yaml": "submissions/submissions.yaml",
    "generators.yaml": RECIPE,
    **dict.fromkeys(MISNAMED_RECIPES, RECIPE),
    "data.lock": LOCK,
    "test_group.yaml": "data/secret/test_group.yaml",
    "testdata.yaml": "data/testdata.yaml",
}
_OLD_FOLDERS = ("input_format_validators", *_FOLDERS_OF_OTHERS)
_NOT_SHOWN = re.compile(r"((problem_)?statement/)?problem(\.[a-zA-Z-]{1,20})?\.(html|txt)")
_SIMILAR_TO_STATEMENT = re.compile(r"(problem_)?statement/(problem[._-][A-Za-z-]{2,20})\.(md|tex)")
_MISNAMED_STATEMENT = re.compile(r"(problem_)?statement/[^/]*\.(md|tex)")
_SHORT = {
    **dict.fromkeys(("ac", "correct", "good", "right"), "accepted"),
    **dict.fromkeys(("bad", "incorrect", "wa"), "wrong_answer"),
    **dict.fromkeys(("slow", "timeout", "tle"), "time_limit_exceeded"),
    **dict.fromkeys(("crash", "re", "rte"), "run_time_error"),
}
_NUMBER = re.compile(r"/\d+-")  # a recipe puts it before the names of cases and groups in a list
_LIKENESS = 0.55  # just below the likeness of `wrong` and `wrong_answer`


def check_parts(package: Package, findings: Findings, *, data_expected: bool) -> None:
    """Report parts that are missing or have no effect. data_expected: whether the secret cases must be there."""
    root, fault, warn = package.root, findings.fault, findings.warn
    if not SHORT_NAME.fullmatch(package.slug) and package.foreign_family is None:
        warn(root, f"the short name {package.slug!r} should be of a-z and 0-9 only")
    for kind in sorted(package.types & CONVERSATIONS):
        if package.output_validator is None:
            fault(
                root / "output_validator",
                f"type {kind} needs one: without it the submission gets no reply and no verdict",
            )
    if package.static_validator is not None and ProblemType.SUBMIT_ANSWER in package.types:
        fault(root / "static_validator", "does not go with submit-answer: there is no source to look at")
    if not package.input_validators:
        warn(root / "input_validators", "no input validator that can be run: no input is checked")
    for folder, fix in _FOLDERS_OF_OTHERS.items():
        if below(package.files, folder):
            warn(root / folder, f"no part of this format: not run{fix}")
    samples_do = package.foreign_family is not None and any(package.sample.all_cases())
    if data_expected and not any(package.secret.all_cases()) and not samples_do:
        warn(root / "data" / "secret", "no test case: a package needs at least one")


def check_folders(package: Package, findings: Findings, versions: Sequence[tuple[str, str]]) -> None:
    """Warn of each folder at the top whose name is close to one of the format.

    versions: pairs of a folder's name in the package's version of the format and its name in the others.
    """
    usual = (*(name for names in versions for name in names), *_FOLDERS)
    current = {other: own for own, other in versions}
    used = {*usual, *_OLD_FOLDERS, *(program.path.split("/")[0] for program in package.output_validators)}
    for name in sorted({path.split("/")[0] for path in package.files if "/" in path} - used):
        close = "submissions" if below(package.files, f"{name}/accepted") else misspelt(name, usual)
        likely = (close,) if close else tuple(other for other in usual if other.endswith(f"_{name.lower()}"))
        meant = " or ".join(dict.fromkeys(f"{current.get(other, other)}/" for other in likely))
        if meant:
            findings.warn(
                package.root / name, f"no folder of this format, so it is not read: did you mean {meant}?"
            )


def check_places(package: Package, findings: Findings) -> None:
    """Warn of files that are not read where they are."""
    for name, place in _PLACES.items():
        if name in package.files:
            findings.warn(package.root / name, f"not read here: move it to {place}")
    if LOCK in package.files and RECIPE not in package.files:
        findings.warn(
            package.root / LOCK, f"not checked, for there is no {RECIPE}: name the recipe so, or remove the lock"
        )


def check_statements(package: Package, findings: Findings, expected: str, *, each_named: bool) -> None:
    """Warn of a missing statement. expected: the path of the usual statement.

    each_named: whether each statement needs a name and each name a statement.
    """
    root, statements = package.root, package.statements
    if not statements:
        hidden = unshown_statement(package)
        if hidden is not None:
            kind = hidden.origin.suffix.removeprefix(".")
            findings.warn(
                hidden.origin, f"a statement in {kind} is not shown, judging does without; write {expected}"
            )
        else:
            usual = expected.rpartition("/")[2]
            misnamed = next((name for name in package.files if _MISNAMED_STATEMENT.fullmatch(name)), None)
            fix = f"rename {misnamed} to {usual}" if misnamed else f"write {expected}"
            findings.warn(root / "statement", f"no statement: judging does without, readers do not; {fix}")
        return
    _check_misnamed_statements(package, findings)
    if each_named:
        for language in sorted(filter(LANGUAGE.fullmatch, set(package.names) - set(statements))):
            findings.warn(root / "statement", f"no statement in `{language}`: expected problem.{language}.md")
        for language in sorted(set(statements) - set(package.names)):
            first = next(iter(package.names), "en")
            fix = f"write `name: {{{first}: …, {language}: …}}`"
            findings.warn(
                statements[language].origin, f"`name` in problem.yaml says nothing for `{language}`: {fix}"
            )


def _check_misnamed_statements(package: Package, findings: Findings) -> None:
    """Warn of each file whose name is nearly that of a statement, except what a statement names as a part of it."""
    for path, file in package.files.items():
        match = _SIMILAR_TO_STATEMENT.fullmatch(path)
        if match is None or LANGUAGE.fullmatch(match[2].removeprefix("problem.")):
            continue
        if not any(match[2].encode() in statement.read() for statement in package.statements.values()):
            fix = f"rename it to problem.<language>.{match[3]}, as problem.en.{match[3]}"
            findings.warn(file.origin, f"not shown: {fix}")


def unshown_statement(package: Package) -> File | None:
    """Return a statement of a kind that is not shown, such as HTML; None if there is none."""
    return next((file for path, file in package.files.items() if _NOT_SHOWN.fullmatch(path)), None)


def check_submission_folders(package: Package, findings: Findings) -> None:
    """Warn once for each folder of submissions that no rule matches, and suggest a name."""
    expected = sorted({folder for rule in package.rules for folder in _folders_of(rule.pattern)})
    warned = set()
    for submission in package.submissions:
        if rules_for(submission.path, package.rules):
            continue
        folder, _, inside = submission.path.partition("/")
        if folder not in warned:
            warned.add(folder)
            message = _without_rule(folder if inside else "", expected)
            findings.warn(package.root / "submissions" / submission.path, message)


def _without_rule(folder: str, expected: Sequence[str]) -> str:
    if not folder:
        what = "stands in no folder that says what it must get: move it to accepted/, wrong_answer/ …"
    else:
        meant = _meant(folder, expected)
        what = f"nothing says what submissions in `{folder}/` must get"
        what += f": did you mean `{meant}/`?" if meant else f": rename the folder ({', '.join(expected)})"
    return f"{what}{' Or' if what.endswith('?') else ', or'} name it in submissions/submissions.yaml"


def _meant(folder: str, names: Iterable[str]) -> str | None:
    """Return the folder that was probably meant; None if there is none."""
    close = difflib.get_close_matches(folder.lower(), names, n=1, cutoff=_LIKENESS)
    return _SHORT.get(folder.lower()) or next(iter(close), None)


def _folders_of(pattern: str) -> list[str]:
    """Return the folders that a pattern names without wildcards."""
    names = pattern.strip("/").removeprefix("{").removesuffix("}").split(",")
    return [name for name in names if name.replace("_", "").isalnum()]


def check_stated_rules(
    package: Package, origin: PurePath, lines: Mapping[str, int], groups: Sequence[Group], findings: Findings
) -> None:
    """Check the rules that the file `origin` states: contradictions are faults, rules without effect are warnings.

    lines: the line of each glob over submissions that the file holds. groups: sample and secret; none where data is
    not built.
    """
    _check_contradictions(package, origin, findings)
    _check_globs(package, origin, lines, findings)
    names = [name for group in groups for name in _names_in(group)]
    for rule in package.rules if names else ():
        if rule.cases is not None and not any(matches(rule.cases, name) for name in names):
            meant = next((name for name in names if matches(rule.cases, _NUMBER.sub("/", name))), None)
            fix = f"did you mean `{meant}`?" if meant else "they are named as below data/"
            message = f"`{rule.cases}` matches no test group and no test case: {fix}"
            findings.warn(origin, f"`{rule.pattern}`: {message}", lines.get(rule.pattern))
    _check_opting_out(package, origin, findings)


def _check_globs(package: Package, origin: PurePath, lines: Mapping[str, int], findings: Findings) -> None:
    """Warn of each glob that matches no submission; a usual folder may be empty."""
    usual = {folder for rule in KNOWN_RULES for folder in _folders_of(rule.pattern)}
    present = {submission.path.split("/")[0] for submission in package.submissions}
    for pattern, line in lines.items():
        is_name = "/" not in pattern
        is_usual = is_name and usual.issuperset(_folders_of(pattern) or [pattern])
        if is_usual or any(matches(pattern, submission.path) for submission in package.submissions):
            continue
        meant = _meant(pattern, sorted(usual | present)) if is_name else None
        if meant or present or not is_name:
            fix = f"did you mean `{meant}`?" if meant else "correct it, or leave it out"
            findings.warn(origin, f"`{pattern}` matches no submission: {fix}", line)


def _check_contradictions(package: Package, origin: PurePath, findings: Findings) -> None:
    """Report each submission whose rules permit no common verdict."""
    for submission in package.submissions:
        limiting = [
            rule
            for rule in rules_for(submission.path, package.rules)
            if rule.cases is None and rule.permitted is not None
        ]
        if limiting and not frozenset.intersection(*(rule.permitted or CODES for rule in limiting)):
            names = " and ".join(f"`{rule.pattern}`" for rule in limiting)
            findings.fault(origin, f"{submission.path}: {names} permit no verdict in common: correct one")


def _check_opting_out(package: Package, origin: PurePath, findings: Findings) -> None:
    """Warn of each `use_for_time_limit: false` without effect: the key only concerns its own rule.

    Another rule uses the submission for the time limit all the same (2025-09, "Timelimit inference").
    """
    for rule in package.rules:
        if rule.use_for_time_limit is not False or _bounds(replace(rule, use_for_time_limit=None)):
            continue
        example = next(_still_used(rule, package.rules, package.submissions), None)
        if example is not None:
            submission, other = example
            where = f"`{other.pattern}`" + (f", `{other.cases}`" if other.cases is not None else "")
            text = f"`{rule.pattern}`: `use_for_time_limit: false` has no effect on {submission.path}"
            findings.warn(origin, f"{text}, which {where} uses for the time limit: say it there too")


def _still_used(
    rule: Rule, rules: Sequence[Rule], submissions: Sequence[Program]
) -> Iterator[tuple[Program, Rule]]:
    """Yield submissions of a rule, each with another rule that uses it for the time limit."""
    others = [other for other in rules if _bounds(other) and rule.cases in (None, other.cases)]
    for submission in submissions:
        if rules_for(submission.path, [rule]):
            yield from ((submission, other) for other in rules_for(submission.path, others))


def _bounds(rule: Rule) -> bool:
    return rule.bounds_from_below or rule.bounds_from_above


def _names_in(group: Group) -> Iterator[str]:
    yield group.name
    yield from (case.name for case in group.cases)
    for inner in group.groups:
        yield from _names_in(inner)
