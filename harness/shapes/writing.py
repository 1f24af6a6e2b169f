"""From a value of a shape to bytes: the inverse of reading."""

from harness.shapes.model import Block, Edges, Grid, Item, Part, Record, Shape, Times


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
        if len(line) == 1 and isinstance(line[0], Grid | Edges | Times):
            _several_lines(line[0], parts[0], lines)
        else:
            words = (_text(part) for part in parts)
            lines.append(b" ".join(word for word in words if word))


def _several_lines(item: Item, part: Part, lines: list[bytes]) -> None:
    if isinstance(item, Times):
        for record in part:
            _block(item.block, record, lines)
    else:
        lines.extend(part if isinstance(item, Grid) else map(_text, part))


def _text(part: Part) -> bytes:
    if isinstance(part, bytes):
        return part
    if isinstance(part, int):
        return b"%d" % part
    if part and isinstance(part[0], int):  # much faster where there are many
        return " ".join(map(str, part)).encode()
    return b" ".join(map(_text, part))
