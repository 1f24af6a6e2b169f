"""Build a solution and all of its mutants as one program (a schema); HARNESS_MUTANT selects the mutant at run time."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from harness.build.compiler import BuildLimits
from harness.build.executable import Built, CompileFailure, Executable
from harness.host.host import Host, executable_of
from harness.mutate import cpp, python
from harness.mutate.cpp import table_swaps
from harness.mutate.cpp_statements import Node, parse, text_of
from harness.mutate.mutants import Mutant, MutationError, Operator
from harness.mutate.outcomes import spread
from harness.package import Program
from harness.package.files import File, Files
from harness.sandbox.facts import MIB
from harness.values import dataclass

MARK = "harness_mutant"
PRELUDE = (
    'extern "C" int harness_chosen();\n'
    f"static int {MARK} = harness_chosen();\n"
    f'extern "C" void harness_choose(int number) {{ {MARK} = number; }}\n'
)
_MAIN = re.compile(r"\bmain\s*\(\s*(?:void\s*)?\)")
_COMMENT = re.compile(r"//[^\"]*$")
_CHOICE = re.compile(rf"{MARK} [!=]= (\d+)")
_ERROR = re.compile(r"^[^\s:]*program\.cpp:(\d+):\d+: error:", re.MULTILINE)
_FROM = re.compile(r"^\s*(?:from|required from[^\n]*?)\s+[^\s:]*program\.cpp:(\d+):", re.MULTILINE)

Span = tuple[int, int]
CHOICE, BATCH = "HARNESS_MUTANT", "HARNESS_BATCH"
CPP_SUFFIXES = (".cpp", ".cc", ".cxx")
_PROGRAMS = Path(__file__).parent / "programs"
_LIMITS = BuildLimits(time_s=300, memory_bytes=3072 * MIB)
_ROUNDS = 12
_NOTHING: Mapping[str, Files] = MappingProxyType({})


def schema_of(source: bytes, mutants: Iterable[Mutant]) -> str:
    """Write a C++ source that runs as the mutant whose number `harness_chosen()` returns; 0: the original."""
    return PRELUDE + _Writer.of(source, mutants).node(parse(source))


def failing_mutants(schema: str, diagnostics: str) -> set[int]:
    """Return the numbers of the mutants in whose lines the compiler reports errors."""
    lines = schema.splitlines()
    failing = set()
    for match in (*_ERROR.finditer(diagnostics), *_FROM.finditer(diagnostics)):
        line = int(match[1][:9])
        if 1 <= line <= len(lines):
            failing |= {int(number) for number in _CHOICE.findall(lines[line - 1])}
    return failing


@dataclass(kw_only=True)
class _Writer:
    """Writes a schema. expressions, statements: the mutants by the span (start, end) that they replace."""

    source: bytes
    expressions: dict[Span, list[Mutant]] = field(default_factory=lambda: defaultdict(list))
    statements: dict[Span, list[Mutant]] = field(default_factory=lambda: defaultdict(list))
    # Mutants that swap two statements, by the start of the first statement and by the end of the second.
    swaps: dict[int, list[Mutant]] = field(default_factory=lambda: defaultdict(list))
    swapped: dict[int, list[Mutant]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, source: bytes, mutants: Iterable[Mutant]) -> "_Writer":
        writer = cls(source=source)
        for mutant in mutants:
            span = (mutant.edit.start, mutant.edit.end)
            if mutant.operator is Operator.ORDER:
                writer.swaps[span[0]].append(mutant)
                writer.swapped[span[1]].append(mutant)
            else:
                (writer.statements if mutant.statement else writer.expressions)[span].append(mutant)
        return writer

    def node(self, node: Node) -> str:
        """Return the node's text with the choices of the node and of all its descendants."""
        span = (node.start_byte, node.end_byte)
        text = self._main(node, self._inside(node))
        expressions, statements = self.expressions.get(span, ()), self.statements.get(span, ())
        if expressions and node.type not in ("initializer_list", "expression_statement", "if_statement"):
            choices = "".join(
                f"\n{MARK} == {mutant.number} ? ({_flat(mutant.edit.text)}) :" for mutant in expressions
            )
            text = f"({choices}\n({text}))"
        if node.type.endswith("_statement"):
            text = self._statement(node, text, statements)
        return text

    def _inside(self, node: Node) -> str:
        if not node.child_count:
            return text_of(node)
        table = self._table(node) if node.type == "initializer_list" else {}
        parts, at = [], node.start_byte
        for child in node.children:
            parts.append(self.source[at : child.start_byte].decode(errors="replace"))
            parts.append(table.get(child.start_byte) or self.node(child))
            at = child.end_byte
        return "".join(parts) + self.source[at : node.end_byte].decode(errors="replace")

    def _table(self, node: Node) -> dict[int, str]:
        """Return the entries of a table of directions by start byte, with the choices to be the neighbouring entry."""
        mutants = self.expressions.get((node.start_byte, node.end_byte), ())
        numbers = {mutant.edit.text: mutant.number for mutant in mutants}
        entries, choices = node.named_children, defaultdict[int, str](str)
        for first, swapped in enumerate(table_swaps(node)):
            number = numbers.get("{" + ", ".join(swapped) + "}")
            for index in (first, first + 1) if number is not None else ():
                choices[index] += f"\n{MARK} == {number} ? ({swapped[index]}) :"
        return {
            entries[index].start_byte: f"({text}\n({self.node(entries[index])}))"
            for index, text in choices.items()
        }

    def _statement(self, node: Node, text: str, mutants: Sequence[Mutant]) -> str:
        """Return a statement with its choices: `mutants` replace it, others swap it with a neighbour."""
        before = "".join(
            f"\nif ({MARK} == {mutant.number}) {{ {_second(self.source, mutant, node.end_byte)} }}\n"
            for mutant in self.swaps.get(node.start_byte, ())
        )
        skipped = "".join(f"if ({MARK} != {mutant.number}) " for mutant in self.swapped.get(node.end_byte, ()))
        choices = "".join(
            f"\nif ({MARK} == {mutant.number}) {{ {_flat(mutant.edit.text)} }} else" for mutant in mutants
        )
        if not (before or skipped or choices):
            return text
        return f"{{ {before}{skipped}\n{{{choices}\n{{ {text} }} }} }}"

    def _main(self, node: Node, text: str) -> str:
        """Rename the function `main` to harness_program_main; return other nodes unchanged."""
        if node.type != "function_definition" or not re.search(r"\bmain\s*\(", text.partition("{")[0]):
            return text
        head, brace, body = text.partition("{")
        named = _MAIN.sub("main(signed, char**)", head)  # `int` may be a macro
        named = re.sub(r"\bmain\s*\(", "harness_program_main(", named)
        return f'extern "C" {named}{brace}{body.rstrip().removesuffix("}")}\nreturn 0; }}'


