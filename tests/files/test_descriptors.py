"""An exception of a signal may come between any two steps: no descriptor is closed twice then."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.files import untrusted


@pytest.mark.parametrize(
    "step", [lambda root: untrusted.open_within(root, "a/b/c"), lambda root: list(untrusted.walk(root))]
)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_no_descriptor_is_closed_twice(
    step: Callable[[Path], object], number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may have got the number meanwhile, and its file would be closed."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").touch()
    closed, close = [], os.close

    def interrupted(descriptor: int) -> None:
        closed.append(descriptor)
        close(descriptor)
        if len(closed) == number:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        step(tmp_path)
    assert closed[number - 1] not in closed[number:]
