"""The result model read back from JSON. The text may come from anywhere: what does not fit is named, not trusted."""

import dataclasses
import enum
import functools
import json
import re
import sys
import types
import typing
from collections.abc import Hashable, Mapping
from typing import TypeVar, cast

from harness.errors import UsageError
from harness.results.model import CaseResult, Report, SubmissionResult
from harness.sandbox.facts import Isolation, Tier

Value = TypeVar("Value")
_HALVES = re.compile(r"\\ud[89a-f]", re.IGNORECASE)  # of characters, which may stand without the other one
_LARGEST: dict[type, float] = {float: sys.float_info.max, int: 1 << 62}
_NUMBERS = {float: (int, float), int: (int,), str: (str,), bool: (bool,)}


def read_reports(text: str | bytes, source: str) -> list[Report]:
    """The reports of a result file: one, or the several of a plan. Raises UsageError that names what does not fit."""
    value = _loads(text, source)
    if _HALVES.search(text if isinstance(text, str) else text.decode("latin-1")):  # no output could hold them
        value = _loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"), source)
    several = value.get("reports") if isinstance(value, dict) else None
    return [read_report(item, source) for item in (several if isinstance(several, list) else [value])]


def read_report(value: object, source: str) -> Report:
    """A report from JSON values."""
    if not isinstance(value, dict) or value.get("schema_version") != 1:
        raise UsageError(f"{source}: not a result of harness: expected an object with `schema_version` 1")
    return _read(Report, value, source)


def read_submission(text: str, source: str) -> SubmissionResult:
    """A submission's result from JSON text."""
    return _read(SubmissionResult, _loads(text, source), source)


def read_case(text: str, source: str) -> CaseResult:
    """A case's result from JSON text."""
    return _read(CaseResult, _loads(text, source), source)


def _loads(text: str | bytes, source: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_such_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{source}: no report of harness, not JSON: {error}") from error


def _no_such_number(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _read(kind: type[Value], value: object, where: str) -> Value:
    """`value` as a `kind`: a dataclass, an enum, a tuple, an optional, a plain value. Unknown keys are passed over."""
    if kind is Isolation:
        return cast(Value, _isolation(value, where))
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        inner = next(one for one in typing.get_args(kind) if one is not types.NoneType)
        return cast(Value, None if value is None else _read(inner, value, where))
    if origin is tuple:
        return cast(Value, _tuple(typing.get_args(kind)[0], value, where))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _enum(kind, value, where)
    if dataclasses.is_dataclass(kind):
        return _record(kind, value, where)
    wanted = _NUMBERS.get(kind)
    if wanted is None or not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
        raise UsageError(f"{where}: expected {kind.__name__}, found {_short(value)}")
    if kind in _LARGEST and not -_LARGEST[kind] <= cast(float, value) <= _LARGEST[kind]:
        raise UsageError(f"{where}: {_short(value)} is more than any number of a result")
    return kind(value)  # type: ignore[call-arg]


def _record(kind: type[Value], value: object, where: str) -> Value:
    if not isinstance(value, Mapping):
        raise UsageError(f"{where}: expected an object, found {_short(value)}")
    found = {}
    for name, hint, needed in _fields(cast(Hashable, kind)):
        if name in value:
            found[name] = _read(hint, value[name], f"{where}: {name}")
        elif needed:
            raise UsageError(f"{where}: `{name}` is missing")
    return kind(**found)


@functools.cache
def _fields(kind: Hashable) -> tuple[tuple[str, typing.Any, bool], ...]:
    """Name, type and need of each field; finding the types costs more than all the rest, so it is done once."""
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    return tuple(
        (field.name, hints[field.name], field.default is missing and field.default_factory is missing)
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
    )


def _tuple(kind: type, value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise UsageError(f"{where}: expected a list, found {_short(value)}")
    return tuple(_read(kind, item, f"{where}[{place}]") for place, item in enumerate(value))


def _enum(kind: type[Value], value: object, where: str) -> Value:
    try:
        return kind(value)  # type: ignore[call-arg]
    except ValueError as error:
        raise UsageError(f"{where}: {_short(value)} is none of the known values") from error


def _isolation(value: object, where: str) -> Isolation:
    tiers = {f"T{int(tier)}": tier for tier in Tier}
    tier = value.get("tier") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(tier, str) or tier not in tiers:
        raise UsageError(f"{where}: expected an object with a `tier` out of {', '.join(tiers)}")
    missing = _tuple(str, value.get("missing", []), f"{where}: missing")
    return Isolation(tier=tiers[tier], missing=cast(tuple[str, ...], missing))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
