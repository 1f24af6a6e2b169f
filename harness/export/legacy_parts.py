"""Export data, programs and statements in the legacy format, which DOMjudge reads, too."""

import itertools
import shlex
from collections.abc import Callable, Container, Iterable
from dataclasses import replace

from harness.build.languages import language_of, load_table
from harness.errors import UsageError
from harness.export.archive import CREDITS_LOSS, RECIPE_LOSS, ExportedFiles, credits_others
from harness.export.latex import statement_as_latex
from harness.package import Aggregation, Case, Group, Package, ProblemType, Program
from harness.package.constants import substitute
from harness.package.files import INCLUDED_EVERYWHERE, below, included
from harness.package.model import GroupGrading, is_sample_name
from harness.statement.page import render_html
from harness.statement.source import FOLDERS

_PICTURES = (".svg", ".png", ".jpg", ".jpeg")


def add_programs(exported: ExportedFiles, folder: str, programs: Iterable[Program]) -> None:
    """Add each program to `folder` as a file or a folder, renamed if its name is taken."""
    taken = {path[len(folder) + 1 :].split("/")[0] for path in exported.contents if path.startswith(f"{folder}/")}
    for program in programs:
        above, _, name = program.path.rpartition("/")
        if len(program.files) == 1 and name in program.files and name not in taken:
            home, within = name, ""
        else:  # a folder; a file with added files; a taken name (Java files must keep their names)
            stem = (name.partition(".")[0] if name in program.files else name) if above else "validator"
            home = _free(stem, above.rpartition("/")[2], taken)
            within = f"{home}/"
        taken.add(home)
        for part, file in program.files.items():
            exported.add(f"{folder}/{within}{part}", file)


def _free(stem: str, above: str, taken: Container[str]) -> str:
    """Return a free folder name. above: the folder that the program comes from."""
    names = itertools.chain(
        (stem, f"{above}_{stem}"), (f"{above}_{stem}_{number}" for number in itertools.count(2))
    )
    return next(name for name in names if name not in taken)


def add_data(exported: ExportedFiles, package: Package) -> None:
    """Add the inputs and answers of sample and secret, and the samples that are only shown."""
    for sample in package.sample.shown_only:
        if ".interaction" in sample.shown:
            exported.add(f"data/{sample.name}.interaction", sample.shown[".interaction"])
    for case in package.judged_cases():
        exported.add(f"data/{case.name}.in", case.input)
        exported.add(f"data/{case.name}.ans", case.answer if case.answer is not None else b"")
        for extension in (".interaction", *_PICTURES):
            if extension in case.shown and (extension != ".interaction" or is_sample_name(case.name)):
                exported.add(f"data/{case.name}{extension}", case.shown[extension])
        if case.settings.args or case.extra_files:
            exported.note_loss("arguments and files of single cases (`args`, `.files`)")
        if case.output is not None:
            exported.note_loss("`.out`: outputs that are shown in the place of the answer")


OwnFlag = Callable[[Group], str]


def add_group_settings(
    exported: ExportedFiles, package: Package, *, known: str = "", own_flag: OwnFlag | None = None
) -> None:
    """Add a testdata.yaml with legacy keys at every level.

    known: the output validator's flags in problem.yaml. own_flag: returns one more flag of the output validator.
    """
    if package.grading is not None and package.scoring:
        exported.add_yaml("data/testdata.yaml", _graded(exported, package.grading, root=True))
    elif package.scoring:
        top = {"grader_flags": "ignore_sample", "on_reject": "continue", "range": _range(package.secret)}
        exported.add_yaml("data/testdata.yaml", top)
    for group in (package.sample, package.secret):
        _add_group(exported, package, group, known, own_flag)


def _add_group(
    exported: ExportedFiles, package: Package, group: Group, known: str, own_flag: OwnFlag | None
) -> None:
    values: dict[str, object] = {}
    if package.scoring and group.grading is not None:
        values = _graded(exported, group.grading)
    elif package.scoring:
        # Flags are inherited; `ignore_sample` is allowed at the top only.
        values = {"grader_flags": "first_error"} if group.name == "sample" else _scoring(group)
    flags = _flags_by_folder(package, group, known) if group.cases else {}
    for folder in dict.fromkeys((group.name, *flags)):
        own = flags.get(folder, {})
        if own and own_flag is not None:
            own = {**own, "output_validator_flags": f"{own['output_validator_flags']} {own_flag(group)}".strip()}
        written = {**(values if folder == group.name else {}), **own}
        if any(written.values()):
            exported.add_yaml(f"data/{folder}/testdata.yaml", written)
    if group.require_pass:
        exported.note_loss("`require_pass`: a group is run whatever became of the one that it builds on")
    if group.static is not None:
        exported.note_loss("static validation and its points")
    for inner in group.groups:
        _add_group(exported, package, inner, known, own_flag)


