"""Every room imports only the rooms that the table allows, and no import cycle exists of any kind."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

HARNESS = Path(__file__).parent.parent / "harness"

FOR_ALL = {"harness", "harness.values"}  # what every module may import
# The allowed arrows: each room, and the rooms that it may import. docs/architecture.md explains each room.
ARROWS = {
    "values": "",
    "errors": "",
    "files": "errors",
    "package": "errors files",
    "sandbox": "errors files",
    "shapes": "errors",
    "results": "errors sandbox",
    "store": "errors package results",
    "build": "errors files package sandbox store",
    "host": "errors files package sandbox build",
    "check": "errors files package sandbox results build host",
    "rules": "errors package sandbox results",
    "generate": "errors files package sandbox shapes results store build host check",
    "judge": "errors files package sandbox results store build host check rules generate",
    "replay": "errors package sandbox results build host check judge",
    "reads": "package shapes",
    "search": "errors package sandbox shapes results build host check rules generate judge reads",
    "mutate": "errors package sandbox shapes results store build host check generate judge search",
    "statement": "errors files package",
    "export": "errors files package build statement",
    "verify": "errors package sandbox shapes results build host check rules generate judge search mutate"
    " statement store",
    "contest": "errors files package host statement export verify store",
    "report": "errors package sandbox shapes results rules replay search mutate verify contest",
    "grade": "errors package sandbox results build host rules judge replay search store",
    "cluster": "errors package sandbox results store build host rules generate judge",
    "cli": "errors files package sandbox shapes results build host rules generate judge replay search mutate statement"
    " export verify store contest report grade cluster",
    "__main__": "cli",
}


# Programs of their own: they are started as processes, not imported.
PROGRAMS = {
    "harness.mutate.programs.loader",
    "harness.package.ctd_reader",
    "harness.sandbox.exec_limited",
    "harness.host.fork_server",
}


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "harness"


def modules() -> dict[str, Path]:
    found = {}
    for path in HARNESS.rglob("*.py"):
        parts = ("harness", *path.relative_to(HARNESS).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = modules()


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of a file's syntax tree, the tree itself first."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every import anywhere in the file, as (line, module): in functions, under TYPE_CHECKING, and named in strings."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield node.lineno, inner if inner in MODULES else node.module
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]  # as in the table of commands: MODULE:FUNCTION
            if name in MODULES and MODULES[name].name != "__init__.py":
                yield node.lineno, name  # for importlib; a room's own name stands for its folder of data


def edges() -> list[tuple[str, str, int]]:
    return [
        (module, target, line)
        for module, path in MODULES.items()
        for line, target in imports_of(path)
        if target.split(".")[0] == "harness" and target not in FOR_ALL
    ]


def test_every_room_is_in_the_table() -> None:
    assert {room_of(module) for module in MODULES} - {"harness"} == set(ARROWS)


def test_the_allowed_arrows_have_no_circle() -> None:
    TopologicalSorter({room: allowed.split() for room, allowed in ARROWS.items()}).prepare()


def test_rooms_import_only_what_the_table_allows() -> None:
    forbidden = [
        f"{module}:{line} imports {target}"
        for module, target, line in edges()
        if room_of(target) != room_of(module) and room_of(target) not in ARROWS[room_of(module)].split()
    ]
    assert not forbidden


def test_the_table_allows_no_arrow_that_nobody_uses() -> None:
    used = {(room_of(module), room_of(target)) for module, target, _ in edges()}
    allowed = {(room, target) for room, targets in ARROWS.items() for target in targets.split()}
    assert not allowed - used


def test_every_name_that_a_bench_imports_exists() -> None:
    """Benches run by hand, so a name that was changed would be missed."""
    absent = [
        f"{path.name}: {node.module}.{alias.name}"
        for path in (HARNESS.parent / "bench").rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness.")
        for alias in node.names
        if f"{node.module}.{alias.name}" not in MODULES
        and not hasattr(import_module(str(node.module)), alias.name)
    ]
    assert not absent


def test_no_import_cycle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for module, target, _ in edges():
        if target in graph and target != module:
            graph[module].add(target)
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join((*trail, module))
        if module not in done:
            for target in graph[module]:
                visit(target, (*trail, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_no_import_hides_in_a_function_or_under_type_checking() -> None:
    hidden = []
    for module, path in MODULES.items():
        tree, *_ = nodes = nodes_of(path)
        top = {id(node) for node in tree.body}
        hidden += [
            f"{module}:{node.lineno}"
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in top
        ]
    assert not hidden


@pytest.mark.parametrize("module", sorted(MODULES), ids=str)
def test_only_the_cli_prints_exits_or_reads_the_environment(module: str) -> None:
    if room_of(module) == "cli" or module in PROGRAMS:
        return
    calls = [
        f"{module}:{node.lineno} {ast.unparse(node.func)}"
        for node in nodes_of(MODULES[module])
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in {"print", "sys.exit", "exit", "os._exit", "os.getenv", "os.environ.get", "click.echo"}
    ]
    assert not calls


def test_only_readers_and_writers_of_formats_speak_of_the_older_version() -> None:
    inside = ("harness.package.formats", "harness.export")
    speaking = [
        f"{module}:{number}"
        for module, path in MODULES.items()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if "legacy" in line.lower() and not module.startswith(inside) and line.strip() != 'LEGACY = "legacy"'
    ]
    assert not speaking


@pytest.mark.parametrize("module", sorted({*PROGRAMS, "harness.check.tokens"}))
def test_programs_of_their_own_import_nothing_of_the_house(module: str) -> None:
    assert not [target for _, target in imports_of(MODULES[module]) if target.partition(".")[0] == "harness"]


@pytest.mark.parametrize("module", sorted(MODULES), ids=str)
def test_no_assert_and_no_global_in_the_pipeline(module: str) -> None:
    nodes = nodes_of(MODULES[module])
    assert not [node.lineno for node in nodes if isinstance(node, ast.Assert | ast.Global)]
