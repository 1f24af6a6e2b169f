"""harness contest upload: straight to the server of a DOMjudge."""

import os
import sys
from pathlib import Path

import click

from harness.cli.console import console, show_warnings
from harness.cli.environment import built_package, cache_folder, judge_host
from harness.cli.options import contest_argument, host_options
from harness.contest.export import NO_START, export_contest
from harness.contest.read import find_contest, read_contest
from harness.contest.upload import Client, Upload, UploadPlan
from harness.errors import UsageError, counted
from harness.export.targets import Target
from harness.files.temporary import temporary_folder
from harness.report.escape import printable
from harness.store.memory import memory_in


@click.command("upload")
@click.argument("url")
@contest_argument
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--yes", is_flag=True, help="Do not ask before something on the server is replaced.")
@click.option("--again", is_flag=True, help="Send also what the server has already.")
@host_options
def upload(url: str, folder: Path, *, dry_run: bool, yes: bool, again: bool, jobs: int, isolation: str) -> int:
    """Upload CONTEST to the DOMjudge at URL: the contest, its problems with labels and colours, their zips.

    It first says what would change, and asks before it replaces anything. If a call was cut off, call it again: it
    continues where it was. User and password: ~/.netrc, or HARNESS_DOMJUDGE_USER and HARNESS_DOMJUDGE_PASSWORD.

    \b
    Examples:
      harness contest upload https://judge.example.org problems --dry-run
      harness contest upload https://judge.example.org problems
    """
    contest = read_contest(find_contest(folder))
    client = Client(url=url, auth=_credentials())
    client.check()  # before the packages are built, which may take minutes
    with temporary_folder("upload") as scratch, judge_host(jobs, isolation) as host:
        exported = export_contest(
            contest, Target.DOMJUDGE, scratch / "export", lambda root: built_package(root, host)
        )
        upload = Upload(client=client, contest=contest, exported=exported, memory=memory_in(cache_folder()))
        plan = upload.plan(again=again)
        _show(plan)
        if plan.contest_id is None and contest.start_time is None:
            show_warnings([NO_START])
        if dry_run or not plan.steps:
            return 0
        _confirm(plan, yes=yes)
        for step, messages in upload.run(plan):
            click.echo(printable(f"done: {step.what}"))
            for message in messages:
                click.echo(printable(f"      {message}"))
    return 0


def _credentials() -> tuple[str, str] | None:
    user, password = os.environ.get("HARNESS_DOMJUDGE_USER"), os.environ.get("HARNESS_DOMJUDGE_PASSWORD")
    if bool(user) != bool(password):
        raise UsageError("HARNESS_DOMJUDGE_USER and HARNESS_DOMJUDGE_PASSWORD: set both, or none and use ~/.netrc")
    return (user, password) if user and password else None


def _show(plan: UploadPlan) -> None:
    out = console()
    for step in plan.steps:
        out.print(printable(step.what), markup=False, style="yellow" if step.replaces else "")
    if plan.unchanged:
        out.print(f"unchanged: {', '.join(plan.unchanged)}", markup=False, style="dim")
    if not plan.steps:
        out.print("nothing to do: the server has all of it", style="bold green")


def _confirm(plan: UploadPlan, *, yes: bool) -> None:
    """Ask before something is replaced. Raises UsageError where there is nobody to ask."""
    replaced = [step for step in plan.steps if step.replaces]
    if yes or not replaced:
        return
    problems = counted(len(replaced), "problem")
    if not sys.stdin.isatty():
        raise UsageError(f"{problems} on the server would be replaced: say --yes if that is meant")
    if not click.confirm(f"Replace {problems} on the server?"):
        raise click.exceptions.Abort
