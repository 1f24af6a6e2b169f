"""Syntax trees of Python programs: names, ranges, arguments, and how a program uses its variables."""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

_MOST_FIELDS = 100  # of a line
_SUM = re.compile(r"(\w+)([+-]\d+)?")


def tree_of(source: str) -> ast.Module:
    """Return the syntax tree of a source. Raises SyntaxError if it is not Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no SyntaxWarning about the source for our user
        return ast.parse(source)


def name_of(node: ast.expr) -> str:
    """Return the last part of a dotted name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def parts_of(node: ast.expr) -> list[ast.expr]:
    """Return the expressions that an expression directly holds."""
    return [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]


def called_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of the functions that these nodes call."""
    return {name_of(node.func) for node in nodes if isinstance(node, ast.Call)}


def ends_of_range(node: ast.expr) -> tuple[ast.expr | None, ast.expr] | None:
    """Return the first number of a range, None for 0, and the end, which it does not reach; None: it is no range."""
    match node:
        case ast.Call(args=[end]) if name_of(node.func) in ("range", "xrange"):
            return None, end
        case ast.Call(args=[first, end, *_]) if name_of(node.func) in ("range", "xrange"):
            return first, end
    return None


def arguments_of(function: ast.FunctionDef | ast.Lambda, call: ast.Call) -> dict[str, ast.expr]:
    """Return what the parameters of a function stand for, by default or in a call; `self` of a method for nothing."""
    parameters = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    defaults = function.args.defaults
    is_method = len(parameters) > len(call.args) and parameters[0] == "self"
    return {
        **dict(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True)),
        **dict(zip(parameters[is_method:], call.args, strict=False)),
        **{keyword.arg: keyword.value for keyword in call.keywords if keyword.arg},
    }


def target_name(target: ast.expr | None) -> str:
    """Return the name of what is assigned to, without indices."""
    while isinstance(target, (ast.Subscript, ast.Starred)):
        target = target.value
    return name_of(target) if target is not None else ""


def is_made_int(tree: ast.Module, name: str) -> bool:
    """Return whether a word, or the items of a list of words, are converted to integers somewhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in ("int", "map") and node.args and name:
            if name_of(node.func) == "map" and name_of(node.args[0]) != "int":
                continue
            if target_name(node.args[-1]) == name:
                return True
    return False


def used_count(tree: ast.Module, name: str, *, is_row: bool) -> str:
    """Return the number of items that a list must have, from the loops over its index; "" if none shows it.

    The first that is a name, else the name to which most is added. is_row: of the rows of a table.
    """
    counts: list[str] = []
    for node in ast.walk(tree) if name else ():
        for variable, end, inside in _ranges(node):
            counts += [count for part in inside for count in _counts(part, name, variable, end, is_row=is_row)]
    sums = [match for match in map(_SUM.fullmatch, counts) if match and match[1].isidentifier()]
    best = min(sums, key=lambda match: (match[2] is not None, -int(match[2] or 0)), default=None)
    return best[0] if best is not None else next(iter(counts), "")


def _ranges(node: ast.AST) -> Iterator[tuple[str, str, Sequence[ast.AST]]]:
    """Yield each variable that a loop counts, the end of its range, and what is in the loop."""
    loops: list[tuple[ast.expr, ast.expr, Sequence[ast.AST]]] = []
    if isinstance(node, ast.For):
        loops = [(node.target, node.iter, node.body)]
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        loops = [(each.target, each.iter, [node.elt]) for each in node.generators]
    for target, iterated, inside in loops:
        ends = ends_of_range(iterated)
        end = ast.unparse(ends[1]).replace(" ", "") if ends is not None else ""
        if isinstance(target, ast.Name) and end and "len(" not in end:
            yield target.id, end, inside


