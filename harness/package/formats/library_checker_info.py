"""Read info.toml of a problem of Library Checker: its values by key, and the line of each fault."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.package.files import File
from harness.package.findings import Findings
from harness.values import dataclass

_TOML_LINE = re.compile(r"line (\d+)")
_KEYS = {
    "title": str, "timelimit": (int, float), "forum": str, "checker": str, "verifier": str, "tests": list,
    "solutions": list, "params": dict,
}  # fmt: skip
_TYPE_NAMES = {
    str: "a text", (int, float): "a number", int: "a whole number", bool: "true or false", dict: "a table",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Info:
    """The content of info.toml. Values of a wrong type are left out, with a fault. stated: all keys, wrong ones too."""

    file: File
    values: Mapping[str, Any]
    findings: Findings
    stated: frozenset[str] = frozenset()

    def tables(self, key: str, types: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
        """Return the checked tables of `[[key]]`, each with its index."""
        tables = enumerate(self.values.get(key, []))
        return [
            (index, self.checked(table, types, key, index)) for index, table in tables if isinstance(table, dict)
        ]

    def checked(self, table: Mapping[str, Any], types: Mapping[str, Any], name: str = "", index: int = 0) -> Any:
        """Return the values of `table` that have the type of their key."""
        right = {}
        for key, value in table.items():
            if key not in types:
                self.warn(f"`{key}` is not a key of this format: remove it or correct its name", key, name, index)
            elif not isinstance(value, types[key]) or (isinstance(value, bool) and types[key] is not bool):
                wanted = _TYPE_NAMES.get(types[key], f"tables, each headed by [[{key}]]")
                self.fault(f"`{key}` is {value!r:.80}: expected {wanted}", key, name, index)
            else:
                right[key] = value
        return right

    def fault(self, message: str, key: str, table: str = "", index: int = 0) -> None:
        """Add a fault at the line of a key, of the table `[[table]]` with this index."""
        self.findings.fault(self.file.origin, message, self._line(key, table, index))

    def warn(self, message: str, key: str, table: str = "", index: int = 0) -> None:
        """Add a warning at the line of a key, as `fault` does."""
        self.findings.warn(self.file.origin, message, self._line(key, table, index))

    def _line(self, key: str, table: str, index: int) -> int | None:
        lines = self.file.read().decode("utf-8", "replace").splitlines()
        heads = [number for number, line in enumerate(lines) if re.match(rf"\s*\[+\s*{table}\s*\]+", line)]
        first = heads[index] if table and index < len(heads) else 0
        assigned = re.compile(rf"""\s*(["']?{re.escape(key)}["']?\s*=|\[+\s*{re.escape(key)}\s*\]+)""")
        return next(
            (number + 1 for number in range(first, len(lines)) if assigned.match(lines[number])), first + 1
        )


def read_info(file: File, findings: Findings) -> Info | None:
    """Read info.toml; None, with a fault, if it cannot be read."""
    content = file.read(1 << 20)
    try:
        values = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        fault_of_encoding(file, content, error, findings)
        return None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = _TOML_LINE.search(str(error))
        findings.fault(file.origin, f"not TOML: {error}", int(line[1]) if line else None)
        return None
    except ValueError:
        findings.fault(file.origin, "a number of thousands of digits: write a smaller one")
        return None
    info = Info(file=file, values=values, findings=findings)
    return replace(info, stated=frozenset(values), values=info.checked(values, _KEYS))


def fault_of_encoding(file: File, content: bytes, error: UnicodeDecodeError, findings: Findings) -> None:
    """Add a fault for bytes that are not UTF-8."""
    line = content.count(b"\n", 0, error.start) + 1
    findings.fault(file.origin, "bytes that are not UTF-8: save it as UTF-8", line)
