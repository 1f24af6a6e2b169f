"""harness verify: everything that a careful setter would check."""

import os
import sys

import click

from harness.cli.ci_output import CiOutput
from harness.cli.console import Counter, console, show
from harness.cli.environment import cache_folder, judge_host, package_folder
from harness.cli.options import CiOptions, grouped, host_options, with_options, write_json
from harness.report import verification as pages
from harness.rules.outcomes import checking_exit_code
from harness.verify.findings import PartResult, Verification, verification_as_json
from harness.verify.run import PARTS, VerificationObserver, Verifier

PLAIN_EVERY_S = 15.0


# The options that `verify` and `contest verify` share.
verify_options = with_options(
    click.option(
        "--only", multiple=True, type=click.Choice(PARTS), help="Check only this part; may be given again."
    ),
    click.option("--strict", is_flag=True, help="Warnings count as errors."),
    click.option("--fresh", is_flag=True, help="Check everything again, also what has not changed."),
)


@click.command("verify")
@click.argument("problem", required=False)
@verify_options
@grouped("ci", CiOptions)
@click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong, and the last line.")
@click.option("-v", "--verbose", is_flag=True, help="Print notes too, and the table of every part.")
@host_options
def command(
    problem: str | None,
    *,
    only: tuple[str, ...],
    strict: bool,
    fresh: bool,
    ci: CiOptions,
    quiet: bool,
    verbose: bool,
    jobs: int,
    isolation: str,
) -> int:
    """Check everything about PROBLEM: data, validators, bounds, submissions, answers, time limit, statements.

    A part is checked again only if something that it depends on has changed. Exit code 0: all holds.

    \b
    Examples:
      harness verify sokoban
      harness verify --only inputs --only bounds    (inside a package's folder)
    """
    output = CiOutput(ci)
    root = package_folder(problem)
    ended: list[PartResult] = []
    try:
        every_s = None if quiet or ci.short else PLAIN_EVERY_S
        with (
            judge_host(jobs, isolation) as host,
            Counter("verifying", unit="steps", plain_every_s=every_s) as live,
        ):
            # If the table follows on the same screen, a line for each part would repeat it.
            say = (lambda _: None) if quiet or ci.short or _one_stream() else live.say

            def end(part: PartResult) -> None:
                ended.append(part)
                say(f"{part.part}: {pages.outcome(part).plain}")

            observer = VerificationObserver(begin=live.step, step=live.step, end=end)
            verifier = Verifier(root=root, host=host, cache=cache_folder(), fresh=fresh, observer=observer)
            verification = verifier.run(only or PARTS)
    except KeyboardInterrupt:
        show(console(stderr=ci.json_lines), pages.finding_lines(ended, notes=verbose))  # so far
        raise
    if not ci.short:
        _show(verification, strict=strict, quiet=quiet, verbose=verbose, stderr=ci.json_lines)
    write_json(ci.json_file, verification_as_json(verification, strict=strict))
    output.conclude(
        list(pages.diagnostics(verification, root, strict=strict, notes=verbose)),
        pages.suites(verification, strict=strict),
        pages.conclusion(verification, strict=strict).plain,
    )
    return checking_exit_code(holds=verification.holds(strict=strict), decided=verification.decided)


def _one_stream() -> bool:
    """Return whether standard output and standard error are the same file."""
    try:
        return os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno())
    except (OSError, ValueError):
        return False


def _show(verification: Verification, *, strict: bool, quiet: bool, verbose: bool, stderr: bool) -> None:
    out = console(stderr=stderr)
    if not quiet:
        for part in verification.parts:
            if part.rows and (verbose or part.part in ("submissions", "time")):
                out.print(f"\n{part.part}", style="bold")
                out.print(pages.part_table(part))
        out.print()
        out.print(pages.parts_table(verification))
        out.print()
    show(out, pages.finding_lines(verification.parts, notes=verbose))
    if not verbose and not quiet:
        show(out, pages.hidden_notes(verification))
    out.print(pages.conclusion(verification, strict=strict))
