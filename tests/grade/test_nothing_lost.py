"""A grader may die at any moment: what was found stays, nothing is judged twice, the report is the same."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from grade_command import ADDS_ONE, COUNTS, command, grade, hand_ins

from conftest import DOUBLE, reachable, write_files
from harness.errors import MachineError, UsageError
from harness.grade.grading import Grading
from harness.judge.judging import Observer
from harness.judge.submission_result import Entry
from harness.package import Program
from harness.package.files import File
from harness.results.model import CaseResult, Outcome, SubmissionResult
from harness.results.reading import read_reports, read_value
from harness.results.verdict import Verdict
from harness.store.database import open_store

CASE = CaseResult(name="secret/1", group="secret", verdict=Verdict.ACCEPTED, cpu_s=0.125, message="x\x00\ud800")
WHOLE = ("--feedback", "full", "--no-measurements", "--require", "AC")


def rows(store: Path) -> dict[tuple[str, str], str]:
    with sqlite3.connect(f"file:{store}?mode=rw", uri=True) as connection:  # to roll back what was under way
        if not connection.execute("SELECT * FROM sqlite_master WHERE name = 'results'").fetchall():
            return {}  # the grader was killed before it had made its tables
        found = connection.execute("SELECT * FROM results WHERE topic GLOB 'cases *'").fetchall()
    return {(topic, name): value for topic, name, value in found}


def make_hand_ins(folder: Path) -> Path:
    sources = {f"s{number}": (ADDS_ONE if number % 4 == 3 else COUNTS) + f"# {number}\n" for number in range(6)}
    return hand_ins(folder, **sources)


def killed_at_random(cycles: int, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    folder = make_hand_ins(tmp_path / "subs")
    environment = {"TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir(mode=0o755)
    reachable(tmp_path)
    started_s = time.monotonic()
    undisturbed = grade("grade", DOUBLE, folder, "--json", "a.json", *WHOLE, "--store", "a.sqlite", cwd=tmp_path)
    needed_s = time.monotonic() - started_s
    store = tmp_path / "b.sqlite"
    disturbed = command("grade", DOUBLE, folder, "--json", "b.json", *WHOLE, "--store", store)
    known: dict[tuple[str, str], str] = {}
    finished = 0
    for _ in range(cycles):
        with (tmp_path / "stderr").open("wb") as errors:
            grader = subprocess.Popen(
                disturbed, cwd=tmp_path, env={**os.environ, **environment}, stdout=-3, stderr=errors
            )
        try:
            grader.wait(timeout=draw.uniform(0.3, 1.1) * needed_s)
            assert grader.returncode == 1, (tmp_path / "stderr").read_text()
            finished += 1
        except subprocess.TimeoutExpired:
            grader.send_signal(signal.SIGKILL)
            grader.wait()
        if store.is_file() and store.stat().st_size:
            now = rows(store)
            assert {key: now[key] for key in known} == known  # no finished case was judged again, none is missing
            known = now
        if finished:
            assert (tmp_path / "b.json").read_bytes() == (tmp_path / "a.json").read_bytes()
            finished = 0
            known = {}
            for one in tmp_path.glob("b.*"):
                one.unlink()
    last = grade(*disturbed[3:], cwd=tmp_path, **environment)
    assert last.returncode == undisturbed.returncode == 1, last.stderr
    assert (tmp_path / "b.json").read_bytes() == (tmp_path / "a.json").read_bytes()


def test_kill_9_and_again_loses_nothing_and_judges_nothing_twice(tmp_path: Path) -> None:
    killed_at_random(3, tmp_path, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_kill_9_and_again_200_times(tmp_path: Path) -> None:
    killed_at_random(200, tmp_path, seed=2)


def test_what_is_known_is_not_run_again_and_fresh_runs_it(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS, twin=COUNTS, b=ADDS_ONE)
    files = []
    for fresh in ((), (), ("--fresh",)):
        grade("grade", DOUBLE, folder, "--json", "r.json", *fresh, cwd=tmp_path)
        files.append((tmp_path / "r.json").read_text().partition('"submissions"')[2])
    assert files[0] == files[1]  # to the microsecond, so it was not run
    assert files[0] != files[2]


def test_submissions_with_the_same_files_are_not_said_to_have_been_in_a_new_store(tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys(("subs/a/main.py", "subs/twin/main.py"), COUNTS))
    said = [
        grade("grade", DOUBLE, "subs/a", "subs/twin", "--store", "s.db", cwd=tmp_path).stderr for _ in range(2)
    ]
    assert ["8 results were in s.db already" in text for text in said] == [False, True]
    assert "already" not in said[0]


def test_without_store_results_are_kept_in_the_cache_and_the_same_command_goes_on(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS)
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    [work, other] = [tmp_path / name for name in ("work", "other")]
    said = []
    for place in (work, work, other):
        place.mkdir(exist_ok=True)
        said.append(grade("grade", DOUBLE, folder, cwd=place, **cache).stderr)
    kept = [text.splitlines()[-1].removeprefix("results are kept in ") for text in said]
    assert kept[0] == kept[1] != kept[2]
    assert all(Path(path).is_relative_to(tmp_path / "cache") for path in kept)
    assert [f"4 results were in {kept[0]} already" in text for text in said] == [False, True, False]
    assert not list(work.iterdir())


def test_a_store_that_strangers_left_in_the_working_directory_is_not_read(tmp_path: Path) -> None:
    """Whoever can write a store can forge its digests, too."""
    folder = hand_ins(tmp_path / "subs", a=ADDS_ONE)
    forged = tmp_path / ".harness" / "double.sqlite"
    grade("grade", DOUBLE, folder, "--store", forged, cwd=tmp_path)
    before = forged.read_bytes()
    done = grade("grade", DOUBLE, folder, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert "already" not in done.stderr
    assert forged.read_bytes() == before


@pytest.mark.slow
def test_a_change_of_submission_limits_or_package_is_judged_anew(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS)
    store = tmp_path / "s.sqlite"
    counts = []
    for changed in ((), ("--time-limit", "2"), ("--isolation", "none")):
        grade("grade", DOUBLE, folder, "--store", store, *changed, cwd=tmp_path)
        counts.append(len(rows(store)))
    hand_ins(folder, a=COUNTS + "# changed\n")
    grade("grade", DOUBLE, folder, "--store", store, cwd=tmp_path)
    assert [*counts, len(rows(store))] == [4, 8, 12, 16]


def test_second_grader_on_one_store_is_refused_by_the_pid_of_the_first(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS)
    with open_store(tmp_path / "s.sqlite"):
        done = grade("grade", DOUBLE, folder, "--store", "s.sqlite", cwd=tmp_path)
    assert done.returncode == 2
    assert f"another grading (process {os.getpid()})" in done.stderr
    assert grade("grade", DOUBLE, folder, "--store", "s.sqlite", cwd=tmp_path).returncode == 0


def test_store_gives_back_what_it_was_given(tmp_path: Path) -> None:
    whole = SubmissionResult(path="a", language="cpp", verdict=Verdict.ACCEPTED, cases=(CASE,))
    with open_store(tmp_path / "s.sqlite") as store:
        store.put_case("key", 0, CASE)
        store.put_submission("key", 0, "demands", whole)
    with open_store(tmp_path / "s.sqlite") as store:
        assert store.cases("key", 0) == {CASE.name: CASE}
        assert store.cases("key", 1) == store.cases("other", 0) == {}
        assert store.submission("key", 0, "demands") == whole
        assert store.submission("key", 0, "others") is None


@pytest.mark.parametrize("verdict", [Verdict.SKIPPED, Verdict.JUDGE_ERROR])
def test_what_was_not_judged_is_no_success_and_is_tried_again(verdict: Verdict, tmp_path: Path) -> None:
    class Finds:
        def __init__(self, verdict: Verdict) -> None:
            self.verdict = verdict

        def judge(self, entries: Sequence[Entry], observer: Observer) -> Iterator[SubmissionResult]:
            for entry in entries:
                assert entry.known == {}
                case = CaseResult(name="secret/1", group="secret", verdict=self.verdict)
                observer.case(entry.program.path, case)
                path = entry.program.path
                yield SubmissionResult(path=path, language="python3", verdict=self.verdict, cases=(case,))

    source = hand_ins(tmp_path / "subs", a=COUNTS) / "a.py"
    entry = Entry(program=Program(path="a.py", files={"a.py": File(origin=source)}))
    outcomes = []
    with open_store(tmp_path / "s.sqlite") as store:
        for found in (verdict, Verdict.ACCEPTED):
            grading = Grading(judge=Finds(found).judge, store=store, conditions="the same")
            [result] = grading.run(grading.jobs([entry]))
            outcomes.append(result.outcome)
    assert outcomes == [Outcome.COULD_NOT_JUDGE, Outcome.AS_ASKED]


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e999"])
def test_a_number_beyond_all_numbers_in_a_result_is_named(number: str) -> None:
    text = f'{{"name": "secret/1", "group": "secret", "verdict": "AC", "score": {number}}}'
    with pytest.raises(UsageError, match=r"score: .* is more than any number"):
        read_value(CaseResult, json.loads(text), "a.json")
    whole = f'{{"name": "secret/1", "group": "secret", "verdict": "AC", "memory_bytes": {"9" * 400}}}'
    with pytest.raises(UsageError, match=r"memory_bytes: .* is more than any number"):
        read_value(CaseResult, json.loads(whole), "a.json")


@pytest.mark.parametrize("tier", ["{}", "[]", "null", "3", '"T9"'])
def test_a_tier_that_is_none_is_named(tier: str) -> None:
    head = f'"schema_version": 1, "problem": "p", "title": "P", "isolation": {{"tier": {tier}}}'
    with pytest.raises(
        UsageError,
        match=r"isolation: (tier: .* is none of T0, T1, T2, T3|expected an object|`tier` is missing)",
    ):
        read_reports(
            f'{{{head}, "time_limit_s": 1, "memory_limit_mib": 1, "machine": {{}}, "submissions": []}}', "f"
        )


def test_full_disk_is_an_error_that_says_what_to_do_and_the_store_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    written = 0
    with open_store(path) as store:
        store._connection.execute("PRAGMA max_page_count = 12")
        with pytest.raises(MachineError, match="make room"):
            for written in range(10_000):
                store.put_case(f"key{written}", 0, CASE)
    assert written > 0
    assert len(rows(path)) == written
    with open_store(path) as store:
        store.put_case("another", 0, CASE)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_grading_on_a_full_disk_exits_2_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    folder = make_hand_ins(tmp_path / "subs")
    (tmp_path / "disk").mkdir()
    arguments = command("grade", DOUBLE, folder, "--json", tmp_path / "r.json", *WHOLE)
    script = (
        f'mount -t tmpfs -o size=140k tmpfs {tmp_path}/disk && cd {tmp_path}/disk && "$@"; '
        f"code=$?; cp *.sqlite* {tmp_path}/; exit $code"
    )
    full = ["unshare", "--mount", "sh", "-c", script, "sh", *arguments, "--store", "s.sqlite"]
    done = subprocess.run(full, capture_output=True, text=True, timeout=120, check=False)
    if "mount" in done.stderr:
        pytest.skip(f"no mount here: {done.stderr.strip()}")
    assert (done.returncode, "make room" in done.stderr) == (2, True), done.stderr
    kept = rows(tmp_path / "s.sqlite")
    again = grade("grade", DOUBLE, folder, "--store", "s.sqlite", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert kept.items() <= rows(tmp_path / "s.sqlite").items()
    assert len(kept) < len(rows(tmp_path / "s.sqlite"))


def test_damaged_store_is_an_error_and_fresh_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with open_store(path) as store:
        for number in range(500):
            store.put_case(f"key{number}", 0, CASE)
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 12_000)
    with pytest.raises(MachineError, match="damaged"), open_store(path):
        pass
    with open_store(path, fresh=True):
        assert not rows(path)


def test_a_result_in_which_a_byte_has_changed_is_judged_again(tmp_path: Path) -> None:
    """SQLite keeps no sums of its pages: it finds nothing wrong with such a store."""
    path = tmp_path / "s.sqlite"
    whole = SubmissionResult(path="a", language="cpp", verdict=Verdict.WRONG_ANSWER, cases=(CASE,))
    with open_store(path) as store:
        store.put_case("key", 0, CASE)
        store.put_case("key", 0, replace(CASE, name="secret/2"))
        store.put_submission("key", 0, "demands", whole)
        store.put_outline(0, {})
    with sqlite3.connect(path) as connection:
        connection.execute(
            """UPDATE results SET value = replace(value, '"AC"', '"RE"') WHERE name = '"secret/1"'"""
        )
        connection.execute("""UPDATE results SET value = replace(value, '"WA"', '"AC"')""")
    connection.close()
    with open_store(path) as store:
        assert list(store.cases("key", 0)) == ["secret/2"]
        assert store.submission("key", 0, "demands") is None
        assert store.outlines() == [{}]
        store.put_case("key", 0, CASE)
        assert store.cases("key", 0)[CASE.name] == CASE
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE results SET value = replace(value, '{', '[') WHERE topic = 'reports'")
    connection.close()
    with open_store(path) as store, pytest.raises(MachineError, match=r"damaged .*--fresh"):
        store.outlines()


@pytest.mark.parametrize("killed", [False, True])
def test_merge_writes_nothing_into_the_folder_of_a_store(killed: bool, tmp_path: Path) -> None:
    """As on a disk that is mounted read-only, and for a user who may only read."""
    folder, store = hand_ins(tmp_path / "subs", a=COUNTS), tmp_path / "stores" / "s.sqlite"
    store.parent.mkdir()
    grade("grade", DOUBLE, folder, "--store", store, cwd=tmp_path)
    store.with_name("s.sqlite.lock").unlink()
    with sqlite3.connect(store) as grader:
        if killed:  # what it wrote last is in a file beside the store
            grader.execute("CREATE TABLE more (x)")
            shutil.copytree(store.parent, tmp_path / "copy")
        grader.commit()
    grader.close()
    if killed:
        store = tmp_path / "copy" / "s.sqlite"
    before = {path.name: path.read_bytes() for path in store.parent.iterdir()}
    assert len(before) == (3 if killed else 1)
    done = grade("merge", store, "--require", "AC", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    before.pop("s.sqlite-shm", None)  # of SQLite: in it readers, too, take their places
    assert before.items() <= {path.name: path.read_bytes() for path in store.parent.iterdir()}.items()
    assert {path.name for path in store.parent.iterdir()} <= {*before, "s.sqlite-shm"}


def test_a_store_in_the_cache_is_removed_90_days_after_its_last_grading(tmp_path: Path) -> None:
    folder, gradings = hand_ins(tmp_path / "subs", a=COUNTS), tmp_path / "cache" / "harness" / "gradings"
    gradings.mkdir(parents=True)
    for name in ("young", "old", "held"):
        with open_store(gradings / f"{name}.sqlite"):
            pass
    old_s = time.time() - 91 * 86400
    with open_store(gradings / "held.sqlite"):
        for name in ("old", "held"):
            os.utime(gradings / f"{name}.sqlite.lock", (old_s, old_s))
        done = grade("grade", DOUBLE, folder, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    kept = {path.name for path in gradings.iterdir() if not path.name.startswith(DOUBLE.name)}
    assert kept == {f"{name}.sqlite{suffix}" for name in ("young", "held") for suffix in ("", ".lock")}


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_of_somebody_else_is_never_taken_for_a_store(fresh: bool, tmp_path: Path) -> None:
    letter, database = tmp_path / "letter.txt", tmp_path / "theirs.sqlite"
    letter.write_text("dear all")
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    for path in (letter, database):
        before = path.read_bytes()
        with pytest.raises(UsageError, match="not a store of harness"), open_store(path, fresh=fresh):
            pass
        assert path.read_bytes() == before
    assert set(tmp_path.iterdir()) == {letter, database}, "a file was left beside it"


def test_unreadable_submission_is_named_before_anything_is_judged(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS)
    unreadable = "/proc/self/mem"  # opens, but cannot be read; a mode would not stop root
    done = grade("grade", DOUBLE, folder / "a.py", unreadable, "--language", "python3", cwd=tmp_path)
    assert done.returncode == 2
    assert f"{unreadable}: cannot be read" in done.stderr


def test_interrupt_says_that_what_was_found_is_kept(tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS, b="import time\ntime.sleep(60)\n")
    grader = subprocess.Popen(
        command("grade", DOUBLE, folder, "--store", "s.sqlite", "--time-limit", "100", "-j", "1"),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (tmp_path / "s.sqlite-wal").exists():
        time.sleep(0.05)
    time.sleep(1)
    grader.send_signal(signal.SIGINT)
    said = grader.communicate(timeout=60)[1]
    assert grader.returncode == 2
    assert "s.sqlite keeps the results" in said
