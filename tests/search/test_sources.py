"""Which inputs come when: a package's own cases are all tried, however large they are."""

from dataclasses import replace
from pathlib import Path

from harness.package import Case, Group, Program
from harness.package.ad_hoc import Loose
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.search import SearchTarget
from harness.search.sources import mixture
from harness.shapes import read_shape


def test_all_secret_cases_have_their_turn_however_large_they_are() -> None:
    names = [f"secret/{number}" for number in range(80)]
    cases = [
        Case(name=name, input=File(origin=Path(name), content=b"7 " * 100_000 + name.encode()), answer=None)
        for name in names
    ]
    package = Loose(name="p", root=Path("p"), cases=[], limits=ProblemLimits()).package()
    target = SearchTarget(
        package=replace(package, secret=Group(name="secret", cases=tuple(cases)), input_validators=("some",)),  # type: ignore[arg-type]
        submission=Program(path="my.py", files={}),
        oracle=None,
        shape=read_shape("n: 1..50; n * (1..9)"),
        recipe=None,
    )
    tried = [one.words for one in mixture(target, 1).take(5000)]
    assert set(names) <= set(tried)
    assert any(one in names for one in tried[:60])
