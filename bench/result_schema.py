"""Print the JSON schema of reports and verifications, from their dataclasses: docs/result.schema.json.

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
from collections.abc import Iterator, Mapping

from harness.results.as_json import SCHEMA_VERSION, WRITTEN_PROPERTIES
from harness.results.model import Report
from harness.verify.findings import VERIFY_SCHEMA_VERSION, PartResult, Verification

DESCRIPTION = (
    "What `harness judge`, `grade` and `merge` write with `--json FILE` (a Report; of several problems Reports), and "
    "`harness verify --json FILE` (a Verification). Within a version keys are only added. *_s: seconds. "
    "What is called untrusted was written by contestants."
)
PROPERTIES = {**WRITTEN_PROPERTIES, PartResult: ("holds",), Verification: ("decided",)}
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}


def schema() -> dict[str, object]:
    """Return the schema of a file: a report, several reports, or a verification."""
    definitions: dict[str, object] = {}
    report, verification = record(Report, definitions), record(Verification, definitions)
    reports = {
        "description": "The results of a grading of several problems.",
        "type": "object",
        "required": ["reports"],
        "properties": {"reports": {"type": "array", "items": {"$ref": "#/$defs/Report"}}},
    }
    verification["required"].append("holds")
    verification["properties"]["holds"] = {
        "type": "boolean",
        "description": "whether there is no error; with --strict no warning either",
    }
    files = {
        "Report": versioned(report, SCHEMA_VERSION),
        "Reports": versioned(reports, SCHEMA_VERSION),
        "Verification": versioned(verification, VERIFY_SCHEMA_VERSION),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://harness.invalid/result.schema.json",
        "title": f"harness result, schema version {SCHEMA_VERSION}",
        "description": DESCRIPTION,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in files],
        "$defs": dict(sorted({**definitions, **files}.items())),
    }


def versioned(value: dict[str, typing.Any], version: int) -> dict[str, typing.Any]:
    """Return the schema of an object that begins with the version of its schema."""
    return {
        **value,
        "required": ["schema_version", *value["required"]],
        "properties": {"schema_version": {"const": version}, **value["properties"]},
    }


def schema_of(kind: typing.Any, definitions: dict[str, object]) -> dict[str, object]:
    """Return the schema of a type. definitions: of classes, added to; a class is referred to by its name."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [schema_of(argument, definitions) for argument in arguments]}
    if origin is tuple:
        return {"type": "array", "items": schema_of(arguments[0], definitions)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], definitions)}
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
    for name in PROPERTIES.get(kind, ()):
        yield name, typing.get_type_hints(getattr(kind, name).fget)["return"]


def words(kind: type) -> str:
    """Return a class' docstring as one line, in the words of JSON."""
    return " ".join((kind.__doc__ or "").split()).replace("None", "null")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(schema(), indent=1) + "\n")
