"""Every buggy program of the corpus is found, made small, and fails so in a plain judged run."""

import pytest

from harness.host.host import Host
from search.corpus import Bug, corpus

BUGS = corpus()
SMALL_BYTES = 400  # beyond it only where the size is the bug


def sizes_matter(bug: Bug) -> bool:
    return any(word in bug.kind for word in ("overflow", "recursion", "too small"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "bug",
    [pytest.param(bug, marks=() if bug.fast else pytest.mark.slow) for bug in BUGS],
    ids=lambda bug: f"{bug.file}: {bug.kind}".replace("/", "-"),
)
def test_a_bug_of_the_corpus_is_found_and_its_input_made_small(bug: Bug, host: Host) -> None:
    found = bug.hunted(host, time_s=100)
    assert found is not None
    assert found.is_real
    assert len(found.trial.data) <= len(found.first.data)
    assert sizes_matter(bug) or len(found.trial.data) <= SMALL_BYTES
    assert found.proven or not bug.proven


def test_the_corpus_has_fifty_programs_over_six_problems_in_three_languages() -> None:
    assert len(BUGS) >= 50
    assert len({bug.problem for bug in BUGS}) == 6
    assert {bug.file.rpartition(".")[2] for bug in BUGS} == {"c", "cpp", "py"}
    assert all(bug.program() for bug in BUGS)
