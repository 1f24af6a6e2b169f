"""A package without a test case: its texts, validators and searches work, and nothing is judged on it."""

import shutil
from pathlib import Path

import pytest

from command_line import harness, said
from conftest import DOUBLE, TESTS


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    root = tmp_path / "double"
    shutil.copytree(DOUBLE, root)
    shutil.rmtree(root / "data")
    return root


def test_nothing_is_judged(bare: Path) -> None:
    for arguments in (["judge", bare], ["judge", bare, TESTS / "submissions" / "reads_and_doubles_AC.py"]):
        done = harness(*arguments)
        assert done.returncode == 2
        assert "no test case, so nothing can be judged" in said(done)
        assert "Accepted" not in said(done)


def test_statement_is_made(bare: Path, tmp_path: Path) -> None:
    done = harness("statement", bare, "-o", tmp_path / "page.html")
    assert done.returncode == 0, said(done)


def test_verify_looks_at_the_rest_and_does_not_hold(bare: Path) -> None:
    done = harness("verify", bare)
    assert done.returncode == 1
    assert "no test case: a package needs at least one" in said(done)
    assert "statement    holds" in said(done) and "submissions  –" in said(done)


def test_stress_compares_with_an_accepted_program(bare: Path) -> None:
    wrong = TESTS / "submissions" / "adds_one_WA.py"
    done = harness("stress", bare, wrong, "--shape", "n: 0..9", "--time", "20")
    assert done.returncode == 1, said(done)
    assert "input (" in said(done)
