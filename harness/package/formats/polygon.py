"""Polygon: a folder with problem.xml, its files laid out as those of a package of 2025-09.

Packages "standard" lack the tests that generators make and all answers; those are a recipe here.
"""

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from harness.package.files import INCLUDED_EVERYWHERE, Files
from harness.package.findings import Findings
from harness.package.formats.polygon_programs import (
    Layout,
    add_checker,
    add_headers,
    add_program_tests,
    add_validators,
    command_of,
    path_of,
)
from harness.package.formats.polygon_statements import add_examples, add_statements, code_of
from harness.package.formats.polygon_tests import Placement, Placing, Tests, read_tests
from harness.package.formats.source import Family
from harness.package.formats.submission_rules import DEFAULT_RULES
from harness.package.workspace import RECIPE
from harness.package.xml_lines import Element, parse_xml

MANIFEST = "problem.xml"
_OUTPUT_MIB = 256  # Polygon states no limit
# The folder of a tag, and what submissions.yaml says where the folder says nothing.
_TAGS: Mapping[str, tuple[str, dict[str, list[str]]]] = {
    "main": ("accepted", {}),
    "accepted": ("accepted", {}),
    "wrong-answer": ("wrong_answer", {}),
    "presentation-error": ("wrong_answer", {}),
    "time-limit-exceeded": ("time_limit_exceeded", {}),
    "memory-limit-exceeded": ("run_time_error", {}),
    "runtime-error": ("run_time_error", {}),
    "failed": ("rejected", {}),
    "rejected": ("rejected", {}),
    "time-limit-exceeded-or-accepted": ("accepted_or_slow", {"permitted": ["AC", "TLE"]}),
    "time-limit-exceeded-or-memory-limit-exceeded": (
        "slow_or_large",
        {"permitted": ["AC", "TLE", "RTE"], "required": ["TLE", "RTE"]},
    ),
}
# What the default rule of a folder demands, for tags of single groups.
_VERDICTS = {
    rule.pattern: {
        key: sorted(codes) for key, codes in (("permitted", rule.permitted), ("required", rule.required)) if codes
    }
    for rule in DEFAULT_RULES
}
_NOT_RUN = ("do-not-run", "not-run")
# The languages of programs, by how their types begin; the first that fits.
_LANGUAGES = (
    ("cpp", "cpp"), ("c.", "c"), ("java", "java"), ("python.2", "python2"), ("python.pypy2", "python2"),
    ("python", "python3"), ("pas", "pascal"), ("csharp", "csharp"), ("kotlin", "kotlin"), ("go", "go"),
    ("rust", "rust"), ("js", "javascript"), ("ruby", "ruby"), ("php", "php"), ("perl", "perl"),
    ("haskell", "haskell"), ("ocaml", "ocaml"),
)  # fmt: skip


def lay_out(root: Path, files: Files, findings: Findings) -> Files:
    """Return the files of the package; faults and losses go to the findings."""
    file = files[MANIFEST]
    problem = parse_xml(file, findings)
    if problem is None:
        return {}
    if problem.tag != "problem":
        findings.fault(file.origin, f"the root element is <{problem.tag}>: expected <problem>", problem.line)
        return {}
    layout = Layout(files=files, problem=problem, findings=findings, manifest=file.origin)
    tests = read_tests(files, problem, findings)
    add_headers(layout)
    add_checker(layout)
    testlib = add_validators(layout)
    placed = Placing(tests=tests, findings=findings, manifest=file.origin, testlib=testlib).placement()
    main = _add_solutions(layout, placed)
    layout.add_yaml("problem.yaml", _problem(layout, tests, placed, add_statements(files, layout.made)))
    for folder, settings in placed.groups.items():
        layout.add_yaml(f"data/{folder}/test_group.yaml", settings)
    _add_data(layout, tests, placed, main)
    add_program_tests(layout)
    _add_attachments(layout)
    return dict(sorted(layout.made.items()))


FAMILY = Family(name="Polygon", manifests=(MANIFEST,), lay_out=lay_out)


def _add_solutions(layout: Layout, placed: Placement) -> str | None:
    """Lay out the solutions with their expected verdicts; return the path of the main solution."""
    rules: dict[str, object] = {}
    mains: dict[str, str] = {}
    for element in layout.problem.all("assets/solutions/solution"):
        tag, source = element.get("tag"), layout.source(element, "a solution")
        if source is None:
            continue
        if tag not in _TAGS:
            if tag not in _NOT_RUN:
                layout.warn(element, f"the tag {tag!r} is not known: {source[0]} is not judged")
            continue
        folder, demands = _TAGS[tag]
        path = f"{folder}/{source[0]}"
        layout.made[f"submissions/{path}"] = source[1]
        if tag == "main" and tag in mains:
            layout.warn(element, f"a second solution with the tag `main`: answers are made by {mains[tag]}")
        mains.setdefault(tag, f"/submissions/{path}")
        language, model = _language(element), {"model_solution": True} if tag == "main" else {}
        stated = {"language": language} if language is not None else {}
        rules[path] = {**stated, **model, **demands, **dict(_group_demands(element, placed))}
    layout.add_yaml("submissions/submissions.yaml", rules)
    if "main" not in mains:
        where = layout.problem.find("assets/solutions") or layout.problem
        note = layout.warn if "accepted" in mains else layout.fault
        note(where, "no solution has the tag `main`: answers are made by that")
    return mains.get("main") or mains.get("accepted")


