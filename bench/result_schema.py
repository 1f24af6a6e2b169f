"""Print the JSON schema of a report, from the dataclasses of the result model: docs/result.schema.json.

    python bench/result_schema.py > docs/result.schema.json

The descriptions are the docstrings of the classes, in which a field's part begins with its name and a colon.
"""

import dataclasses
import enum
import json
import re
import sys
import types
import typing
from collections.abc import Iterator

from harness.results.as_json import SCHEMA_VERSION, WRITTEN_PROPERTIES
from harness.results.model import Report

DESCRIPTION = (
    "What `harness judge --json FILE` and `harness grade --json FILE` write (a grading of several problems: an object "
    "with `schema_version` and `reports`, a list of these). Within a version keys are only added. *_s: seconds. "
    "What is called untrusted was written by contestants."
)
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}


def schema() -> dict[str, object]:
    """Return the schema of a report."""
    definitions: dict[str, object] = {}
    report = record(Report, definitions)
    report["properties"] = {"schema_version": {"const": SCHEMA_VERSION}, **report["properties"]}
    report["required"] = ["schema_version", *report["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://harness.invalid/result.schema.json",
        "title": f"harness result, schema version {SCHEMA_VERSION}",
        **report,
        "description": DESCRIPTION,
        "$defs": dict(sorted(definitions.items())),
    }


def schema_of(kind: typing.Any, definitions: dict[str, object]) -> dict[str, object]:
    """Return the schema of a type. definitions: of classes, added to; a class is referred to by its name."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [schema_of(argument, definitions) for argument in arguments]}
    if origin is tuple:
        return {"type": "array", "items": schema_of(arguments[0], definitions)}
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if kind.__name__ not in definitions:
        if issubclass(kind, enum.Enum):
            definitions[kind.__name__] = {"description": words(kind), "enum": [item.value for item in kind]}
        else:
            definitions[kind.__name__] = record(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def record(kind: typing.Any, definitions: dict[str, object]) -> dict[str, typing.Any]:
    """Return the schema of a dataclass: an object with all of its fields, described as in the docstring."""
    properties = {name: schema_of(inner, definitions) for name, inner in written(kind)}
    name = f"(?:{'|'.join(properties)})"
    description, *described = re.split(rf"(?:^|(?<=[.;]) )({name}(?:, {name})*): ", words(kind))
    for names, text in zip(described[::2], described[1::2], strict=True):
        for field in names.split(", "):
            properties[field]["description"] = text.rstrip(";")
    return {
        "description": description,
        "type": "object",
        "required": list(properties),
        "properties": properties,
    }


def written(kind: typing.Any) -> Iterator[tuple[str, typing.Any]]:
    """Yield name and type of what is written of a dataclass."""
    hints = typing.get_type_hints(kind)
    yield from ((field.name, hints[field.name]) for field in dataclasses.fields(kind))
    for name in WRITTEN_PROPERTIES.get(kind, ()):
        yield name, typing.get_type_hints(getattr(kind, name).fget)["return"]


def words(kind: type) -> str:
    """Return a class' docstring as one line, in the words of JSON."""
    return " ".join((kind.__doc__ or "").split()).replace("None", "null")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(schema(), indent=1) + "\n")