def _graded(exported: ExportedFiles, grading: GroupGrading, *, root: bool = False) -> dict[str, object]:
    """Return the keys of a group that has them already; without flags it must not inherit any. root: it is data/."""
    if grading.grader is not None:
        exported.note_loss("the package's own grader (graders/): groups are graded by the default grader")
    flags = [flag for flag in grading.grader_flags if grading.grader is None and (root or flag != "ignore_sample")]
    bounds = grading.score_range
    return {
        "on_reject": "break" if grading.break_on_reject else "continue",
        "grader_flags": " ".join(flags) or "worst_error",
        "accept_score": grading.accept_score,
        "reject_score": grading.reject_score,
        "range": None if bounds is None else f"{bounds[0]:.15g} {bounds[1]:.15g}",
    }


def _scoring(group: Group) -> dict[str, object]:
    if group.groups:
        flags = "first_error"
        if group.aggregation is not Aggregation.PASS_FAIL:  # some groups are enough to be accepted
            flags += " accept_if_any_accepted"
        flags += " min" if group.aggregation is Aggregation.MIN else ""
        return {"on_reject": "continue", "grader_flags": flags, "range": _range(group)}
    points = group.max_score
    if group.aggregation is Aggregation.PASS_FAIL:
        return {
            "on_reject": "break",
            "grader_flags": "first_error min",
            "accept_score": points,
            "range": _range(group),
        }
    each = (
        None if points is None else points if group.aggregation is Aggregation.MIN else points / len(group.cases)
    )
    flags = "min" if group.aggregation is Aggregation.MIN else "sum"
    flags = f"first_error accept_if_any_accepted {flags}"
    return {"on_reject": "continue", "grader_flags": flags, "accept_score": each, "range": _range(group)}


def _range(group: Group) -> str | None:
    return None if group.max_score is None else f"0 {group.max_score:.15g}"


def _flags_by_folder(package: Package, group: Group, known: str) -> dict[str, dict[str, object]]:
    """Return the validators' flags: of the whole group, or, without points, of each folder in it."""
    cases = list(group.all_cases())
    if package.scoring or len(_flags_of(cases)) <= 1:
        return {group.name: _flags(group.name, cases, known)}
    folders: dict[str, list[Case]] = {}
    for case in cases:
        folders.setdefault(case.name.rpartition("/")[0], []).append(case)
    by_folder = {folder: _flags(folder, inside, known) for folder, inside in folders.items()}
    for folder, flags in by_folder.items():  # an empty value could not override a parent folder
        above = [other for name, other in by_folder.items() if folder.startswith(f"{name}/")]
        if any(other[key] and not flags[key] for other in above for key in flags):
            raise _unlike(folder)
    return by_folder


def _flags_of(cases: Iterable[Case]) -> frozenset[tuple[str, str]]:
    return frozenset((_input_flags(case), shlex.join(case.settings.output_validator_args)) for case in cases)


def _flags(folder: str, cases: Iterable[Case], known: str) -> dict[str, object]:
    different = _flags_of(cases)
    if len(different) != 1:
        raise _unlike(folder)
    [(inputs, outputs)] = different
    return {"input_validator_flags": inputs, "output_validator_flags": "" if outputs == known else outputs}


def _unlike(folder: str) -> UsageError:
    return UsageError(
        f"data/{folder}: cases of one group have different validator arguments, which this format "
        "cannot say: give them groups of their own"
    )


def _input_flags(case: Case) -> str:
    given = case.settings.input_validator_args
    if isinstance(given, tuple):
        return shlex.join(given)
    return shlex.join(sorted({flag for flags in given.values() for flag in flags}))


def add_statements_as_text(exported: ExportedFiles, package: Package) -> None:
    """Add the statements as LaTeX, converted from Markdown if needed, with constants replaced by values."""
    beside = {path: file for folder in FOLDERS for path, file in below(package.files, folder).items()}
    pictures = {name: path for path in beside for name in (path.rpartition("/")[2], path)}
    for language, file in package.statements.items():
        suffix, text = file.origin.suffix, file.read()
        if suffix == ".md":
            plain = substitute(text, package.constants, file.origin).decode("utf-8", errors="replace")
            title = package.names.get(language, package.title)
            suffix, text = ".tex", statement_as_latex(exported, plain, title, pictures).encode()
        exported.add(f"problem_statement/problem.{language}{suffix}", text)
    for path, file in beside.items():
        if not path.rpartition("/")[2].startswith("problem."):
            exported.add(f"problem_statement/{path}", file)


