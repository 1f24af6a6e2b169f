"""The target of a search: a package, the program to break, the reference, the shape of inputs."""

import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from functools import cached_property
from pathlib import Path

import yaml

from harness.errors import UsageError
from harness.generate.recipe import Recipe, readable_recipe
from harness.host.run_many import OutOfTimeError
from harness.package import Package, ProblemType, Program
from harness.package.constants import substitute, unknown_constant, unknown_constants
from harness.package.model import CaseSettings
from harness.package.workspace import SHAPE_FILE
from harness.search.change_texts import Literals
from harness.search.choose_references import answering_programs, references_of
from harness.search.column_sums import ColumnSums
from harness.search.likeness import Likeness, likeness_of
from harness.search.numbers_in_sources import NumbersOfReference
from harness.search.policy import ASSUMED, GUESS, HUNT
from harness.search.reads_of_programs import (
    DescribedShape,
    described_shape,
    reads_something,
    shapes_of_programs,
    sources_of,
    with_names,
)
from harness.search.sample_rules import as_wide_as
from harness.search.time_guard import ended_by
from harness.search.wider_shapes import freer_shapes, plausible_shape, wider_shapes
from harness.shapes import (
    InputError,
    Shape,
    ShapeError,
    infer,
    parse,
    parsed,
    read_shape,
    readings,
    tidy_for,
)
from harness.shapes.values import broken_rule
from harness.values import dataclass

_FILE_NAME = re.compile(r"[\w./-]*[\w/]\.[A-Za-z]\w*")  # no shape looks like a file name


