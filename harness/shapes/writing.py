"""From a value of a shape to bytes: the inverse of reading."""

from harness.shapes.decimals import printed
from harness.shapes.model import Array, Block, Choice, Edges, Grid, Integer, Item, Part, Record, Shape, Times


def write(shape: Shape, value: Record) -> bytes:
    """The input that `value` is."""
    lines: list[bytes] = []
    _block(shape.block, value, lines)
    return b"\n".join([*lines, b""])


def _block(block: Block, record: Record, lines: list[bytes]) -> None:
    at = 0
    for line in block.lines:
        parts = record.parts[at : at + len(line)]
        at += len(line)
        first = line[0] if len(line) == 1 else None
        if isinstance(first, Grid | Edges | Times | Choice):
            _several_lines(first, parts[0], lines)
            lines.extend([first.until] if isinstance(first, Times) and first.until else [])
        elif isinstance(first, Integer) and first.hidden:
            continue
        else:
            words = (_text(item, part) for item, part in zip(line, parts, strict=True))
            lines.append(b" ".join(word for word in words if word))


def _several_lines(item: Item, part: Part, lines: list[bytes]) -> None:
    match item:
        case Times() if part and _is_line_of_integers(item.block):
            lines.extend(" ".join(map(str, record.parts)).encode() for record in part)
        case Times():
            for record in part:
                _block(item.block, record, lines)
        case Choice():
            _block(item.blocks[part.form], part, lines)
        case Edges(weight=Integer(decimals=places) as weight) if places:
            lines.extend(b"%d %d %s" % (one, other, printed(weight, value)) for one, other, value in part)
        case Edges():
            lines.extend(" ".join(map(str, edge)).encode() for edge in part)
        case _:
            lines.extend(part)


def _is_line_of_integers(block: Block) -> bool:
    """Whether a block is one line of whole numbers, which goes much faster."""
    return len(block.lines) == 1 and all(isinstance(item, Integer) and not item.decimals for item in block.items)


def _text(item: Item, part: Part) -> bytes:
    match item:
        case Integer():
            return b"" if item.hidden else printed(item, part)
        case Array(item=Integer(decimals=places) as inner) if places:
            return b" ".join(printed(inner, each) for each in part)
    if isinstance(part, bytes):
        return part
    if part and isinstance(part[0], int):  # much faster where there are many
        return " ".join(map(str, part)).encode()
    return b" ".join(part)
