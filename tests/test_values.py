"""The dataclasses of the house behave as the standard library's do."""

import copy
import dataclasses
import pickle
from dataclasses import field

import pytest

from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Ours:
    name: str
    sizes: tuple[int, ...] = ()
    marks: list[int] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Derived(Ours):
    name: str = "derived"
    count: int


@dataclass(kw_only=True)
class Changeable:
    total: int = 0
    doubled: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.doubled = 2 * self.total


Theirs = dataclasses.make_dataclass(
    "Ours",
    [
        ("name", str),
        ("sizes", tuple, ()),
        ("marks", list, field(default_factory=list)),
        ("note", str, field(default="", compare=False, repr=False)),
    ],
    frozen=True,
    kw_only=True,
)


def test_repr_fields_and_values_are_those_of_the_standard_decorator() -> None:
    ours, theirs = Ours(marks=[1], name="a", note="x"), Theirs(marks=[1], name="a", note="x")
    assert repr(ours) == repr(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert list(vars(ours)) == list(vars(theirs))


def test_equality_and_hash_go_by_the_fields_that_are_compared() -> None:
    assert Ours(name="a", note="x") == Ours(name="a", note="y") != Ours(name="b")
    assert Ours(name="a") != Theirs(name="a")
    assert hash(Derived(count=1, marks=())) == hash(Derived(count=1, marks=(), note="other"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unhashable"):
        hash(Changeable())


def test_each_instance_has_a_default_of_its_own_and_a_copy_is_equal() -> None:
    first, second = Ours(name="a"), Ours(name="a")
    first.marks.append(1)
    assert second.marks == []
    assert pickle.loads(pickle.dumps(first)) == copy.deepcopy(first) == first
    assert dataclasses.replace(first, name="b").name == "b"


@pytest.mark.parametrize("given", [{}, {"name": "a", "size": 1}, {"size": 1}])
def test_a_missing_or_unknown_field_is_named(given: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=r"name|size"):
        Ours(**given)  # type: ignore[arg-type]


def test_a_frozen_instance_does_not_change_and_the_other_does() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Ours(name="a").name = "b"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del Ours(name="a").name
    changed = Changeable(total=2)
    changed.total = 3
    assert (changed.total, changed.doubled) == (3, 4)
