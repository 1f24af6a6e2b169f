"""Read results from JSON. The text is untrusted: values that do not fit are reported."""

import dataclasses
import enum
import functools
import json
import re
import sys
import types
import typing
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from harness.errors import UsageError
from harness.results.as_json import SCHEMA_VERSION
from harness.results.model import Report

Value = TypeVar("Value")
ValueReader = Callable[[Any], Any]
_SURROGATES = re.compile(r"\\ud[89a-f]", re.IGNORECASE)  # possibly unpaired
_LARGEST: dict[type, float] = {float: sys.float_info.max, int: 1 << 62}
_PLAIN_TYPES: dict[type, Any] = {float: (int, float), int: (int,), str: (str,), bool: (bool,)}


def read_reports(text: str | bytes, source: str) -> list[Report]:
    """Read the one or several reports of a result file. Raises UsageError that names a value that does not fit."""
    value = _loads(text, source)
    if _SURROGATES.search(
        text if isinstance(text, str) else text.decode("latin-1")
    ):  # which cannot be encoded as UTF-8
        value = _loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"), source)
    several = value.get("reports") if isinstance(value, dict) else None
    return [read_report(item, source) for item in (several if isinstance(several, list) else [value])]


def read_report(value: object, source: str) -> Report:
    """Read a report from JSON values."""
    if not isinstance(value, dict) or value.get("schema_version") != SCHEMA_VERSION:
        raise UsageError(
            f"{source}: not a result of harness: expected an object with `schema_version` {SCHEMA_VERSION}"
        )
    return read_value(Report, value, source)


def _loads(text: str | bytes, source: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_such_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{source}: no report of harness, not JSON: {error}") from error


def _no_such_number(name: str) -> object:
    raise ValueError(f"{name} is no number")


class _MisfitError(Exception):
    """A value does not fit. path: its path below the value that was read."""

    path = ""


def read_value(kind: type[Value], value: object, where: str) -> Value:
    """Convert a JSON value to the type `kind`: a dataclass, an enum, a tuple, a mapping, an optional, a plain type.

    Unknown keys are ignored; bytes are in hexadecimal. Raises UsageError that names a value that does not fit. where:
    the source, for that message.
    """
    try:
        return cast(Value, _reader(cast(Hashable, kind))(value))
    except _MisfitError as error:
        raise UsageError(f"{where}{error.path}: {error}") from error


@functools.cache
def _reader(kind: Any) -> ValueReader:
    """Make the reader of a type once, because resolving the types of fields is the largest cost."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        inner = _reader(next(argument for argument in arguments if argument is not types.NoneType))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return partial(_tuple, _reader(arguments[0]))
    if origin is Mapping:
        return partial(_mapping, _reader(arguments[1]))
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return partial(_converted, kind, f"is none of {', '.join(str(item.value) for item in kind)}")
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    return partial(_converted, bytes.fromhex, "is not hexadecimal") if kind is bytes else _plain_reader(kind)


def _plain_reader(kind: type) -> ValueReader:
    wanted, largest = _PLAIN_TYPES[kind], _LARGEST.get(kind)

    def read(value: Any) -> Any:
        if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
            raise _MisfitError(f"expected {kind.__name__}, found {_short(value)}")
        if largest is not None and not -largest <= value <= largest:
            raise _MisfitError(f"{_short(value)} is more than any number of a result")
        return kind(value)

    return read


def _record_reader(kind: Any) -> ValueReader:
    """Make the reader of a dataclass."""
    hints, missing = typing.get_type_hints(kind), dataclasses.MISSING
    fields = [
        (
            field.name,
            f": {field.name}",
            _reader(hints[field.name]),
            field.default is missing and field.default_factory is missing,
        )
        for field in dataclasses.fields(kind)
        if field.init
    ]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _MisfitError(f"expected an object, found {_short(value)}")
        values = {}
        for name, key, inner, needed in fields:
            if name in value:
                values[name] = _at(inner, value[name], key)
            elif needed:
                raise _MisfitError(f"`{name}` is missing")
        return kind(**values)

    return read


def _tuple(inner: ValueReader, value: Any) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise _MisfitError(f"expected a list, found {_short(value)}")
    return tuple(_at(inner, item, f"[{index}]") for index, item in enumerate(value))


def _mapping(inner: ValueReader, value: Any) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _MisfitError(f"expected an object, found {_short(value)}")
    return {name: _at(inner, item, f"[{name!r}]") for name, item in value.items()}


def _at(inner: ValueReader, value: Any, key: str) -> Any:
    """Read a part of a value; put its key before the path in the error."""
    try:
        return inner(value)
    except _MisfitError as error:
        error.path = key + error.path
        raise


def _converted(convert: ValueReader, wrong: str, value: Any) -> Any:
    try:
        return convert(value)
    except (ValueError, TypeError) as error:
        raise _MisfitError(f"{_short(value)} {wrong}") from error


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
