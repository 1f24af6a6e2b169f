"""Syntax trees of Python programs: names, ranges, arguments, and how a program uses its variables."""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from harness.reads.forms import named_forms

_MOST_FIELDS = 100  # of a line
_SUM = re.compile(
    r"((?:\d+\*)?\w+(?:\*\d+)?)([+-]\d+)?"
)  # a name or a number, perhaps times and plus another number


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


def pointed_lists(tree: ast.Module) -> set[str]:
    """Return the names of lists that are read at an index to which the program adds: `data[p]`, then `p += 1`."""
    pointers = {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add)
    }
    return {
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and any(isinstance(part, ast.Name) and part.id in pointers for part in ast.walk(node.slice))
    }


def count_of_slice(index: ast.Slice) -> str:
    """Return the number of items of a slice `p:p + n`, or `p + 1:p + 1 + n`; "" if it cannot be told."""
    first, end = (ast.unparse(each) if each is not None else "" for each in (index.lower, index.upper))
    if end.startswith(f"{first} + "):
        return end.removeprefix(f"{first} + ")
    return end.removesuffix(f" + {first}") if end.endswith(f" + {first}") else ""


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


def conversions_of(tree: ast.Module) -> list[ast.Call]:
    """Return the calls that make numbers of words: `int(…)`, `float(…)`, `map(int, …)`."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    return [
        call
        for call in calls
        if name_of(call.func) in ("int", "float")
        or (name_of(call.func) == "map" and name_of(call.args[0]) == "int")
    ]


def is_made_int(conversions: Sequence[ast.Call], name: str, index: int | None = None) -> bool:
    """Return whether a word, or the items of a list of words, are converted to integers somewhere.

    conversions: see conversions_of. index: of the item in question, which may become a `float`, too; None: any of them.
    """
    return name != "" and any(
        target_name(call.args[-1]) == name and index in (None, *_items_of(call.args[-1], index))
        for call in conversions
        if index is not None or name_of(call.func) != "float"
    )


def _items_of(node: ast.expr, index: int | None) -> Iterator[int | None]:
    """Yield the index of the item that an expression takes from a list; `index` itself if that may be any item."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=int() as taken)):
            yield taken
        case ast.Subscript(slice=ast.Slice(lower=ast.Constant(value=int() as first))) if index is not None:
            yield max(first, index)
        case _:
            yield index


def used_count(tree: ast.Module, name: str, *, is_row: bool) -> str:
    """Return the number of items that a list must have, from the loops over its index; "" if none shows it.

    The first that is a name, else the name to which most is added. is_row: of the rows of a table.
    """
    counts: list[str] = []
    for node in ast.walk(tree) if name else ():
        for variable, end, inside in _ranges(node):
            counts += [count for part in inside for count in _counts(part, name, variable, end, is_row=is_row)]
    sums = [match for match in map(_SUM.fullmatch, counts) if match and re.search(r"\b[A-Za-z_]", match[1])]
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


def forms_of_row(tree: ast.Module, name: str, head: str = "") -> dict[bytes, int]:
    """Return for each first word of a line how many words may follow it; empty if the line has one form.

    The program compares the first item of the list, or a variable that holds it, with all the possible words:
    `if q[0] == "push": … q[1] …`. The key b"" stands for the word of the last `else`. head: the variable of the first
    word if the list has only the other ones: `t, *q = …`.
    """
    heads, first = ({head}, 1) if head else ({each.id for each in _heads_of(tree, name)}, 0)
    row = "" if head else name
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.Compare) and _is_head(node.left, row, heads)]
    bodies: dict[bytes, list[ast.stmt]] = {}
    seen = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and (word := _word_in(node.test, row, heads)):
            seen += 1
            bodies.setdefault(word, []).extend(node.body)
            if node.orelse and not (
                isinstance(node.orelse[0], ast.If) and _word_in(node.orelse[0].test, row, heads)
            ):
                bodies.setdefault(b"", []).extend(node.orelse)
    is_number = b"" in bodies and all(word.isdigit() for word in bodies if word)
    bodies = named_forms(bodies)
    if seen != len(tests) or len(bodies) < 2 or (is_number and _is_used(tree, row, heads)):
        return {}
    inside = {id(part) for body in bodies.values() for statement in body for part in ast.walk(statement)}
    common = _last_index(name, first, [part for part in ast.walk(tree) if id(part) not in inside])
    uses = {
        word: _last_index(name, first, chain.from_iterable(map(ast.walk, body))) for word, body in bodies.items()
    }
    if common is None or None in uses.values():
        return {}
    widths = {word: max(common, use or 0) for word, use in uses.items()}
    are_numbers = all(word.isdigit() for word in widths)
    return widths if len(set(widths.values())) > 1 or not are_numbers else {}


def _is_used(tree: ast.Module, name: str, heads: Set[str]) -> bool:
    """Return whether the first item is not only compared: then it is a number with a special case, no kind of line."""
    telling: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=value) if _is_head(value, name, heads):
                telling |= set(map(id, ast.walk(value)))
            case ast.Assign(targets=[ast.Name(id=variable)], value=value) if variable in heads:
                telling |= set(map(id, ast.walk(value)))
    return any(
        id(node) not in telling and isinstance(node.ctx, ast.Load) and _is_head(node, name, heads)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Subscript)
    )


def _heads_of(tree: ast.Module, name: str) -> Iterator[ast.Name]:
    """Yield the variables that hold the first item of a list: `t = q[0]`, also `t = int(q[0])`."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name() as variable], value=value):
                while isinstance(value, ast.Call) and len(value.args) == 1:
                    value = value.args[0]
                if _index_in(value, name) == 0:
                    yield variable


def _is_head(node: ast.expr, name: str, heads: Set[str]) -> bool:
    """Return whether an expression is the first word of a line. name: of the list that holds it, "" if none does."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        node = node.args[0]
    is_first = name != "" and _index_in(node, name) == 0
    return is_first or (isinstance(node, ast.Name) and node.id in heads)


def _word_in(test: ast.expr, name: str, heads: Set[str]) -> bytes:
    """Return the word with which a condition compares the first item; b"" if it does not."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=int() | str() as value)]):
            return str(value).encode() if _is_head(left, name, heads) else b""
    return b""


def _last_index(name: str, first: int, nodes: Iterable[ast.AST]) -> int | None:
    """Return the largest index of a line's words that are used, 0 if there is none; None: they cannot be told.

    first: the index of the list's first item in the line.
    """
    last, uses, known = 0, 0, 0
    for node in nodes:
        match node:
            case ast.Name(id=used, ctx=ast.Load()) if used == name:
                uses += 1
            case ast.Subscript(value=ast.Name(id=row)) if row == name:
                index = _index_in(node, name)
                known += index is not None
                last = max(last, first + (index or 0))
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value) if name in map(
                name_of, (value, *parts_of(value))
            ):
                start = None if any(isinstance(part, ast.Starred) for part in parts) else _start_of(value)
                known += start is not None
                last = max(last, first + (start or 0) + len(parts) - 1)
    return last if uses == known and last < _MOST_FIELDS else None


def _start_of(node: ast.expr) -> int | None:
    """Return the index of a list's first item in an expression: 1 for `q[1:]`; None if it cannot be told."""
    match node:
        case ast.Subscript(slice=ast.Slice(lower=ast.Constant(value=int() as start), upper=None, step=None)):
            return start
    return None if isinstance(node, ast.Subscript) else 0


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
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value=("0" | "1" | "2" | "3") as digit)],
        ):
            return name, int(digit)
    return None
