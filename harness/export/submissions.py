"""Expectations of submissions: as submissions.yaml of 2025-09, and as the folders of older formats."""

from collections.abc import Callable

from harness.export.archive import ExportedFiles
from harness.package import Group, Package, Program
from harness.package.globs import matches
from harness.package.model import Rule, rules_for
from harness.values import dataclass

_ALL = ("AC", "WA", "TLE", "RTE")


def demands(package: Package, name_of: Callable[[str], str], exported: ExportedFiles) -> dict[str, object]:
    """Return submissions.yaml as a mapping: folders with one demand for all, then single submissions."""
    singles: dict[str, dict[str, object]] = {}
    for program in package.submissions:
        rules = rules_for(program.path, package.rules)
        if any("CE" in (rule.verdicts or ()) for rule in rules):
            exported.note_loss(f"that {program.path} must not compile: it is left out")
            _leave_out(exported, f"submissions/{name_of(program.path)}")
            continue
        singles[name_of(program.path)] = _demand(package, rules)
    folders: dict[str, list[dict[str, object]]] = {}
    for path, demand in singles.items():
        folders.setdefault(path.split("/")[0], []).append(demand)
    written: dict[str, object] = {}
    for folder, demanded in folders.items():
        # Naming a folder replaces its default rules.
        alike = (
            demanded[0]
            if all(demand == demanded[0] for demand in demanded)
            else {"permitted": list(_ALL), "required": list(_ALL)}
        )
        written[folder] = alike
    for path, demand in singles.items():
        if demand and demand != written[path.split("/")[0]]:
            written[path] = demand
    for program in package.submissions:
        path = name_of(program.path)
        if program.language is not None and path in singles:  # nobody looks into a newer one for Python 2
            written[path] = {"language": program.language} | (singles[path] if path in written else {})
    return {key: value for key, value in written.items() if value}


def _leave_out(exported: ExportedFiles, left_out: str) -> None:
    for path in [path for path in exported.contents if path == left_out or path.startswith(f"{left_out}/")]:
        del exported.contents[path]


def _demand(package: Package, rules: tuple[Rule, ...]) -> dict[str, object]:
    code_sets = [
        codes for rule in rules if rule.cases is None for codes in (rule.verdicts, rule.permitted) if codes
    ]
    required = [rule.required for rule in rules if rule.cases is None and rule.required]
    codes = frozenset(_ALL).intersection(*code_sets)
    wanted = codes.intersection(*required) or codes
    demand: dict[str, object] = {}
    if code_sets and codes == {"AC"} and not (package.scoring and any(rule.below_maximum for rule in rules)):
        demand["permitted"] = ["AC"]
    elif (code_sets or required) and codes:
        below = any(rule.below_maximum for rule in rules)
        demand |= {"permitted": list(_ALL), "required": [code for code in _ALL if below or code in wanted]}
        if wanted != {"TLE"}:
            demand["use_for_time_limit"] = False
    scores = _required_points(rules)
    if scores is not None:
        low, high = scores
        demand["score"] = low if low == high else [low, high]
    return demand


FOLDERS = {"AC": "accepted", "WA": "wrong_answer", "TLE": "time_limit_exceeded", "RTE": "run_time_error"}
PARTIAL = "partially_accepted"


@dataclass(frozen=True, kw_only=True)
class Home:
    """folder: None if no folder matches the expectations. possible: the verdicts that it may get."""

    folder: str | None
    possible: tuple[str, ...]


def home_of(package: Package, program: Program) -> Home:
    """Return the folder that matches the package's rules for the submission."""
    rules = rules_for(program.path, package.rules)
    possible = _possible(rules)
    if package.scoring:
        folder = _scored(package, rules)
        if folder is not None or not _fails_everywhere(package, rules):
            return Home(folder=folder, possible=possible)
    wrong = [code for code in possible if code != "AC"]
    if possible == ("AC",):
        return Home(folder=FOLDERS["AC"], possible=possible)
    fails = "AC" not in possible or any(rule.requires_failure for rule in rules)
    return Home(folder=FOLDERS[wrong[0]] if fails and len(wrong) == 1 else None, possible=possible)


def depends_on_require_pass(package: Package, home: Home) -> bool:
    """Return whether a submission without points may get some where `require_pass` does not count."""
    ignored = package.scoring and any(group.require_pass for group in package.secret.groups)
    return ignored and home.folder in FOLDERS.values() and home.folder != FOLDERS["AC"]


def _possible(rules: tuple[Rule, ...]) -> tuple[str, ...]:
    allowed = set(FOLDERS)
    for rule in rules:
        if rule.cases is None and rule.permitted is not None:
            allowed &= rule.permitted
    required = [rule.required for rule in rules if rule.required is not None]
    required_codes = frozenset().union(*required) if required else frozenset()
    # A verdict that no rule requires may be permitted, but need not occur.
    shown = {code for code in allowed if code == "AC" or not required_codes or code in required_codes}
    return tuple(code for code in FOLDERS if code in shown)


def _scored(package: Package, rules: tuple[Rule, ...]) -> str | None:
    """Return the folder by required points; a program with some points is partially accepted."""
    if any(rule.below_maximum for rule in rules):
        return PARTIAL
    required = _required_points(rules)
    if required is None:
        return FOLDERS["AC"] if _possible(rules) == ("AC",) else None
    low, high = required
    most = package.secret.max_score
    if most is not None and low >= most:
        return FOLDERS["AC"]
    if low > 0 and (most is None or high < most):
        return PARTIAL
    if _possible(rules) == ("AC",):
        return FOLDERS["AC"]
    return None


def _required_points(rules: tuple[Rule, ...]) -> tuple[float, float] | None:
    """Return the least and the most points that the rules allow a submission in all; None if they state none."""
    ranges = [rule.score for rule in rules if rule.score is not None and rule.cases is None]
    return (max(low for low, _ in ranges), min(high for _, high in ranges)) if ranges else None


def _fails_everywhere(package: Package, rules: tuple[Rule, ...]) -> bool:
    """Return whether the program must fail every group and so gets no points."""
    required = _required_points(rules)
    if required is not None and required[1] == 0:
        return True
    groups: tuple[Group, ...] = package.secret.groups or (package.secret,)
    return bool(groups) and all(_fails(group, rules) for group in groups)


def _fails(group: Group, rules: tuple[Rule, ...]) -> bool:
    return group.aggregation == "pass-fail" and any(
        rule.requires_failure and rule.cases is not None and matches(rule.cases, group.name) for rule in rules
    )
