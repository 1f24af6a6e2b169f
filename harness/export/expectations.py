"""Convert an older package's expectations of its submissions to submissions.yaml.

Legacy folders state a submission's first or worst verdict; 2025-09 states the verdicts of cases. So a submission
that must be TLE must be TLE on some case, and may get any verdict on others.
"""

from collections.abc import Callable

from harness.export.archive import Parcel
from harness.package import Package, Program
from harness.package.model import Rule
from harness.rules.expectations import rules_for

_ALL = ("AC", "WA", "TLE", "RTE")


def demands(package: Package, name_of: Callable[[str], str], parcel: Parcel) -> dict[str, object]:
    """Return submissions.yaml as a mapping: folders with one demand for all, then single submissions."""
    told: dict[str, dict[str, object]] = {}
    for program in package.submissions:
        rules = rules_for(program.path, package.rules)
        if any("CE" in (rule.verdicts or ()) for rule in rules):
            parcel.lose(f"that {program.path} must not compile: it is left out")
            _leave_out(parcel, f"submissions/{name_of(program.path)}")
            continue
        told[name_of(program.path)] = _demand(package, program, rules)
    folders: dict[str, list[dict[str, object]]] = {}
    for path, demand in told.items():
        folders.setdefault(path.split("/")[0], []).append(demand)
    written: dict[str, object] = {}
    for folder, asked in folders.items():
        # Naming a folder replaces its default rules.
        alike = (
            asked[0]
            if all(demand == asked[0] for demand in asked)
            else {"permitted": list(_ALL), "required": list(_ALL)}
        )
        written[folder] = alike
    for path, demand in told.items():
        if demand and demand != written[path.split("/")[0]]:
            written[path] = demand
    for program in package.submissions:
        path = name_of(program.path)
        if program.language is not None and path in told:  # nobody looks into a newer one for Python 2
            written[path] = {"language": program.language} | (told[path] if path in written else {})
    return {key: value for key, value in written.items() if value}


def _leave_out(parcel: Parcel, place: str) -> None:
    for path in [path for path in parcel.contents if path == place or path.startswith(f"{place}/")]:
        del parcel.contents[path]


def _demand(package: Package, program: Program, rules: tuple[Rule, ...]) -> dict[str, object]:
    asked = [codes for rule in rules if rule.cases is None for codes in (rule.verdicts, rule.permitted) if codes]
    codes = frozenset(_ALL).intersection(*asked)
    demand: dict[str, object] = {}
    if asked and codes == {"AC"} and not (package.scoring and any(rule.below_maximum for rule in rules)):
        demand["permitted"] = ["AC"]
    elif asked and codes:
        below = any(rule.below_maximum for rule in rules)
        demand |= {"permitted": list(_ALL), "required": [code for code in _ALL if below or code in codes]}
        if codes != {"TLE"}:
            demand["use_for_time_limit"] = False
    scores = [rule.score for rule in rules if rule.score is not None and rule.cases is None]
    if scores:
        low, high = max(low for low, _ in scores), min(high for _, high in scores)
        demand["score"] = low if low == high else [low, high]
    return demand
