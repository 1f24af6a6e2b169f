"""Try the judge on every machine of machines.py and write the table "Where it was tried" of docs/sandbox.md.

cd tests && ../.venv/bin/python -m tiers.where_tried        as root, five minutes; root can try both users
"""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping

from harness.sandbox.launcher import launcher_binary
from tiers.machines import REPOSITORY, Laboratory, Machine, kernel_abi, laboratory, machines, missing
from tiers.test_tiers import CHECKED, GAME, verdicts

PAGE = REPOSITORY / "docs" / "sandbox.md"
BEGIN, END = "<!-- where it was tried: written by tests/tiers/where_tried.py -->\n", "<!-- end -->\n"
KERNELS = {
    0: "before 5.13, or Landlock off", 1: "5.13 to 5.18", 2: "5.19 to 6.1 (Debian 12)", 3: "6.2 to 6.6",
    4: "6.7 to 6.9 (Ubuntu 24.04)", 5: "6.10, 6.11", 6: "6.12 to 6.14 (Debian 13)", 7: "from 6.15",
}  # fmt: skip
CONTAINERS = {
    "-": "no container",
    "namespaces": "namespaces refused",
    "namespaces,listener": "also a listener of its own",
}
GAMES = ("accepted/guess.cpp", "accepted/guess.py", "time_limit_exceeded/silent.py", "wrong_answer/counts.py")
ANSWERS = (
    "accepted/sum.cpp",
    "accepted/sum.py",
    "accepted/Sum.java",
    "run_time_error/ends_itself.py",
    "wrong_answer/off.py",
)
OTHERS = (
    "Docker, Podman, LXC, gVisor and WSL themselves (a container is emulated by what its seccomp filter refuses)",
    "AppArmor's limit on user namespaces (Ubuntu 24.04), SELinux",
    "older kernels themselves (their Landlock is emulated; all else is that of the kernel named below)",
    "aarch64",
)


def tried(lab: Laboratory, machine: Machine) -> str:
    """What the cell of a machine says."""
    if missing(machine):
        return "not tried"
    try:
        right = verdicts(lab, machine, "game", *GAMES) == {one: GAME[one] for one in GAMES}
        if "listener" not in machine.refused:
            right &= verdicts(lab, machine, "checked", *ANSWERS) == {one: CHECKED[one] for one in ANSWERS}
    except (AssertionError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        right = False
    how = "tried" if machine.refused == "-" and machine.abi == kernel_abi() else "emulated"
    return f"{machine.tier} {how}" if right else f"{machine.tier} **fails**"


def table(found: Mapping[tuple[int, str, bool], str]) -> str:
    """The section's text. found: cells by ABI, what the container refuses, and whether root judges."""
    columns = [(refused, root) for refused in CONTAINERS for root in (False, True)]
    head = [f"{CONTAINERS[refused]}, {'root' if root else 'ordinary user'}" for refused, root in columns]
    lines = ["| Landlock ABI | Linux | " + " | ".join(head) + " |", "| --- " * (2 + len(columns)) + "|"]
    for abi, kernel in KERNELS.items():
        cells = [found.get((abi, refused, root), "not tried") for refused, root in columns]
        lines.append(f"| {abi} | {kernel} | " + " | ".join(cells) + " |")
    here = (
        f"Linux {platform.release().partition('-')[0]}, {platform.machine()}, Python {platform.python_version()}"
    )
    lines += [
        "",
        *(f"- Not tried: {one}." for one in OTHERS),
        "",
        f"Written on {here}, with {launcher_binary().name}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    if os.geteuid() != 0:
        sys.exit("only root can try both users")
    found = {}
    with laboratory() as lab:
        for machine in machines():
            found[machine.abi, machine.refused, machine.root] = tried(lab, machine)
            print(machine, found[machine.abi, machine.refused, machine.root], flush=True)
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + table(found) + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()
