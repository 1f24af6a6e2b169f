"""harness grade: grade many submissions of strangers, for a CI job or a teacher."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from harness.cli.cluster_option import cluster_options, open_remote
from harness.cli.common import host, jobs_option, language_table, package_folder
from harness.cli.grading_screen import Matrix
from harness.cli.prepare_package import built_package
from harness.cli.program_arguments import split
from harness.cli.report_files import Shell, Views, asked_options, view_options
from harness.errors import MachineError, UsageError
from harness.grade.grading import GradingObserver, Job
from harness.grade.plan import Task, exit_code, read_plan
from harness.grade.session import GradingOptions, Session, SessionObserver
from harness.grade.shards import parse_shard
from harness.judge.prepare import with_limits
from harness.package import Package, find_package, slug_of
from harness.results.model import Asked, Feedback, Report, SubmissionResult
from harness.sandbox import Isolation, IsolationMode
from harness.store import open_store

STORE_FOLDER = ".harness"