def _second(source: bytes, mutant: Mutant, end_of_first: int) -> str:
    """Return the second of two swapped statements."""
    return _flat(source[end_of_first : mutant.edit.end].decode(errors="replace"))


def _flat(text: str) -> str:
    """Put a text on one line, so that a compiler error in it is reported on the line of its choice."""
    return " ".join(_COMMENT.sub("", line) for line in text.splitlines()) if "\n" in text else text


@dataclass(frozen=True, kw_only=True)
class MutantProgram:
    """A built solution with its mutants. unbuilt: mutants that do not compile."""

    program: Program
    source: bytes
    executable: Executable
    mutants: tuple[Mutant, ...]
    unbuilt: tuple[Mutant, ...] = ()

    def as_mutant(self, number: int) -> Executable:
        """Return the program that runs as mutant `number`; 0: the original."""
        return _with_environment(self.executable, {CHOICE: str(number)})

    def as_batch(self) -> Executable:
        """Return the program that compares mutants on many inputs (programs/batch.cpp, programs/loader.py)."""
        return _with_environment(self.executable, {BATCH: "1"})


def can_mutate(program: Program) -> bool:
    """Return whether a program is a single file in C++ or Python 3."""
    [*names] = program.files
    suffix = PurePosixPath(names[0]).suffix if len(names) == 1 else ""
    return suffix in CPP_SUFFIXES or (suffix == ".py" and python.can_read(program.files[names[0]].read()))


