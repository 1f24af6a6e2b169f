"""The corpus of programs with one bug each: bugs.toml, read."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from harness.host.host import Host
from harness.package import Program
from harness.package.files import File
from harness.package.load import load
from harness.search.candidates import SearchResult
from harness.search.hunt import Hunt
from harness.search.target import target_of

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, kw_only=True)
class Bug:
    """One program and what is wrong with it; bugs.toml says what the fields mean."""

    kind: str
    file: str
    old: str = ""
    new: str = ""
    proven: bool = False
    fast: bool = False

    @property
    def problem(self) -> str:
        """The problem's slug."""
        return self.file.split("/")[0]

    def program(self) -> Program:
        """The program with its bug."""
        kept = Path(__file__).parent / "programs" / self.file
        path = kept if kept.exists() else ROOT / "reference" / self.file
        text = path.read_text("utf-8")
        if self.old and text.count(self.old) != 1:
            raise ValueError(f"{self.file}: {self.old!r} stands {text.count(self.old)} times in it, not once")
        changed = text.replace(self.old, self.new) if self.old else text
        return Program(path=f"bug/{path.name}", files={path.name: File(origin=path, content=changed.encode())})

    def hunted(self, host: Host, *, seed: int = 0, time_s: float = 60.0) -> SearchResult | None:
        """What a search finds."""
        package = load(ROOT / "problems" / self.problem, built=False)
        target = target_of(package, self.program())
        patience = {"reducing_s": 2 * time_s, "exhaustive_s": time_s, "beyond_s": 2 * time_s}
        return Hunt(target=target, host=host, seed=seed, time_s=time_s, **patience).run()


def corpus() -> list[Bug]:
    """All of them."""
    entries = tomllib.loads(Path(__file__).with_name("bugs.toml").read_text("utf-8"))["bug"]
    return [Bug(**entry) for entry in entries]
