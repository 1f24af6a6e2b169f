"""Every language runs inside every tier: it compiles, says hello, recurses, fills memory, threads, is stopped."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from harness.sandbox.contained import ContainedSandbox
from harness.sandbox.facts import MIB, KillReason, Tier

from .conftest import LIMITS, Box, make_box, public_directory

PROGRAMS = Path(__file__).parent / "programs"
IDEAS = {"hello": b"hello\n", "recursion": None, "memory": b"1\n", "thread": b"42\n", "loop": None}
RUST = next(iter(sorted(Path("/root/.rustup/toolchains").glob("stable-*"))), None) if os.geteuid() == 0 else None


@dataclass(frozen=True, kw_only=True)
class Language:
    """How to compile (argv without the source) and run one."""

    suffix: str
    compile: tuple[str, ...] = ()
    run: tuple[str, ...] = ("{dir}/program",)
    readable: tuple[Path, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    managed: bool = False
    native_stack: bool = False


LANGUAGES = {
    "c": Language(suffix=".c", compile=("/usr/bin/gcc", "-O1", "-o", "program"), native_stack=True),
    "cpp": Language(suffix=".cpp", compile=("/usr/bin/g++", "-O1", "-o", "program"), native_stack=True),
    "python": Language(suffix=".py", run=("/usr/bin/python3", "{source}"), native_stack=True),
    "node": Language(suffix=".js", run=("/usr/bin/node", "{source}"), managed=True),
    "java": Language(
        suffix=".java",
        compile=("/usr/bin/javac", "-J-Xmx512m", "-d", "."),
        run=("/usr/bin/java", "-XX:+UseSerialGC", "-Xss64m", "-Xmx256m", "-cp", "{dir}", "Main"),
        managed=True,
    ),
    "rust": Language(
        suffix=".rs",
        compile=(f"{RUST}/bin/rustc" if RUST else "/usr/bin/rustc", "-O", "-o", "program"),
        readable=(RUST,) if RUST else (),
        native_stack=True,
    ),
    "go": Language(
        suffix=".go",
        compile=("/usr/bin/go", "build", "-o", "program"),
        environment={"GOCACHE": "{dir}/.cache", "GOPATH": "{dir}/.go", "GO111MODULE": "off", "CGO_ENABLED": "0"},
    ),
}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    chosen = LANGUAGES[request.param]
    tool = (chosen.compile or chosen.run)[0]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    yield request.param


@pytest.mark.slow
@pytest.mark.parametrize("idea", IDEAS)
def test_language_runs_inside(sandbox: ContainedSandbox, language: str, idea: str) -> None:
    """Each idea does at each tier what it does outside."""
    chosen = LANGUAGES[language]
    if chosen.readable and sandbox.isolation.tier < Tier.NAMESPACED:
        pytest.skip("a toolchain under /root is out of the dropped user's reach below T3")
    with public_directory() as root:
        box = make_box(sandbox, root)
        argv = build(box, chosen, language, idea)
        stack = 400 * MIB if chosen.native_stack else None
        limits = replace(LIMITS, stack_bytes=stack, cap_data_segment=not chosen.managed, may_fork=False)
        if idea == "loop":
            limits = replace(limits, cpu_s=0.5)
        done = box.run(*argv, limits=limits, environment=environment(box, chosen))
        if idea == "loop" and done.facts.cpu_s >= 0.53:  # a busy machine disturbs some runs, not all
            done = box.run(*argv, limits=limits, environment=environment(box, chosen))
    if idea == "loop":
        assert done.facts.killed_for is KillReason.CPU
        assert 0.5 < done.facts.cpu_s < 0.53
    else:
        assert (done.facts.exit_code, done.err) == (0, b""), done
        assert IDEAS[idea] in (None, done.out)
    if idea == "memory":
        assert 100 * MIB <= done.facts.memory_bytes < 220 * MIB


def environment(box: Box, language: Language) -> dict[str, str]:
    given = {name: value.format(dir=box.directory) for name, value in language.environment.items()}
    return {**box.environment, **given}


def build(box: Box, language: Language, name: str, idea: str) -> list[str]:
    """Compile in the box; returns the command line of the program."""
    source = PROGRAMS / name / idea / "Main.java" if name == "java" else PROGRAMS / name / (idea + language.suffix)
    shutil.copy(source, box.directory / source.name)
    if language.compile:
        limits = replace(
            LIMITS, cpu_s=60, wall_s=120, memory_bytes=2048 * MIB, output_bytes=256 * MIB, threads=256
        )
        limits = replace(limits, cap_data_segment=not language.managed)
        done = box.run(
            *language.compile,
            source.name,
            limits=limits,
            writable_directory=True,
            readable=language.readable,
            environment=environment(box, language),
        )
        assert done.facts.exit_code == 0, done.err.decode() + repr(done.facts)
    names = {"dir": str(box.directory), "source": source.name}
    return [part.format(**names) for part in language.run]