def _counts(inside: ast.AST, name: str, variable: str, end: str, *, is_row: bool) -> Iterator[str]:
    """Yield the numbers of items that the indices `variable`, `variable + 1`, … of a list need in a loop."""
    for node in ast.walk(inside):
        if not isinstance(node, ast.Subscript):
            continue
        table = node.value.value if is_row and isinstance(node.value, ast.Subscript) else node.value
        if name_of(table) != name or (table is node.value) is is_row:
            continue
        match node.slice:
            case ast.Name(id=index) if index == variable:
                yield end
            case ast.BinOp(left=ast.Name(id=index), op=sign, right=ast.Constant(value=int() as more)):
                sums = _SUM.fullmatch(end) if index == variable and isinstance(sign, ast.Add | ast.Sub) else None
                if sums is not None:
                    shift = int(sums[2] or 0) + (more if isinstance(sign, ast.Add) else -more)
                    yield f"{sums[1]}{shift:+d}" if shift else sums[1]


def fields_of(tree: ast.Module, name: str) -> list[str]:
    """Return the names of a list's items that are read by constant indices: `n = line[0]`."""
    names: dict[int, str] = {}
    has_other_indices = False
    for node in ast.walk(tree) if name else ():
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value) if name_of(value) == name:
                return [target_name(part) for part in parts]
            case ast.Assign(targets=[ast.Name(id=variable)], value=value):
                while isinstance(value, ast.Call) and len(value.args) == 1:
                    value = value.args[0]
                if (index := _index_in(value, name)) is not None:
                    names[index] = variable
            case ast.Subscript(value=row) if name_of(row) == name:
                index = _index_in(node, name)
                has_other_indices = has_other_indices or index is None
                names.setdefault(index or 0, f"{name}{index}")
    if has_other_indices or not names:
        return []
    return [names.get(index, f"{name}{index}") for index in range(min(max(names) + 1, _MOST_FIELDS))]


def _index_in(node: ast.expr, name: str) -> int | None:
    """Return the constant index at which a list is read."""
    match node:
        case ast.Subscript(value=row, slice=ast.Constant(value=int() as index)) if name_of(row) == name:
            return index
    return None


def row_fields(tree: ast.Module, table: str) -> list[str]:
    """Return the names of the fields of a table's rows; none if its columns are read by an index that varies."""
    widest, varies = 0, False
    for node in ast.walk(tree) if table else ():
        match node:
            case (
                ast.For(target=ast.Tuple(elts=parts), iter=rows)
                | ast.comprehension(target=ast.Tuple(elts=parts), iter=rows)
            ) if name_of(rows) == table:
                return [target_name(part) for part in parts]
            case ast.Subscript(value=ast.Subscript(value=value), slice=column) if name_of(value) == table:
                match column:
                    case ast.Constant(value=int() as index):
                        widest = max(widest, index + 1)
                    case _:
                        varies = True
    return [f"x{index}" for index in range(0 if varies else min(widest, _MOST_FIELDS))]


def constants_of(tree: ast.Module) -> dict[str, str]:
    """Return the numbers of the variables that are set once, to a number: `T = 1`."""
    nodes = list(ast.walk(tree))
    times_set = Counter(
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    constants: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as number)):
                if times_set[name] == 1 and not isinstance(number, bool):
                    constants[name] = str(number)
    return constants


def compared_with(tree: ast.Module) -> dict[str, list[list[int | None]]]:
    """Return the numbers with which each chain `if t == 1: … elif t == 2: … else: …` compares a variable.

    None stands for the `else`.
    """
    chains: dict[str, list[list[int | None]]] = {}
    inner: dict[ast.stmt, list[int | None]] = {}  # the chain of an `elif`
    for node in ast.walk(tree):
        if not isinstance(node, ast.If) or (test := _equality(node.test)) is None:
            continue
        name, number = test
        chain = inner.get(node)
        if chain is None:
            chain = []
            chains.setdefault(name, []).append(chain)
        chain.append(number)
        match node.orelse:
            case [ast.If(test=other) as following] if (_equality(other) or ("",))[0] == name:
                inner[following] = chain
            case [_, *_]:
                chain.append(None)
    return chains


def _equality(test: ast.expr) -> tuple[str, int] | None:
    match test:
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=int() as number)]
        ):
            return None if isinstance(number, bool) else (name, number)
    return None