def build_mutants(
    program: Program,
    host: Host,
    include: Mapping[str, Files] = _NOTHING,
    unbuilt: Collection[int] = (),
    sample: int | None = None,
    *,
    older_dialects: bool = False,
) -> MutantProgram:
    """Make the mutants of a solution and build them.

    include: files that the package gives each submission. unbuilt: numbers of mutants that do not compile.
    sample: most mutants to keep, evenly spread. older_dialects: see `BuildLimits`.
    Raises MutationError if the solution does not build.
    """
    if not can_mutate(program):
        raise MutationError(f"{program.path}: only a solution of one file in C++ or Python 3 can be mutated")
    [(name, file)] = program.files.items()
    source, is_python = file.read(), name.endswith(".py")
    mutants = spread(python.mutants_of(source) if is_python else cpp.mutants_of(source), sample)
    builder = _MutantBuilder(
        program=program,
        source=source,
        host=host,
        include=include,
        mutants=mutants,
        unbuilt=unbuilt,
        limits=replace(_LIMITS, older_dialects=older_dialects),
    )
    return builder.python() if is_python else builder.cpp()


def _with_environment(executable: Executable, added: Mapping[str, str]) -> Executable:
    language = executable.language
    return replace(
        executable,
        language=replace(language, environment={**language.environment, **added}),
    )


def _python_files(source: bytes, mutants: Sequence[Mutant]) -> dict[str, bytes]:
    edits = {mutant.number: (mutant.edit.start, mutant.edit.end, mutant.edit.text) for mutant in mutants}
    loader = (_PROGRAMS / "loader.py").read_bytes()
    return {"main.py": loader, "original.txt": source, "edits.json": json.dumps(edits).encode()}


@dataclass(frozen=True, kw_only=True)
class _MutantBuilder:
    """Builds a solution with its mutants: with a table of edits in Python, as a schema in C++."""

    program: Program
    source: bytes
    host: Host
    include: Mapping[str, Files]
    mutants: tuple[Mutant, ...]
    unbuilt: Collection[int]
    limits: BuildLimits

    def python(self) -> MutantProgram:
        executable = executable_of(
            self.program, self._build(_python_files(self.source, self.mutants)), MutationError
        )
        return MutantProgram(program=self.program, source=self.source, executable=executable, mutants=self.mutants)

    def cpp(self) -> MutantProgram:
        kept, built = self._without_failing([item for item in self.mutants if item.number not in self.unbuilt])
        if isinstance(built, CompileFailure):
            kept = self._bisected(kept)
            built = self._build_cpp(kept)
        return MutantProgram(
            program=self.program,
            source=self.source,
            executable=executable_of(self.program, built, MutationError),
            mutants=tuple(kept),
            unbuilt=tuple(mutant for mutant in self.mutants if mutant not in kept),
        )

    def _without_failing(self, mutants: Sequence[Mutant]) -> tuple[list[Mutant], Built]:
        """Build; drop the mutants that compiler errors name, until it compiles or no error names a mutant."""
        kept = list(mutants)
        for _ in range(_ROUNDS):
            built = self._build_cpp(kept)
            if not isinstance(built, CompileFailure):
                break
            failing = failing_mutants(schema_of(self.source, kept), built.diagnostics)
            if not failing:
                break
            kept = [mutant for mutant in kept if mutant.number not in failing]
        return kept, built

    def _bisected(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Return the mutants that compile, found by bisection."""
        if isinstance(self._build_cpp(mutants), Executable):
            return list(mutants)
        if len(mutants) <= 1:
            return []
        middle = len(mutants) // 2
        return [*self._bisected(mutants[:middle]), *self._bisected(mutants[middle:])]

    def _build_cpp(self, mutants: Sequence[Mutant]) -> Built:
        driver = (_PROGRAMS / "batch.cpp").read_bytes()
        return self._build({"program.cpp": schema_of(self.source, mutants).encode(), "batch.cpp": driver})

    def _build(self, contents: Mapping[str, bytes]) -> Built:
        files = {name: File(origin=self.program.origin, content=content) for name, content in contents.items()}
        [built] = self.host.build_all([Program(path=self.program.path, files=files)], self.limits, self.include)
        return built
