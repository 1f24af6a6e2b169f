"""The cache of built programs: whole or not there, bounded, and those that are used stay."""

import os
import shutil
import time
from pathlib import Path

import pytest

from harness.build.cache import ProgramCache
from harness.files import untrusted

MOST = 8


@pytest.fixture
def cache(tmp_path: Path) -> ProgramCache:
    return ProgramCache(tmp_path / "cache", most=MOST)


def digest(number: int) -> str:
    return f"{number:064x}"


def put(cache: ProgramCache, number: int, tmp_path: Path) -> None:
    """Keep a program whose content is its number, used `number` seconds after the first, all long ago."""
    built = tmp_path / f"built{number}"
    built.mkdir()
    (built / "program").write_text(str(number))
    cache.keep(digest(number), built, f"warning {number}")
    os.utime(cache.folder / digest(number), (1e9 + number,) * 2)


def taken(cache: ProgramCache, number: int, tmp_path: Path) -> tuple[str | None, list[str]]:
    target = tmp_path / f"target{number}"
    target.mkdir()
    warnings = cache.take(digest(number), target)
    return warnings, [path.read_text() for path in target.iterdir()]


def test_program_comes_back_with_its_warnings(cache: ProgramCache, tmp_path: Path) -> None:
    put(cache, 1, tmp_path)
    assert taken(cache, 1, tmp_path) == ("warning 1", ["1"])
    assert taken(cache, 2, tmp_path) == (None, [])


def test_those_that_nobody_used_for_longest_go_with_all_that_is_theirs(
    cache: ProgramCache, tmp_path: Path
) -> None:
    for number in range(MOST):
        put(cache, number, tmp_path)
    taken(cache, 0, tmp_path)  # used now, so it stays
    put(cache, MOST, tmp_path)
    stay = [0, *range(MOST - 4, MOST + 1)]
    expected = {name for number in stay for name in (digest(number), f"{digest(number)}.warnings")}
    assert {path.name for path in cache.folder.iterdir()} == expected


def test_what_killed_processes_left_goes_and_what_is_not_ours_stays(cache: ProgramCache, tmp_path: Path) -> None:
    cache.folder.mkdir()
    for name in ("new-dead", "old-dead", "new-alive", "valid"):
        (cache.folder / name).mkdir()
        if name != "new-alive":
            os.utime(cache.folder / name, (time.time() - 7200,) * 2)
    for name in (f"{digest(9)}.failure", ".new-dead"):
        (cache.folder / name).touch()
        os.utime(cache.folder / name, (time.time() - 7200,) * 2)
    for number in range(MOST + 1):
        put(cache, number, tmp_path)
    left = {path.name for path in cache.folder.iterdir() if not path.name.startswith("0")}
    assert left == {"new-alive", "valid"}
    assert not list(cache.folder.glob("*.failure"))


def test_a_program_that_another_process_removes_is_not_taken_in_half(
    cache: ProgramCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(cache, 1, tmp_path)

    def half_copied(source: Path, target: Path) -> None:
        shutil.rmtree(source)
        (target / "half").touch()

    monkeypatch.setattr(untrusted, "copy_tree", half_copied)
    assert taken(cache, 1, tmp_path) == (None, [])
