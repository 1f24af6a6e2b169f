"""Random changes in the files of other families: each package loads, or its faults name files."""

import random
import shutil
from pathlib import Path

import pytest

from conftest import TESTS
from harness.errors import PackageError
from harness.package.load import load, load_to_read

PACKAGES = TESTS / "packages"
MANIFESTS = {
    "load_library_checker": ("info.toml", "info.toml", "hash.json", "task.md"),
    "load_polygon": ("problem.xml",),
    "load_polygon_groups": ("problem.xml",),
}
TEXTS = (
    b'', b'\x00', b'\xff\xfe', b'[', b'{', b'<', b'</tests>', b'&x;', b'null', b'[]', b'{"a": []}', b'"""',
    b"'''", b'\r\n', b'[[tests]]\n', b'number = 999999999\n', b'number = -1\n',
    b'name = "../../../etc/passwd"\n', b'A = 1e999\n', b'A = nan\n', b"checker = ''\n", b"verifier = '.'\n",
    b'solutions = 1\n', b'tests = [1]\n', b'params = 3\n', b'timelimit = -1\n', b'timelimit = 1e400\n',
    b'[params.N_MAX]\n', b"a." * 3000 + b"b = 1\n", b"x = " + b"[" * 2000, b'@{param.N_MAX}@{lang.xx}',
    b'```\n$', b' number="x"', b"9" * 30, b'"../x"', b'"a b.cpp"',
)  # fmt: skip


def change(chance: random.Random, path: Path) -> None:
    content = path.read_bytes() if path.is_file() else b""
    start = chance.randrange(len(content) + 1)
    end = min(len(content), start + chance.choice((0, 0, 1, 9, 60)))
    kind = chance.randrange(10)
    if kind == 0:
        path.unlink(missing_ok=True)
    elif kind == 1:
        path.write_bytes(content[:start] + bytes([chance.randrange(256)]) + content[start + 1 :])
    elif kind < 5 and b"= " in content:  # another value for a key of TOML
        lines = content.split(b"\n")
        at = chance.choice([number for number, line in enumerate(lines) if b"= " in line])
        lines[at] = lines[at].split(b"= ")[0] + b"= " + chance.choice(TEXTS)
        path.write_bytes(b"\n".join(lines))
    else:
        path.write_bytes(content[:start] + chance.choice(TEXTS) + content[end:])


@pytest.mark.parametrize("number", range(60))
def test_a_changed_package_loads_or_its_faults_name_files(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    name = sorted(MANIFESTS)[number % len(MANIFESTS)]
    root = tmp_path / name
    shutil.copytree(PACKAGES / name, root)
    for _ in range(chance.choice((1, 1, 2, 4))):
        change(chance, root / chance.choice(MANIFESTS[name]))
    for read in (load, load_to_read):
        try:
            read(root)
        except PackageError as error:
            assert error.faults
            assert all(fault.message and str(fault.path).startswith(str(root)) for fault in error.faults)
