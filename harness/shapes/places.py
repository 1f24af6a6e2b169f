"""Where the records and parts of a value lie, and how to replace them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness.shapes.expressions import Env
from harness.shapes.kinds import Array, Block, Choice, Integer, Item, Part, Record, Times
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a record or a part lies: indexes from the root, through parts, tuples and records."""

    path: tuple[int, ...]
    env: Env

    def get(self, root: Part) -> Part:
        """What lies here."""
        for index in self.path:
            root = (root.parts if isinstance(root, Record) else root)[index]
        return root

    def put(self, root: Part, new: Part) -> Part:
        """The root with something else here."""
        return _replaced(root, self.path, new)


def put_all(root: Part, changes: Sequence[tuple[tuple[int, ...], Part]]) -> Part:
    """The root with something else at each of these paths, of which none leads through another."""
    if changes and not changes[0][0]:
        return changes[0][1]
    inner: dict[int, list[tuple[tuple[int, ...], Part]]] = {}
    for path, new in changes:
        inner.setdefault(path[0], []).append((path[1:], new))
    parts = list(root.parts if isinstance(root, Record) else root)
    for index, some in inner.items():
        parts[index] = put_all(parts[index], some)
    return replace(root, parts=tuple(parts)) if isinstance(root, Record) else tuple(parts)


def _replaced(root: Part, path: tuple[int, ...], new: Part) -> Part:
    if not path:
        return new
    if isinstance(root, Record):
        return root.with_part(path[0], _replaced(root.parts[path[0]], path[1:], new))
    inner = _replaced(root[path[0]], path[1:], new)
    return (*root[: path[0]], inner, *root[path[0] + 1 :])


def records_in(
    block: Block, record: Record, outer: Env, path: tuple[int, ...] = ()
) -> Iterator[tuple[Block, Place]]:
    """This record and all within it, the outermost first; a place's env is what is known outside the record."""
    yield block, Place(path=path, env=outer)
    env = block.bound(record, outer)
    for index, (item, part) in enumerate(block.pairs(record)):
        if isinstance(item, Times):
            for number, inner in enumerate(part):
                yield from records_in(item.block, inner, item.inner(env, number + 1), (*path, index, number))
        elif isinstance(item, Choice):
            yield from records_in(item.block_of(part), part, env, (*path, index))


def parts_in(block: Block, root: Record) -> Iterator[tuple[Item, Place]]:
    """Every part of every record, but repeated blocks; of arrays the array, then each word in it."""
    for inner, place in records_in(block, root, {}):
        record = place.get(root)
        env = inner.bound(record, place.env)
        for index, (item, part) in enumerate(inner.pairs(record)):
            here = Place(path=(*place.path, index), env=env)
            if not isinstance(item, Times | Choice):
                yield item, here
            if isinstance(item, Array) and not isinstance(item.item, Integer):
                yield from ((item.item, Place(path=(*here.path, at), env=env)) for at in range(len(part)))
