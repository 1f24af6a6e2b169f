"""What a command imports: the start of `harness` is most of what a small call takes."""

import subprocess
import sys

import click
import pytest

from harness.cli import COMMANDS, SECTIONS, group
from harness.cli.lazy_group import LazyGroup


def rooms_after(statement: str) -> set[str]:
    """The rooms of `harness` that a fresh interpreter has imported after the statement."""
    code = f"{statement}\nimport sys\nprint(*(name for name in sys.modules if name.startswith('harness.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return {name.split(".")[1] for name in done.stdout.splitlines()[-1].split()}


def test_help_imports_no_command() -> None:
    help_of_all = "from harness.cli import group\ngroup.main(['--help'], standalone_mode=False)"
    assert rooms_after(help_of_all) == {"cli", "errors", "report", "values"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "room", ["search", "shapes", "replay", "mutate", "verify", "grade", "export", "statement"]
)
def test_judge_imports_nothing_of_other_commands(room: str) -> None:
    assert room not in rooms_after("import harness.cli.judge")


def test_each_command_has_a_summary_that_fits_its_line() -> None:
    summaries = {name: summary for rows in SECTIONS.values() for name, _, summary in rows}
    assert summaries.keys() == COMMANDS.keys()
    assert not [name for name, summary in summaries.items() if len(summary) > 66 or not summary.endswith(".")]


def commands_of(lazy: click.Group) -> list[tuple[str, str | None]]:
    """Every row of the group's table and of the groups in it: its name, and the name of the command that it loads."""
    context = click.Context(lazy)
    loaded = {name: lazy.get_command(context, name) for name in lazy.list_commands(context)}
    inner = [row for command in loaded.values() if isinstance(command, LazyGroup) for row in commands_of(command)]
    return [(name, command.name if command is not None else None) for name, command in loaded.items()] + inner


def test_each_row_of_the_tables_loads_the_command_of_its_name() -> None:
    rows = commands_of(group)
    assert len(rows) > len(COMMANDS)  # those of `contest`, too
    assert [row for row in rows if row[0] != row[1]] == []
