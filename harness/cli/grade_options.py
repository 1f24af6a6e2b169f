"""The options of `grade` and `merge`: which reports to write, what they show, and the cluster that runs the cases."""

import contextlib
import functools
import importlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from harness.cli.environment import language_table
from harness.cli.options import (
    FILE,
    OUTPUT,
    CiOptions,
    Function,
    NumberType,
    nested,
    option,
)
from harness.cluster.address import Address, parse_address
from harness.errors import MachineError
from harness.grade.grading import Remote
from harness.grade.plan import MOST_POINTS, parse_asked
from harness.results.model import Asked, Feedback
from harness.sandbox.opening import IsolationMode
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Views:
    """The file of each report; None: not written. measurements: False omits values that differ from run to run."""

    ci: CiOptions = nested(CiOptions, "json_file", "junitxml", "github")
    html: Path | None = option("--html", metavar="FILE", type=OUTPUT, help="Write a self-contained page there.")
    markdown: Path | None = option("--markdown", metavar="FILE", type=OUTPUT, help="Write Markdown there.")
    csv: Path | None = option(
        "--csv", metavar="FILE", type=OUTPUT, help="Write a line for each submission there, for a spreadsheet."
    )
    gradescope: Path | None = option(
        "--gradescope", metavar="FILE", type=OUTPUT, help="Write Gradescope's results.json there (one submission)."
    )
    quiet: bool = option("-q", "--quiet", is_flag=True, help="Print no table and no progress.")
    measurements: bool = option(
        "--measurements/--no-measurements",
        default=True,
        show_default=True,
        help="Whether times, memory and calibration are in the reports; without them two runs give the same bytes.",
    )

    @property
    def files(self) -> dict[str, object]:
        """The file of each report by its option; what is no path is not written to a file."""
        return {
            "--json": self.ci.json_file,
            "--junitxml": self.ci.junitxml,
            "--html": self.html,
            "--markdown": self.markdown,
            "--csv": self.csv,
            "--gradescope": self.gradescope,
        }


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """What every submission must get."""

    require: tuple[str, ...] = option(
        "--require", metavar="VERDICT", multiple=True, help="Exit 1 unless every submission gets it (AC,…)."
    )
    min_score: float | None = option(
        "--min-score",
        metavar="POINTS",
        type=NumberType(float, -MOST_POINTS, MOST_POINTS),
        help="Exit 1 unless every submission gets so many points.",
    )

    @property
    def asked(self) -> Asked | None:
        """Return the requirement; None: neither option was given."""
        return parse_asked(self.require, self.min_score)


def feedback_option(help_text: str) -> Callable[[Function], Function]:
    """Return --feedback."""
    return click.option(
        "--feedback",
        type=click.Choice([level.value for level in Feedback]),
        default=Feedback.SAMPLES.value,
        show_default=True,
        callback=lambda _context, _param, value: Feedback(value),
        help=help_text,
    )


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """A cluster that runs the cases, and the certificates of its connections."""

    cluster: str | None = option(
        "--cluster", metavar="URL", help="Run the cases on a Dask cluster: tls://HOST:PORT."
    )
    tls_ca: Path | None = option(
        "--tls-ca", type=FILE, metavar="FILE", help="For tls://: the authority's certificate."
    )
    tls_cert: Path | None = option("--tls-cert", type=FILE, metavar="FILE", help="For tls://: our certificate.")
    tls_key: Path | None = option("--tls-key", type=FILE, metavar="FILE", help="For tls://: its key.")

    @property
    def address(self) -> Address | None:
        """Return the address of the cluster; None: no cluster."""
        files = (self.tls_ca, self.tls_cert, self.tls_key)
        return parse_address(self.cluster, files) if self.cluster is not None else None


@contextlib.contextmanager
def open_remote(address: Address | None, isolation: str) -> Iterator[Remote | None]:
    """Connect to a cluster, if there is an address. Raises MachineError if Dask is not installed."""
    if address is None:
        yield None
        return
    try:
        module = importlib.import_module("harness.cluster.remote")
    except ModuleNotFoundError as error:
        raise MachineError(
            f"--cluster needs {error.name}: pip install distributed (the extra `cluster`)"
        ) from error
    if address.certificates is None:
        click.echo(f"warning: {address.url} is not encrypted; use it to try things out on one machine", err=True)
    with module.open_cluster(
        address,
        languages=language_table(),
        isolation=IsolationMode(isolation),
        search_path=os.environ.get("PATH", ""),
    ) as cluster:
        runner = functools.partial(module.RemoteRunner, cluster)
        yield Remote(isolation=cluster.isolation, machines=cluster.machines, runner=runner)
