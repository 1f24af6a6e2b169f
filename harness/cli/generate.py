"""harness generate: build a package's test data from its recipe."""

import click

from harness.cli.console import Counter
from harness.cli.environment import judge_host, package_folder, show_data_report
from harness.cli.options import host_options
from harness.generate.overlay import generate_data


@click.command("generate")
@click.argument("problem", required=False)
@click.option("--relock", is_flag=True, help="Accept what the recipe now makes and write its hashes to the lock.")
@click.option("--force", is_flag=True, help="Overwrite also files that were edited since the recipe made them.")
@host_options
def command(problem: str | None, *, relock: bool, force: bool, jobs: int, isolation: str) -> int:
    """Build PROBLEM's secret data: generators, input validation, answers, hash lock.

    Only what changed is made again. Without --relock the lock is never rewritten: a file that differs from it is an
    error. Without --force a file that was edited since the recipe made it is not overwritten: the command names it and
    ends.

    Example: harness generate sokoban
    """
    root = package_folder(problem, to_change="generate")
    with judge_host(jobs, isolation) as host, Counter("building", unit="files") as counter:
        report = generate_data(root, host, relock=relock, force=force, progress=counter.step)
    show_data_report(report, root)
    return 1 if report.drift else 0
