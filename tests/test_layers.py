"""Arrows run down: a module imports only layers that stand before its own, and no cycle exists of any kind."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HARNESS = Path(__file__).parent.parent / "harness"

# docs/architecture.md explains each; a folder is one layer.
LAYERS = (
    "errors",
    "atomic",
    "tidy",
    "temporary",
    "limits",
    "verdict",
    "transcript",
    "sandbox",
    "results",
    "package",
    "loose",
    "languages",
    "build",
    "box",
    "warm",
    "pool",
    "host",
    "check",
    "interact",
    "score",
    "grading",
    "expect",
    "timelimit",
    "validate",
    "generate",
    "judge",
    "replay",
    "shapes",
    "search",
    "mutate",
    "statement",
    "export",
    "template",
    "verify",
    "machine",
    "report",
    "store",
    "grade",
    "cluster",
    "cli",
)


# Programs of their own: they are started as processes, not imported.
PROGRAMS = {
    "harness.mutate.programs.loader",
    "harness.mutate.programs.validating",
    "harness.package.ctd_reader",
    "harness.sandbox.exec_limited",
    "harness.host.batch_server",
    "harness.host.fork_server",
}


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "harness"


def modules() -> dict[str, Path]:
    found = {}
    for path in HARNESS.rglob("*.py"):
        parts = ("harness", *path.relative_to(HARNESS).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every import anywhere in the file, in functions and under TYPE_CHECKING too, as (line, module)."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield node.lineno, inner if inner in MODULES else node.module


def edges() -> list[tuple[str, str, int]]:
    return [
        (module, target, line)
        for module, path in MODULES.items()
        for line, target in imports_of(path)
        if target.split(".")[0] == "harness" and target != "harness"
    ]


def test_every_module_has_a_layer() -> None:
    unknown = {layer_of(module) for module in MODULES} - set(LAYERS) - {"harness", "__main__"}
    assert not unknown


def test_arrows_run_down() -> None:
    rank = {layer: place for place, layer in enumerate(LAYERS)}
    upward = [
        f"{module}:{line} imports {target}"
        for module, target, line in edges()
        if layer_of(module) in rank and rank[layer_of(target)] > rank[layer_of(module)]
    ]
    assert not upward


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
        tree = ast.parse(path.read_text("utf-8"))
        top = {id(node) for node in tree.body}
        hidden += [
            f"{module}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in top
        ]
    assert not hidden


@pytest.mark.parametrize("module", sorted(MODULES), ids=str)
def test_only_the_cli_prints_exits_or_reads_the_environment(module: str) -> None:
    if layer_of(module) == "cli" or module in PROGRAMS:
        return
    calls = [
        f"{module}:{node.lineno} {ast.unparse(node.func)}"
        for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in {"print", "sys.exit", "exit", "os._exit", "os.getenv", "os.environ.get", "click.echo"}
    ]
    assert not calls


@pytest.mark.parametrize("module", sorted(MODULES), ids=str)
def test_no_assert_and_no_global_in_the_pipeline(module: str) -> None:
    nodes = ast.walk(ast.parse(MODULES[module].read_text("utf-8")))
    assert not [node.lineno for node in nodes if isinstance(node, ast.Assert | ast.Global)]
