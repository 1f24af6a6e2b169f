"""harness list: the problems of a workspace, or the packages in a folder."""

from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from harness.cli.console import console
from harness.cli.options import JsonTarget, json_option, write_json
from harness.errors import PackageError, UsageError
from harness.package.find import find_package, is_in_package, packages_around, packages_in
from harness.package.load import load
from harness.report.tables import plain_table


@click.command("list")
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
def command(folder: Path | None, *, json_file: JsonTarget) -> int:
    """List the packages in FOLDER. Without FOLDER: the problems of the workspace around you, or else the packages here.

    Where there are none, and FOLDER lies in a package or is one: that package.

    \b
    Examples:
      harness list
      harness list contest/
    """
    around = folder or Path.cwd()
    roots = (packages_in(folder) if folder is not None else []) or packages_around(around)
    if not roots and is_in_package(around):
        roots = [find_package(None, around)]
    rows = [_row(root) for root in roots]
    if not rows:
        raise UsageError(f"{around} holds no packages and is in no workspace (problems/<slug>/problem.yaml)")
    write_json(json_file, rows)
    if json_file is None:
        console().print(_table(rows))
    return 1 if any(row["faults"] for row in rows) else 0


def _row(root: Path) -> dict[str, object]:
    try:
        package = load(root, built=False)
    except PackageError as error:
        return {"slug": root.name, "title": "", "faults": [str(fault) for fault in error.faults]}
    return {
        "slug": package.slug,
        "title": package.title,
        "type": sorted(package.types),
        "time_limit_s": package.limits.time_limit_s,
        "memory_mib": package.limits.memory_mib,
        "cases": len(package.judged_cases()),
        "submissions": len(package.submissions),
        "faults": [],
    }


def _first(faults: object) -> str:
    """Return the first fault of a package and the number of others; `harness verify` lists all."""
    first, *more = faults if isinstance(faults, list) else [faults]
    return f"{first} (and {len(more)} more)" if more else str(first)


def _table(rows: list[dict[str, object]]) -> Table:
    table = plain_table("problem", "title", "type", "time", "memory", "cases here", "submissions")
    for row in rows:
        if row["faults"]:
            table.add_row(str(row["slug"]), f"[bold red]broken[/]: {escape(_first(row['faults']))}")
            continue
        kinds = row["type"]
        table.add_row(
            str(row["slug"]),
            escape(str(row["title"])),
            ", ".join(kinds) if isinstance(kinds, list) else "",
            f"{row['time_limit_s']} s" if row["time_limit_s"] is not None else "",
            f"{row['memory_mib']} MiB",
            str(row["cases"]),
            str(row["submissions"]),
        )
    return table
