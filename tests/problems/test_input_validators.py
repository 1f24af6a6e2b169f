"""Every input validator, run as the one file that is shipped, on what its package calls valid and what is broken."""

import subprocess

import pytest

from harness.package.load import load
from problems.conftest import ACCEPT, BARE, REJECT, ROOT

SLUGS = sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.yaml"))


def inputs(folder):
    """Every input of a folder, with its problem."""
    paths = sorted((ROOT / "problems").glob(f"*/data/{folder}/*.in"))
    return [pytest.param(path.parts[-4], path, id=f"{path.parts[-4]}-{path.stem}") for path in paths]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """said(slug, path): exit code and message for an input, in a bare interpreter."""
    folder = tmp_path_factory.mktemp("validators")
    for slug in SLUGS:
        (file,) = load(ROOT / "problems" / slug, built=False).input_validators[0].files.values()
        (folder / f"{slug}.py").write_bytes(file.read())

    def run(slug, path):
        done = subprocess.run([*BARE, folder / f"{slug}.py"], input=path.read_bytes(), capture_output=True)
        assert done.stderr == b""
        return done.returncode, done.stdout.decode()

    return run


@pytest.mark.parametrize(
    ("slug", "path"), [one for folder in ("sample", "valid_output", "invalid_output") for one in inputs(folder)]
)
def test_input_of_the_package_is_valid(slug, path, said):
    assert said(slug, path) == (ACCEPT, "")


@pytest.mark.parametrize(("slug", "path"), inputs("invalid_input"))
def test_broken_input_is_refused_with_line_and_column(slug, path, said):
    code, message = said(slug, path)
    assert code == REJECT
    assert message.startswith("line ") and ", column " in message.split(":")[0]
    assert "expected" in message and "found" in message
    assert message.rstrip("\n").isprintable()
