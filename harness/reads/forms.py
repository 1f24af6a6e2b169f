"""Lines of several forms, told by their first word, as in queries of several kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from harness.reads.nodes import Condition, Forms, Loop, Node, ReadValue, UnreadableError
from harness.reads.writer import names_used

T = TypeVar("T")

_MOST_DIGITS = 2  # of a number that is the first word of a form


def named_forms(forms: Mapping[bytes, T]) -> dict[bytes, T]:
    """Return the forms with the number of the last `else`, whose key is b""; empty if these are no forms of lines.

    Their first words are names of commands, or all the numbers from 0 or 1 on.
    """
    named = [word for word in forms if word]
    numbers = sorted(int(word) for word in named if word.isdigit() and len(word) <= _MOST_DIGITS)
    if not numbers:
        return dict(forms) if all(word.isalpha() for word in named) else {}
    if numbers[0] not in (0, 1) or numbers != list(range(numbers[0], numbers[0] + len(named))):
        return {}
    return {word or b"%d" % (numbers[-1] + 1): form for word, form in forms.items()}


def with_forms(
    nodes: Sequence[Node], numbers: Mapping[str, Sequence[int]], *, repeated: bool = False
) -> list[Node]:
    """Return the reads with lines of several forms in place of conditions.

    numbers: with which each variable is compared, also where nothing is read. repeated: whether a loop reads the nodes;
    elsewhere a condition is mostly a special case, as it is of a variable that counts something. Raises UnreadableError
    for a condition that does not tell the form of a line.
    """
    done: list[Node] = []
    counting = names_used(nodes)
    for variable, group in groupby(nodes, key=lambda node: node.variable if isinstance(node, Condition) else None):
        if variable is not None:
            before, common = _split_at(done, variable if repeated and variable not in counting else "")
            bodies = _bodies([node for node in group if isinstance(node, Condition)], numbers.get(variable, ()))
            done = [*before, _forms_of({word: (*common, *body) for word, body in bodies.items()})]
            continue
        for node in group:
            match node, done[-1:]:
                case ReadValue(), [Forms(forms=forms)]:  # the line goes on
                    done[-1] = Forms(forms=tuple((word, (*values, node)) for word, values in forms))
                case Loop(), _:
                    done.append(replace(node, body=tuple(with_forms(node.body, numbers, repeated=True))))
                case _:
                    done.append(node)
    return done


def _split_at(done: Sequence[Node], variable: str) -> tuple[Sequence[Node], Sequence[Node]]:
    """Return what is read before a variable, and after it. Raises UnreadableError if nothing reads it."""
    places = [at for at, node in enumerate(done) if isinstance(node, ReadValue) and node.name == variable != ""]
    if not places:
        raise UnreadableError("some values are read under a condition")
    return done[: places[-1]], done[places[-1] + 1 :]


def _bodies(chain: Sequence[Condition], numbers: Sequence[int]) -> dict[bytes, tuple[Node, ...]]:
    """Return what is read after each word with which a chain of conditions compares; b"": in the last `else`.

    numbers: with which the variable is compared somewhere, and after them that of an `else`.
    """
    bodies = _branches(chain)
    if all(word.isdigit() for word in bodies if word):
        others = [b"%d" % number for number in numbers if b"%d" % number not in bodies]
        bodies |= dict.fromkeys(others[:-1] if b"" in bodies else others, bodies.get(b"", ()))
    return bodies if len(bodies) > 1 else {**bodies, b"": ()}


def _branches(chain: Sequence[Condition]) -> dict[bytes, tuple[Node, ...]]:
    bodies: dict[bytes, tuple[Node, ...]] = {}
    for condition in chain:
        bodies[condition.word] = condition.body
        match condition.other:
            case [Condition() as inner] if inner.variable == condition.variable:
                bodies |= _branches([inner])
            case other if other:
                bodies[b""] = other
    return bodies


def _forms_of(bodies: Mapping[bytes, tuple[Node, ...]]) -> Forms:
    forms = named_forms(bodies)
    values = [tuple(node for node in body if isinstance(node, ReadValue)) for body in forms.values()]
    if not forms or values != list(forms.values()):
        raise UnreadableError("some values are read under a condition")
    pairs = zip(forms, values, strict=True)
    return Forms(forms=tuple(sorted(pairs, key=lambda pair: pair[0])))
