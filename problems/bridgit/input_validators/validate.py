"""Input validator of `bridgit`: one line `H W move`."""

from judgelib import Reader, run_input_validator

MAX_SIDE = int("{{max_side}}")


def check(case: Reader) -> None:
    """Every byte of the input, in order."""
    case.integer("H", 1, MAX_SIDE)
    case.space()
    case.integer("W", 1, MAX_SIDE)
    case.space()
    mover = case.word("`First` or `Second`", 5, 6, b"FSceindorst")
    if mover not in (b"First", b"Second"):
        case.fail("expected `First` or `Second`, found %r" % mover.decode("ascii"), back=len(mover))
    case.newline()
    case.end()


if __name__ == "__main__":
    run_input_validator(check)
