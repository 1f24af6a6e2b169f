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
    folded,
    github_option,
    json_option,
    junit_option,
    with_options,
)
from harness.cluster.address import Address, parse_address
from harness.errors import MachineError
from harness.grade.grading import Remote
from harness.grade.plan import MOST_POINTS, parse_asked
from harness.results.model import Feedback
from harness.sandbox.opening import IsolationMode
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Views:
    """The file of each report; None: not written. measurements: False omits values that differ from run to run."""

    ci: CiOptions = CiOptions()
    html: Path | None = None
    markdown: Path | None = None
    csv: Path | None = None
    gradescope: Path | None = None
    quiet: bool = False
    measurements: bool = True

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


_CI = ("json_file", "junitxml", "github")
_VIEWS = ("ci", "html", "markdown", "csv", "gradescope", "quiet", "measurements")
_FILES = (
    json_option,
    junit_option,
    click.option("--html", metavar="FILE", type=OUTPUT, help="Write a self-contained page there."),
    click.option("--markdown", metavar="FILE", type=OUTPUT, help="Write Markdown there."),
    click.option(
        "--csv", metavar="FILE", type=OUTPUT, help="Write a line for each submission there, for a spreadsheet."
    ),
    click.option(
        "--gradescope", metavar="FILE", type=OUTPUT, help="Write Gradescope's results.json there (one submission)."
    ),
    github_option,
    click.option("-q", "--quiet", is_flag=True, help="Print no table and no progress."),
    click.option(
        "--measurements/--no-measurements",
        default=True,
        show_default=True,
        help="Whether times, memory and calibration are in the reports; without them two runs give the same bytes.",
    ),
)


def _view_options(function: Function) -> Function:
    """Add the options that name the reports to a command, as one argument `views`."""
    return with_options(*_FILES)(folded("ci", _CI, CiOptions)(folded("views", _VIEWS, Views)(function)))


def _asked_options(function: Function) -> Function:
    """Add --require and --min-score to a command, as one argument `asked`; None: neither was given."""
    options = with_options(
        click.option(
            "--require", metavar="VERDICT", multiple=True, help="Exit 1 unless every submission gets it (AC,…)."
        ),
        click.option(
            "--min-score",
            metavar="POINTS",
            type=NumberType(float, -MOST_POINTS, MOST_POINTS),
            help="Exit 1 unless every submission gets so many points.",
        ),
    )
    return options(folded("asked", ("require", "min_score"), parse_asked)(function))


def report_options(feedback_help: str) -> Callable[[Function], Function]:
    """Add the options of `grade` and `merge`: the arguments `asked`, `feedback` and `views`."""
    feedback = click.option(
        "--feedback",
        type=click.Choice([level.value for level in Feedback]),
        default=Feedback.SAMPLES.value,
        show_default=True,
        callback=lambda _context, _param, value: Feedback(value),
        help=feedback_help,
    )
    return with_options(_asked_options, feedback, _view_options)


_CLUSTER = with_options(
    click.option("--cluster", metavar="URL", help="Run the cases on a Dask cluster: tls://HOST:PORT."),
    click.option("--tls-ca", type=FILE, metavar="FILE", help="For tls://: the authority's certificate."),
    click.option("--tls-cert", type=FILE, metavar="FILE", help="For tls://: our certificate."),
    click.option("--tls-key", type=FILE, metavar="FILE", help="For tls://: its key."),
)


def cluster_options(function: Function) -> Function:
    """Add --cluster and its certificates to a command, as one argument `cluster`; None: no cluster."""
    return _CLUSTER(folded("cluster", ("cluster", "tls_ca", "tls_cert", "tls_key"), _address)(function))


def _address(
    cluster: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None
) -> Address | None:
    return parse_address(cluster, (tls_ca, tls_cert, tls_key)) if cluster is not None else None


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
