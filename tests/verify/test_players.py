"""An interactor that accepts a player of junk, or fails on it, is an error of `verify`."""

from pathlib import Path

import pytest

from conftest import write_files
from harness.host.host import Host
from harness.package.template import template_files
from harness.verify.findings import Finding
from harness.verify.run import Verifier

# Says the number, and hears its double.
FAIR = """import re, sys
print(open(sys.argv[1]).read().strip(), flush=True)
heard = sys.stdin.buffer.readline().strip()
right = re.fullmatch(rb"[0-9]{1,9}", heard) is not None and int(heard) == 2 * int(open(sys.argv[1]).read())
sys.exit(42 if right else 43)
"""
INTERACTORS = {
    "fair": (FAIR, []),
    "trusting": (
        FAIR.replace("right =", "right = not heard or "),
        ["accepts", "a player that ends at once, or prints empty lines"],
    ),
    "careless": (
        FAIR.replace("right =", "right = int(heard) + 1 and "),
        ["fails on", "or prints words", "ValueError: "],
    ),
    "blind": (
        "import sys\nsys.exit(42)\n",
        ["accepts", "ends at once", "prints words", "prints a megabyte of lines"],
    ),
}


def found_in(
    interactor: str,
    root: Path,
    host: Host,
    *,
    options: str = "",
    dialogue: str = "",
    dialogues: str = "0 dialogues",
    limit: str = "time_limit: 1.0",
) -> list[Finding]:
    files = template_files(title="Kittens", identity="1f5f7c1e-6f0c-4a3e-9a54-0b7c1d2e3f40")
    shown = {"data/sample/1.interaction": dialogue} if dialogue else {}
    manifest = files["problem.yaml"].replace("type: pass-fail", f"type: interactive\n{options}")
    manifest = manifest.replace("time_limit: 1.0", limit)
    files |= {"problem.yaml": manifest, "output_validator/talk.py": interactor, **shown}
    write_files(root / "kittens", files)
    [part] = Verifier(root=root / "kittens", host=host, cache=root / "cache").run(["outputs"]).parts
    assert part.summary.startswith(f"7 players that print junk, on 2 cases; {dialogues} of samples")
    return list(part.findings)


@pytest.mark.parametrize("name", INTERACTORS)
def test_an_interactor_must_refuse_junk_and_may_not_fail_on_it(name: str, tmp_path: Path, host: Host) -> None:
    interactor, words = INTERACTORS[name]
    found = found_in(interactor, tmp_path, host)
    assert [finding.level for finding in found] == ["error"] * bool(words)
    assert all(word in finding.message for finding in found for word in words)


def test_the_players_are_played_where_their_language_is_not_allowed(tmp_path: Path, host: Host) -> None:
    [finding] = found_in(INTERACTORS["blind"][0], tmp_path, host, options="languages: [cpp]\n")
    assert "ends at once" in finding.message


@pytest.mark.parametrize(
    ("dialogue", "words"),
    [("<3\n>6\n", ""), ("<4\n>6\n", "line 1 of the dialogue is `4`, the judge says `3`"), ("<3\n>7\n", "(WA)")],
)
def test_dialogues_of_samples_are_repeated(dialogue: str, words: str, tmp_path: Path, host: Host) -> None:
    found = found_in(FAIR, tmp_path, host, dialogue=dialogue, dialogues="1 dialogue")
    assert [finding.level for finding in found] == ["note"] * bool(words)
    assert all(words in finding.message for finding in found)


def test_without_a_stated_limit_games_are_played_all_the_same(tmp_path: Path, host: Host) -> None:
    found = found_in(FAIR, tmp_path, host, dialogue="<3\n>6\n", dialogues="1 dialogue", limit="")
    assert not found