def add_page(exported: ExportedFiles, package: Package) -> None:
    """Add a single rendered page, for an importer that shows files unchanged."""
    if not package.statements:
        return  # the loader warns of it
    chosen = "en" if "en" in package.statements else sorted(package.statements)[0]
    if package.statements[chosen].origin.suffix == ".pdf":
        exported.add("problem_statement/problem.pdf", package.statements[chosen])
    else:
        exported.add("problem_statement/problem.html", render_html(package, chosen).encode())
    for other in sorted(package.statements.keys() - {chosen}):
        exported.note_loss(f"the statement in `{other}`: there is room for one, in `{chosen}`")


def validation_words(package: Package) -> str:
    """Return the value of `validation` for problem.yaml."""
    if not package.output_validators:
        return "default"
    kinds = (ProblemType.INTERACTIVE, ProblemType.MULTI_PASS)
    return " ".join(["custom", *(kind for kind in kinds if kind in package.types)])


def credits_of(package: Package) -> dict[str, object]:
    """Return the keys of problem.yaml that say who made the problem, and what it is about."""
    return {
        "author": ", ".join(person.name for person in package.authors),
        "source": package.source,
        "license": package.license,
        "rights_owner": _owner(package),
        "keywords": " ".join(word.replace(" ", "-") for word in package.keywords),
    }


def _owner(package: Package) -> str | None:
    """Return the rights owner, which the format requires if neither author nor source is named."""
    if package.rights_owner is not None:
        return package.rights_owner
    if package.license == "public domain" or package.authors or package.source:
        return None
    return "unknown"


def add_rest(exported: ExportedFiles, package: Package) -> None:
    """Add the time limit and the attachments; note the parts of 2025-09 that no older format supports as lost."""
    if package.limits.time_limit_s is not None:
        exported.add(".timelimit", f"{package.limits.time_limit_s:g}\n".encode())
    for path, file in package.attachments.items():
        exported.add(f"attachments/{path}", file)
    for what, is_there in {
        "data/valid_output and data/invalid_output: tests of the output validator": package.valid_outputs
        or package.invalid_outputs,
        CREDITS_LOSS: credits_others(package),
        "constants: their values are written out in statements, validators and submissions": package.constants,
        "submissions.yaml: demands on single groups, scores and messages": "submissions/submissions.yaml"
        in package.files
        and any(
            rule.cases is not None or rule.score is not None or rule.message is not None for rule in package.rules
        ),
        RECIPE_LOSS: below(package.files, "generators"),
        "the static validator": package.static_validator,
        "the visualizers": package.input_visualizer or package.output_visualizer,
        "`languages`: all that the judge has may be used": package.languages is not None,
    }.items():
        if is_there:
            exported.note_loss(what)
    if ProblemType.SUBMIT_ANSWER in package.types:
        raise UsageError(f"{package.slug} is a submit-answer problem, which this format cannot say")


def add_included(exported: ExportedFiles, package: Package) -> None:
    """Add include/<language>/ for each language with included files or a submission."""
    if not package.include:
        return
    table = load_table(())
    used = {
        language.code
        for program in package.submissions
        if (language := language_of(table, program.files, program.language))
    }
    for code in sorted(used | (package.include.keys() - {INCLUDED_EVERYWHERE})):
        for name, file in included(package.include, code).items():
            exported.add(f"include/{code}/{name}", file)
    if INCLUDED_EVERYWHERE in package.include:
        exported.note_loss("`include/default`: its files are there for the languages of our submissions only")


def with_included(package: Package, exported: ExportedFiles) -> Package:
    """Return the package with the included files added to each submission."""
    if not package.include:
        return package
    exported.note_loss("`include/`: its files lie beside our submissions' own; others must bring them along")
    table = load_table(())

    def joined(program: Program) -> Program:
        language = language_of(table, program.files, program.language)
        beside = included(package.include, language.code if language is not None else INCLUDED_EVERYWHERE)
        return replace(program, files={**program.files, **beside})

    return replace(package, submissions=tuple(map(joined, package.submissions)))
