"""What results depend on: the package's content, this harness, this machine, and how well programs are contained."""

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from pathlib import Path

from harness import __version__
from harness.package import Package, Program
from harness.package.files import File

_HARNESS = Path(__file__).parent.parent
_CHUNK = 1 << 20


def machine_identity(tier: str, languages: Iterable[str]) -> str:
    """A digest of the harness, the machine and the tools; times and verdicts of one stand for no other."""
    parts = [__version__, _sources(), platform.platform(), platform.machine(), _processor(), tier, *languages]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def tools_of(paths: Iterable[Path]) -> list[str]:
    """Each tool with what changes when it is installed anew."""
    found = []
    for path in paths:
        status = path.stat()
        found.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return sorted(found)


def package_identity(package: Package) -> str:
    """A digest of every file of the package."""
    digest = hashlib.sha256()
    for path, file in sorted(package.files.items()):
        digest.update(f"{path}\0{file_digest(file)}\0{file.executable}\n".encode())
    return digest.hexdigest()


def file_digest(file: File | None) -> str:
    """sha256 of a file's content."""
    if file is None:
        return ""
    with file.open() as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def program_digest(program: Program) -> str:
    """A digest of a program's files and of how it is told to be built."""
    digest = hashlib.sha256(f"{program.language} {program.entrypoint}".encode())
    for name, file in sorted(program.files.items()):
        digest.update(f"\0{name}\0{file_digest(file)}".encode())
    return digest.hexdigest()


def _sources() -> list[str]:
    """This harness itself, so that a changed one does not trust what another one found."""
    found = []
    for folder, _, names in os.walk(_HARNESS):
        for name in names:
            if name.endswith((".py", ".c", ".h", ".toml")):
                status = Path(folder, name).stat()
                found.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return sorted(found)


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", errors="replace")
    except OSError:
        return platform.processor()
    return next((line for line in text.splitlines() if line.startswith("model name")), "") + str(os.cpu_count())
