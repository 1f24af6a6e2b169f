"""Guessed shapes of packages: which share of the drawn inputs their own validators accept, as guessed and as learnt.

    python bench/world/valid_draws.py FOLDER [--sample 60] [--seed 7]

FOLDER holds checked-out repositories of packages; nothing is fetched. Secret data and generators are hidden. One
worker.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from random import Random

from packages import packages_in
from run import hidden

from harness.build.languages import load_table
from harness.errors import HarnessError
from harness.host.host import Host, open_host
from harness.host.run_many import Programs
from harness.package.load import load
from harness.sandbox.facts import Sandbox
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.search.build_programs import build, guarded
from harness.search.evaluate import Evaluator
from harness.search.learn_rules import draws
from harness.search.preparation import Preparation
from harness.search.target import target_of
from harness.shapes import Shape

DRAWS = 60
LEARNING_S = 8.0
MOST_S = 60.0


def shares(host: Host, root: Path) -> tuple[float, float] | None:
    """The shares of valid draws, as guessed and as learnt; None where there is no validator, program or guess."""
    package = load(root, built=False)
    if not package.accepted or not package.input_validators:
        return None
    target = target_of(package, package.accepted[0])
    built = build(target, host)
    target = guarded(target, built)
    if not target.guessed or target.shape is None:
        return None
    with Programs(host=host) as programs:
        evaluator = Evaluator(target=target, programs=programs, built=built)
        programs.deadline_s = time.monotonic() + MOST_S

        def share(sandbox: Sandbox, shape: Shape) -> float:
            return sum(evaluator.accepted(sandbox, list(draws(shape, DRAWS)))) / DRAWS

        learnt = Preparation(evaluator=evaluator, pool=host.pool).learn_rules(target.shape, LEARNING_S)
        return host.pool.alone(share, target.shape), host.pool.alone(share, learnt)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    roots = packages_in(options.folder)
    Random(options.seed).shuffle(roots)
    known = []
    for root in roots[: options.sample]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)
            try:
                with open_host(
                    open_sandboxes(IsolationMode.AUTO, 1),
                    table=load_table(()),
                    search_path=os.environ["PATH"],
                    cache=folder / "cache",
                    as_other_user=os.geteuid() == 0,
                ) as host:
                    found = shares(host, hidden(root, folder))
            except HarnessError as error:
                print(f"{root.name}: left out, {str(error).splitlines()[0][:100]}", flush=True)
                continue
        if found is not None:
            known.append(found)
            print(f"{root.name}: {found[0]:.2f} as guessed, {found[1]:.2f} as learnt", flush=True)
    for place, word in enumerate(("as guessed", "as learnt")):
        parts = [each[place] for each in known]
        print(
            f"{word}: median {statistics.median(parts):.2f}, at least a half in {sum(part >= 0.5 for part in parts)} "
            f"of {len(parts)}"
        )


if __name__ == "__main__":
    main()
