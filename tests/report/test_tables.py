"""Tables on terminals of any width: no cell is cut."""

import io

import pytest

from harness.cli.console import console
from harness.report.tables import plain_table

CELLS = ("secret/group3/20-open-goal-in-corner-1000x1000", "WA", "0.038 s", "line 1, token 1: `15`, expected `99`")


def shown(width: int) -> str:
    table = plain_table("case", "verdict", "CPU", "", right=("CPU",), wrap=("",))
    table.add_row(*CELLS)
    out, printed = console(), io.StringIO()
    out.file, out.width = printed, width
    out.print(table)
    return printed.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_table_too_wide_for_the_terminal_is_whole(width: int) -> None:
    output = shown(width)
    assert all(cell in output for cell in CELLS), output
    assert len(output.splitlines()) == 2


def test_text_is_wrapped_where_there_is_room_for_it() -> None:
    output = shown(100)
    assert len(output.splitlines()) == 3
    assert all(len(line) <= 100 for line in output.splitlines())
    assert all(cell in output for cell in CELLS[:3])