@dataclass(frozen=True, kw_only=True)
class SearchTarget:
    """The program to break, and the means to judge it.

    reference: the program whose answers count as right; None: only the output validator and the limits decide.
    generator: a program that takes a seed, for problems without a recipe. guessed: the shape was inferred, from cases
    or from sources. described: by the source of an input validator. drafts: without cases, all shapes that the
    programs may read. has_unknown_format: without cases, the sources do not show what the programs read.
    sample_shape: the shape with the rules of the samples, if nothing else decides which inputs are valid.
    demanded_sums: those that validators demand, if there is a single sample. raised_cases: valid inputs (name, input)
    with large numbers, made from cases.
    extra_peers: right programs besides the reference and those of the package. default_settings: if no case has any.
    """

    package: Package
    submission: Program
    reference: Program | None
    shape: Shape | None
    recipe: Recipe | None
    generator: Program | None = None
    guessed: bool = False
    described: DescribedShape | None = None
    drafts: tuple[Shape, ...] = ()
    has_unknown_format: bool = False
    sample_shape: Shape | None = None
    demanded_sums: ColumnSums | None = None
    raised_cases: Sequence[tuple[str, bytes]] = ()
    extra_peers: tuple[Program, ...] = ()
    default_settings: CaseSettings = field(default_factory=CaseSettings)

    @property
    def interactive(self) -> bool:
        """Return whether an interactor plays the other side."""
        return ProblemType.INTERACTIVE in self.package.types

    @property
    def played(self) -> bool:
        """Return whether a run is a game: the output validator takes part in it, and no answer is compared."""
        return self.interactive or ProblemType.MULTI_PASS in self.package.types

    @property
    def peers(self) -> list[Program]:
        """Return the other right programs: `extra_peers`, and the package's own if the reference is one of these."""
        own = self.reference in self.package.submissions
        return [*self.extra_peers, *(references_of(self.package, self.submission) if own else ())]

    @property
    def can_validate(self) -> bool:
        """Return whether the validity of a changed input can be decided: by a validator, or by a written shape."""
        return bool(self.package.input_validators) or not self.guessed

    @property
    def has_brute_force(self) -> bool:
        """Return whether the reference may be too slow for valid inputs: it is no solution of the package."""
        return self.can_validate and self.reference not in self.package.submissions

    @property
    def sample_inputs(self) -> list[bytes]:
        """Return the inputs of small cases, from which a shape is guessed."""
        return _small_inputs(self.package)

    @cached_property
    def column_sums(self) -> ColumnSums:
        """Return which numbers of the first line are sums in all small cases, if input validators may ask for it."""
        if self.demanded_sums is not None:
            return self.demanded_sums
        return ColumnSums.of(self.sample_inputs if self.package.input_validators else ())

    @property
    def widest(self) -> Shape | None:
        """Return the shape with the widest limits that are tried."""
        if self.shape is None or self.can_validate:
            return self.shape
        return self._wider[-1]

    @cached_property
    def sample_shapes(self) -> list[Shape]:
        """Return the shapes with the rules that samples show, with ever wider upper limits."""
        if self.sample_shape is None or self.shape is None:
            return []
        shapes, samples = [self.sample_shape], self.sample_inputs
        for wider in self._wider:
            shape = as_wide_as(self.sample_shape, wider, samples)
            if shape.block != shapes[-1].block:
                shapes.append(shape)
        return shapes

    @cached_property
    def shapes(self) -> list[Shape]:
        """Return the shape, followed by ever wider and freer shapes if it is a guess without validators."""
        own = [self.shape] if self.shape is not None else []
        return own if self.can_validate else [*own, *self._wider, *self.freer_shapes]

    @cached_property
    def _wider(self) -> list[Shape]:
        return list(wider_shapes(self.shape, self._numbers)) if self.shape is not None else []

    @cached_property
    def _numbers(self) -> NumbersOfReference:
        """Return what the reference's source tells about the numbers of inputs."""
        return NumbersOfReference.of(
            sources_of([self.reference] if self.reference is not None else [], headers=False)
        )

    @cached_property
    def freer_shapes(self) -> list[Shape]:
        """Return ever freer shapes without the rules that samples may show by chance; none with validators."""
        return (
            []
            if self.can_validate or self.shape is None
            else list(freer_shapes(self.shape, self._numbers, few=self._has_few_words))
        )

    @cached_property
    def _has_few_words(self) -> bool:
        """Return whether the samples are so small that an integer may seem to limit others by chance."""
        return sum(len(data.split()) for data in self.sample_inputs) < ASSUMED.limiting_words

    @cached_property
    def likeness(self) -> Likeness | None:
        """Return the relations that all samples keep; None if something else tells which inputs are valid."""
        tells = bool(self.sample_shapes) and self.trusts_shape
        return likeness_of(self.sample_shapes[-1], self.sample_inputs) if tells else None

    def is_as_samples(self, data: bytes) -> bool:
        """Return whether an input keeps the rules that samples show; True if they show none."""
        return not self.broken_sample_rule(data)

    def broken_sample_rule(self, data: bytes) -> str:
        """Describe the first rule of the samples that an input breaks; "" if it keeps all."""
        return broken_rule(self.sample_shapes[-1], data) if self.sample_shapes else ""

    def broken_firm_rule(self, data: bytes) -> str:
        """Describe the first rule of the plausible shape that an input breaks; "" if none.

        Samples hardly keep such a rule by chance: an input that breaks it is probably invalid.
        """
        shape = self._plausible
        return "" if shape is None or len(data) > GUESS.firm_rule_bytes else broken_rule(shape, data)

    @cached_property
    def _plausible(self) -> Shape | None:
        """Return the shape of plausible inputs; None without a guess from samples, or if a case does not fit it."""
        if self.sample_shape is None or self.shape is None or not self.trusts_shape:
            return None
        shape = plausible_shape(self.shape, self._numbers, few=self._has_few_words)
        cases = [case for case in self.package.judged_cases() if case.input.size() <= GUESS.misfit_bytes]
        return (
            shape if all(parsed(shape, tidy_for(shape, case.input.read())) is not None for case in cases) else None
        )

    def answers(self) -> list[bytes]:
        """Return the distinct answers of the cases, for the interactor."""
        if not self.played:
            return [b""]
        answers = [case.answer.read() for case in self.package.judged_cases() if case.answer is not None]
        recipe = self.recipe
        answers += [case.texts[".ans"] for case in recipe.cases if ".ans" in case.texts] if recipe else []
        return list(dict.fromkeys(answers)) or [b""]

    @property
    def can_shrink(self) -> bool:
        """Return whether inputs can be made smaller: their validity can be decided, or a guessed shape is trusted."""
        return self.can_validate or (self.shape is not None and self.trusts_shape)

    @property
    def literals(self) -> Literals:
        """Return the words and numbers in the sources of the submission and of the reference."""
        programs = [self.submission, *([self.reference] if self.reference is not None else [])]
        files = [file for program in programs for file in program.files.values()]
        return Literals.of(file.read() for file in files if file.size() <= GUESS.misfit_bytes)

    @property
    def trusts_shape(self) -> bool:
        """Return whether to try inputs of the shape: a guess without validators only if there is no better source."""
        others = self.recipe is not None or self.generator is not None or any(self.package.secret.all_cases())
        return self.can_validate or not others

    @property
    def misfit(self) -> str:
        """Describe a sample that does not fit the shape, and why; "" if all fit, or the shape is a guess."""
        if self.shape is None or self.guessed:
            return ""
        for case in self.package.sample.all_cases():
            if case.input.size() <= GUESS.misfit_bytes:
                try:
                    parse(self.shape, case.input.read())
                except InputError as error:
                    return f"{case.name} is not of the shape: {error}"
        return ""

    @property
    def settings(self) -> Sequence[CaseSettings]:
        """Return the different settings of the package's cases, by the number of input validator arguments.

        If the data is not built, the settings of the recipe count, too. An input may be valid under any settings.
        """
        built = any(self.package.secret.all_cases()) or self.recipe is None
        planned = [] if built or self.recipe is None else settings_in(self.recipe)
        settings = [*planned, *(case.settings for case in self.package.judged_cases())] or [self.default_settings]
        different = {
            repr((each.args, each.input_validator_args, each.output_validator_args)): each for each in settings
        }
        return sorted(different.values(), key=lambda candidate: len(candidate.input_validator_args))


