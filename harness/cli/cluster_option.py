"""The cluster that a call names, if it names one. Dask is imported only then: it is an extra."""

import contextlib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from harness.cli.common import language_table
from harness.cluster.address import parse_address
from harness.errors import MachineError
from harness.sandbox import IsolationMode

Paths = tuple[Path | None, Path | None, Path | None]


def cluster_module() -> Any:
    """The module that speaks with Dask. Raises MachineError where it is not installed."""
    try:
        return importlib.import_module("harness.cluster.remote")
    except ModuleNotFoundError as error:
        raise MachineError(
            f"--cluster needs {error.name}: pip install distributed (the extra `cluster`)"
        ) from error


@contextlib.contextmanager
def opened_cluster(url: str | None, certificates: Paths, isolation: str) -> Iterator[Any]:
    """A connected cluster, or None where none was named."""
    if url is None:
        yield None
        return
    address = parse_address(url, certificates)
    if address.certificates is None:
        click.echo(f"warning: {url} is not encrypted; that is for trying things out on one machine", err=True)
    with cluster_module().open_cluster(
        address,
        languages=language_table(),
        isolation=IsolationMode(isolation),
        search_path=os.environ.get("PATH", ""),
    ) as cluster:
        yield cluster
