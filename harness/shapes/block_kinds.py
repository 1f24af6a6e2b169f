"""What kinds of blocks an integer counts: test cases, blocks that cost much to draw, rows of single words."""

from harness.shapes.model import Block, Choice, Fields, Integer, Item, String, Times, Word


def are_cases(item: Item, count: Integer) -> bool:
    """Whether it is so many blocks that are of any size each."""
    return (
        isinstance(item, Times)
        and count.name in item.count.names
        and bool(item.block.counting & set(item.block.names))
    )


def is_dear(item: Times, count: Integer) -> bool:
    """Whether it is so many blocks that are drawn one by one: a million take minutes."""
    return count.name in item.count.names and not is_plain(item.block)


def is_plain(block: Block) -> bool:
    """Whether a block is single words, or one of several such, none of which counts anything."""
    single = all(isinstance(item, Integer | Word | String | Fields | Choice) for item in block.items)
    inner = all(is_plain(each) for item in block.items if isinstance(item, Choice) for each in item.blocks)
    return single and inner and not block.counting & set(block.names)
