"""The options of a cluster, and the connection to it. Dask, an extra, is imported only if a cluster is named."""

import contextlib
import functools
import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import click

from harness.cli.environment import language_table
from harness.cli.options import FILE, Function, folded, with_options
from harness.cluster.address import Address, parse_address
from harness.errors import MachineError
from harness.grade.session import Remote
from harness.sandbox.opening import IsolationMode

_OPTIONS = with_options(
    click.option("--cluster", metavar="URL", help="Run the cases on a Dask cluster: tls://HOST:PORT."),
    click.option("--tls-ca", type=FILE, metavar="FILE", help="For tls://: the authority."),
    click.option("--tls-cert", type=FILE, metavar="FILE", help="For tls://: our certificate."),
    click.option("--tls-key", type=FILE, metavar="FILE", help="For tls://: its key."),
)


def cluster_options(function: Function) -> Function:
    """Add --cluster and its certificates to a command, as one argument `cluster`; None: no cluster."""
    return _OPTIONS(folded("cluster", ("cluster", "tls_ca", "tls_cert", "tls_key"), _address)(function))


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
