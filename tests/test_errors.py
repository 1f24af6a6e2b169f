"""The words of errors."""

from pathlib import PurePath

from harness.errors import Fault, PackageError


def faults(message: str, count: int) -> list[Fault]:
    return [Fault(path=PurePath(f"{number}.in"), message=message) for number in range(count)]


def test_many_faults_of_the_same_kind_are_counted_and_no_kind_is_lost() -> None:
    error = PackageError([*faults("no answer", 40), *faults("a link", 6), *faults("empty", 1)], faults("odd", 99))
    lines = str(error).splitlines()
    assert len(error.faults) == 47
    assert lines[:6] == [*(f"{number}.in: no answer" for number in range(5)), "35 more like it: no answer"]
    assert lines[6:13] == [*(f"{number}.in: a link" for number in range(6)), "0.in: empty"]
    assert lines[13:] == [*(f"warning: {number}.in: odd" for number in range(5)), "warning: 94 more like it: odd"]


def test_faults_that_differ_by_their_own_name_are_of_one_kind_and_others_are_not() -> None:
    alike = [Fault(path=PurePath(f"{number}.ans"), message=f"expected `{number}.in`") for number in range(9)]
    keys = [Fault(path=PurePath("problem.yaml"), message=f"unknown key `{number}`") for number in range(9)]
    lines = str(PackageError([*alike, *keys])).splitlines()
    assert lines[5] == "4 more like it: expected `….in`"
    assert len(lines) == 6 + 9
