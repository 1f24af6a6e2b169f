"""The memory keeps values whole, for everybody who asks for the same topic, and is never an error to read."""

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.errors import MachineError
from harness.store.memory import KEPT_DAYS, MEMORY, Memory

KEEPER = """
import sys
from pathlib import Path
from harness.store.memory import Memory
memory = Memory(path=Path(sys.argv[1]))
for number in range(1000000):
    memory.keep("topic", {f"{sys.argv[2]}{number}": number})
    print(number, flush=True)
"""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(path=tmp_path / "cache" / MEMORY)


def test_values_are_recalled_by_topic_and_name(memory: Memory) -> None:
    assert memory.recall("a") == {}
    memory.keep("a", {"1": [1, None, "x\ud800"], "caf\udce9": {}})
    memory.keep("b", {"1": 2})
    memory.keep("a", {"1": {"later": True}})
    assert memory.recall("a") == {"1": {"later": True}, "caf\udce9": {}}
    memory.keep("a", {"3": 3}, alone=True)
    assert memory.recall("a") == {"3": 3}
    memory.forget("a")
    assert (memory.recall("a"), memory.recall("b")) == ({}, {"1": 2})


def test_forgetting_makes_no_file(memory: Memory) -> None:
    memory.forget("a")
    assert not memory.path.exists()


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"x" * 9000])
def test_damaged_memory_is_empty_and_begins_anew(damage: bytes, memory: Memory) -> None:
    memory.keep("a", {"1": 1})
    memory.path.write_bytes(damage)
    assert memory.recall("a") == {}
    memory.keep("a", {"2": 2})
    assert memory.recall("a") == {"2": 2}


def test_changed_value_is_left_out(memory: Memory) -> None:
    memory.keep("a", {"1": "right", "2": "right"})
    with sqlite3.connect(memory.path) as connection:
        connection.execute("""UPDATE memory_1 SET value = replace(value, 'right', 'wrong') WHERE name = '"1"'""")
    connection.close()
    assert memory.recall("a") == {"2": "right"}


def test_old_values_are_forgotten(memory: Memory) -> None:
    memory.keep("a", {"old": 1, "new": 1})
    with sqlite3.connect(memory.path) as connection:
        connection.execute("""UPDATE memory_1 SET day = day - ? WHERE name = '"old"'""", [KEPT_DAYS + 1])
    connection.close()
    memory.keep("b", {"1": 1})
    assert memory.recall("a") == {"new": 1}


def test_memory_that_cannot_be_written_says_what_mends_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="XDG_CACHE_HOME"):
        Memory(path=tmp_path / "file" / MEMORY).keep("a", {"1": 1})


def test_threads_share_it(memory: Memory) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: memory.keep("a", {str(number): number}), range(60)))
    assert len(memory.recall("a")) == 60


def test_killed_processes_lose_nothing_that_they_have_kept(memory: Memory) -> None:
    for turn in range(3):
        called = [[sys.executable, "-c", KEEPER, str(memory.path), f"{turn}{who}-"] for who in "ab"]
        keepers = [subprocess.Popen(one, stdout=subprocess.PIPE, text=True) for one in called]
        said = [[keeper.stdout.readline() for _ in range(20)] for keeper in keepers if keeper.stdout is not None]
        for keeper in keepers:
            os.kill(keeper.pid, signal.SIGKILL)
        rest = [keeper.communicate()[0].splitlines() for keeper in keepers]
        kept = memory.recall("topic")
        for who, first, later in zip("ab", said, rest, strict=True):
            numbers = [int(line) for line in (*first, *later) if line.strip()]
            assert numbers and {f"{turn}{who}-{number}" for number in numbers} <= kept.keys()


def test_a_value_that_another_version_wrote_otherwise_is_computed_again(memory: Memory) -> None:
    memory.keep("a", {"1": "no number"})
    assert memory.remembered("a", "1", int, lambda: 7) == 7
    assert memory.remembered("a", "1", int, lambda: 8) == 7
