"""Same seed, same bytes on every Python that generators may meet: what the locks say, made by each of them."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.generate.recipe import read_recipe
from harness.generate.record import read_lock
from harness.package.load import load
from harness.package.workspace import LOCK

ROOT = Path(__file__).parent.parent.parent
SLUGS = sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.yaml"))
VERSIONS = ("3.11", "3.12", "3.13")


def interpreter(version: str) -> str | None:
    """An interpreter of this version: on PATH, or where pyenv keeps it. A shim that starts nothing is none."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    for found in (shutil.which(f"python{version}"), *kept):
        if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
            return str(found)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("slug", SLUGS)
def test_generators_make_what_the_lock_says(slug: str, version: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    package = load(ROOT / "problems" / slug, built=False)
    recipe = read_recipe(package.files, package.constants)
    lock = read_lock(package.files.get(LOCK))
    assert recipe is not None and lock is not None
    for case in recipe.cases:
        if case.invocation is None:
            text = case.texts[".in"]
        else:
            program = recipe.generators.get(case.invocation.generator, (case.invocation.generator,))[0]
            command = [python, program, *case.invocation.arguments]
            text = subprocess.run(command, cwd=ROOT / "generators", capture_output=True, check=True).stdout
        assert hashlib.sha256(text).hexdigest() == lock[f"{case.name}.in"], case.name