def _group_demands(element: Element, placed: Placement) -> Iterable[tuple[str, object]]:
    for extra in element.all("extra-tags/extra-tag"):
        folders = placed.folders.get(extra.get("group"), ())
        folder, demands = _TAGS.get(extra.get("tag"), ("", {}))
        for name in folders if folder else ():
            yield name, demands or _VERDICTS[folder]


def _problem(layout: Layout, tests: Tests, placed: Placement, languages: Iterable[str]) -> dict[str, object]:
    types = ["scoring" if placed.scoring else "pass-fail"]
    if layout.problem.find("assets/interactor") is not None:
        types.append("interactive")
    _note_losses(layout)
    names = {
        code_of(element.get("language")) or "en": element.get("value")
        for element in layout.problem.all("names/name")
    }
    short = layout.problem.get("short-name") or "problem"
    first = next(iter(names.values()), short)
    return {
        "problem_format_version": "2025-09",
        "type": types,
        "name": {language: names.get(language, first) for language in languages} or names or first,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, layout.problem.get("url") or short)),
        "keywords": [tag.get("value") for tag in layout.problem.all("tags/tag") if tag.get("value")],
        "limits": {
            "time_limit": tests.time_limit_s,
            "time_resolution": 0.001,
            # Polygon's limit is used unchanged.
            "time_multipliers": {"ac_to_time_limit": 1.0, "time_limit_to_tle": 1.0},
            "memory": tests.memory_mib,
            "output": _OUTPUT_MIB,
            "validation_output": _OUTPUT_MIB,
        },
    }


def _note_losses(layout: Layout) -> None:
    judging = layout.problem.find("judging") or layout.problem
    tags = {tag.get("value") for tag in layout.problem.all("tags/tag")}
    if judging.get("run-count", "1") not in ("", "1") or "run-twice" in tags:
        layout.fault(
            judging, "a solution that runs twice on each test (`run-count`, `run-twice`) is not supported"
        )
    names = [judging.get(name) for name in ("input-file", "output-file") if judging.get(name)]
    if names:
        layout.warn(
            judging,
            f"solutions read and write files ({', '.join(names)}): here they use standard input and output, "
            "so those that open the files fail",
        )
    scorer = layout.problem.find("assets/scorer")
    if scorer is not None:
        layout.warn(scorer, "the scorer is not run: points are those of the groups and tests")


def _add_data(layout: Layout, tests: Tests, placed: Placement, main: str | None) -> None:
    """Lay out the existing tests, and a recipe for the missing tests, or else for all generated tests."""
    generators: dict[str, list[str]] = {}
    data: dict[str, object] = {}
    for test in tests.tests:
        entry: object = command_of(layout, test, generators) if test.input is None or tests.complete else None
        if test.input is not None and test.answer is None:
            layout.made[f"generators/tests/{test.index}.in"] = test.input
            entry = {"copy": f"tests/{test.index}"}
        for name in placed.names[test.index]:
            if entry is not None:
                _put(data, name.split("/"), entry)
            for end, file in ((".in", test.input), (".ans", test.answer)):
                if file is not None:
                    layout.made[f"data/{name}{end}"] = file
    samples = ((placed.names[test.index][0], test.input, test.answer) for test in tests.tests if test.sample)
    add_examples(layout.files, samples, layout.made)
    layout.report_absent()
    if data:
        layout.add_yaml(RECIPE, {"solution": main, "generators": generators, "data": data})


def _add_attachments(layout: Layout) -> None:
    """Lay out attachments, and the files that are compiled into every solution."""
    for element in layout.problem.all("files/attachments/file"):
        path = path_of(element)
        if path in layout.files:
            layout.made[f"attachments/{PurePosixPath(path).name}"] = layout.files[path]
    for element in layout.problem.all("files/resources/file"):
        path = path_of(element)
        assets = {asset.get("name").lower() for asset in element.all("assets/asset")}
        if "solution" in assets and path in layout.files:
            for code in _languages_of(element.get("for-types")):
                layout.made[f"include/{code}/{PurePosixPath(path).name}"] = layout.files[path]


def _languages_of(kinds: str) -> list[str]:
    """Return the languages of a list of types such as `cpp.*;python.*`; `default` for an empty list."""
    codes = [_language_of(kind.strip()) for kind in re.split("[;:]", kinds) if kind.strip()]
    return [code for code in dict.fromkeys(codes) if code is not None] if codes else [INCLUDED_EVERYWHERE]


def _put(data: dict[str, object], path: Sequence[str], entry: object) -> None:
    """Put an entry of the recipe at its place below `data`."""
    for part in path[:-1]:
        folder = data.setdefault(part, {"data": {}})
        data = folder["data"]  # type: ignore[index]
    data[path[-1]] = entry


def _language(solution: Element) -> str | None:
    source = solution.find("source")
    return _language_of(source.get("type")) if source is not None else None


def _language_of(kind: str) -> str | None:
    return next((code for start, code in _LANGUAGES if kind.startswith(start)), None)
