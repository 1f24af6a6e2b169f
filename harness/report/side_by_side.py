"""What a program printed beside what is right, a window around the first difference, for a terminal."""

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.report.line_differences import rows, totals
from harness.results.model import OutputDifference


def difference(found: OutputDifference, *, most: int = 12) -> Group:
    """The rows around the first that differs; that one is marked."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("", "line", "expected", "yours"):
        table.add_column(escape(column), overflow="fold", justify="right" if column == "line" else "left")
    for row in rows(found)[:most]:
        table.add_row(
            Text(">" if row.is_first else "", style="bold red"),
            Text(row.number, style="dim"),
            _side(row.expected, row.printed, style="green", marked=not row.same),
            _side(row.printed, row.expected, style="bold red", marked=not row.same),
        )
    lengths = totals(found)
    return Group(table, Text(lengths, style="dim")) if lengths else Group(table)


def _side(line: str | None, other: str | None, *, style: str, marked: bool) -> Text:
    """A line, from its first token that the other side does not have on."""
    if line is None:
        return Text("(no line)", style="dim")
    if not marked:
        return Text(line)
    same = 0
    for one, two in zip(line, other or "", strict=False):
        if one != two:
            break
        same += 1
    start = line.rfind(" ", 0, same) + 1 if same < len(line) or len(other or "") > same else same
    return Text(line[:start]) + Text(line[start:], style=style)