def target_of(
    package: Package,
    submission: Program,
    *,
    reference: Program | None = None,
    extra_peers: Sequence[Program] = (),
    shape: str | None = None,
    generator: Program | None = None,
    default_settings: CaseSettings | None = None,
) -> SearchTarget:
    """Return the target in a package. reference None: an accepted program of the package, if there is one.

    extra_peers: further right programs. shape None: the package's own, else a guess from its cases. default_settings:
    for a package without cases.
    """
    if ProblemType.SUBMIT_ANSWER in package.types:
        raise UsageError(f"{package.slug} is submit-answer: there is no program that an input could break")
    recipe = readable_recipe(package)
    declared = read_shape(shape) if shape is not None else declared_shape(package)
    reference = reference or next(iter(answering_programs(package, recipe, submission)), None)
    programs = [*([reference] if reference is not None else []), submission]
    sources = sources_of([*package.input_validators, *programs], headers=False)
    described = described_shape(package, _small_inputs(package)) if declared is None else None
    guessed = described.shape if described is not None else None
    if declared is None and guessed is None:
        guessed = guessed_shape(package, (), sources)
    drafts, has_unknown_format = list[Shape](), False
    if declared is None and guessed is None and recipe is None and not any(package.judged_cases()):
        of_inputs = [] if ProblemType.INTERACTIVE in package.types else programs  # else they read what is said
        drafts = shapes_of_programs([*of_inputs, *package.input_validators])
        has_unknown_format = not drafts and reference is not None and any(map(reads_something, programs))
    return SearchTarget(
        package=package,
        submission=submission,
        reference=reference,
        shape=declared or guessed or next(iter(drafts), None),
        recipe=recipe,
        generator=generator,
        guessed=declared is None,
        described=described,
        drafts=tuple(drafts),
        has_unknown_format=has_unknown_format,
        extra_peers=tuple(extra_peers),
        default_settings=default_settings or CaseSettings(),
    )


def declared_shape(package: Package) -> Shape | None:
    """Read the shape in generators/shape.txt, constants filled in; None if there is none. Raises ShapeError."""
    file = package.files.get(SHAPE_FILE)
    if file is None:
        return None
    text = file.read()
    try:
        return read_shape(substitute(text, package.constants, file.origin).decode("utf-8", errors="replace"))
    except ShapeError as error:
        unknown = next(unknown_constants(text, package.constants), None)
        if unknown is None:
            raise
        line, use = unknown
        raise ShapeError(f"line {line}: {unknown_constant(use, package.constants)}") from error


def guessed_shape(package: Package | None, more: Sequence[bytes], sources: Sequence[str] = ()) -> Shape | None:
    """Guess a shape from the package's small cases and the inputs `more`; None: no shape fits.

    If none fits all of them, guess from the samples and `more`, then from `more` alone. sources: of the programs that
    read the inputs, to tell names from commands.
    """
    small = _small_inputs(package) if package is not None else []
    samples = [case.input.read() for case in package.sample.all_cases()] if package is not None else []
    for inputs in ([*small, *more], [*samples, *more], more):
        try:
            with ended_by(time.monotonic() + HUNT.guess_s):
                if inputs:
                    return read_shape(with_names(infer(inputs), sources))
        except (ShapeError, RecursionError, OutOfTimeError):
            continue
    return None


def other_readings(inputs: Sequence[bytes], shape: Shape | None) -> list[Shape]:
    """Return shapes other than `shape` that all inputs fit, likeliest first; they differ in what repeats."""
    shapes: list[Shape] = []
    if not inputs:
        return shapes
    with suppress(ShapeError, RecursionError, OutOfTimeError), ended_by(time.monotonic() + HUNT.guess_s):
        shapes += map(read_shape, readings(inputs)[: 1 + GUESS.readings])
    return [other for other in shapes if other != shape]


def _small_inputs(package: Package) -> list[bytes]:
    small = [case for case in package.judged_cases() if case.input.size() <= GUESS.case_bytes]
    return [case.input.read() for case in small[: GUESS.cases]]


def read_shape_argument(shape: str | None) -> str | None:
    """Return the text of --shape, read from the file if it names one. Raises UsageError if that cannot be read."""
    if shape is None or "\n" in shape or ";" in shape:
        return shape
    if Path(shape).is_file():
        try:
            return Path(shape).read_text("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"--shape: {shape}: not UTF-8, so it is no shape: {error}") from error
    if _FILE_NAME.fullmatch(shape):
        raise UsageError(f"--shape: {shape}: no such file")
    return shape


def settings_in(recipe: Recipe) -> list[CaseSettings]:
    """Return the settings that the recipe's group files give to cases that are not built yet.

    Only arguments that are lists of words count, and none with constants, which are not filled in here.
    """
    planned = []
    for text in recipe.group_files.values():
        try:
            content = yaml.safe_load(text)
        except yaml.YAMLError:
            continue
        settings = CaseSettings(
            args=_words(content, "args"),
            input_validator_args=_words(content, "input_validator_args"),
            output_validator_args=_words(content, "output_validator_args"),
        )
        if settings != CaseSettings():
            planned.append(settings)
    return planned


def _words(content: object, key: str) -> tuple[str, ...]:
    value = content.get(key) if isinstance(content, dict) else None
    words = tuple(map(str, value)) if isinstance(value, list) else ()
    return () if any("{{" in word for word in words) else words
