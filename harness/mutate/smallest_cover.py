"""The smallest set of cases that keeps every kill: exact where that is quick, else greedy."""

from collections.abc import Mapping
from dataclasses import field

from harness.values import dataclass

MOST_NODES = 200_000

Kills = Mapping[str, frozenset[str]]  # by case: whom it kills


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Cases that together kill whatever all cases kill. exact: no smaller set does."""

    cases: tuple[str, ...]
    exact: bool


def smallest_cover(kills: Kills) -> Cover:
    """A smallest set of cases that keeps every kill; a greedy one when looking for it takes too long."""
    everyone = frozenset[str]().union(*kills.values()) if kills else frozenset[str]()
    greedy = _greedy(kills, everyone)
    search = _Search(kills=_without_dominated(kills), best=greedy)
    search.descend((), everyone)
    return Cover(cases=tuple(sorted(search.best)), exact=search.nodes <= MOST_NODES)


def _greedy(kills: Kills, everyone: frozenset[str]) -> tuple[str, ...]:
    chosen: list[str] = []
    left = everyone
    while left:
        case = min(kills, key=lambda name: (-len(kills[name] & left), name))
        chosen.append(case)
        left -= kills[case]
    return tuple(chosen)


def _without_dominated(kills: Kills) -> dict[str, frozenset[str]]:
    """Without cases that kill nobody whom one other case does not kill, too."""
    kept: dict[str, frozenset[str]] = {}
    for name, killed in sorted(kills.items(), key=lambda item: (-len(item[1]), item[0])):
        if killed and not any(killed <= other for other in kept.values()):
            kept[name] = killed
    return kept


@dataclass(kw_only=True)
class _Search:
    """Branch and bound: whoever is hardest to kill decides which cases are tried."""

    kills: Kills
    best: tuple[str, ...]
    nodes: int = 0
    killers: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.killers = {}
        for case, killed in self.kills.items():
            for one in killed:
                self.killers.setdefault(one, []).append(case)

    def descend(self, chosen: tuple[str, ...], left: frozenset[str]) -> None:
        """Find a smaller set that begins with `chosen`, when `left` are still alive."""
        self.nodes += 1
        if not left:
            self.best = min(self.best, chosen, key=len)
            return
        if self.nodes > MOST_NODES or len(chosen) + self._at_least(left) >= len(self.best):
            return
        hardest = min(left, key=lambda one: (len(self.killers[one]), one))
        for case in sorted(self.killers[hardest], key=lambda name: (-len(self.kills[name] & left), name)):
            self.descend((*chosen, case), left - self.kills[case])

    def _at_least(self, left: frozenset[str]) -> int:
        """How many more cases are needed at least: so many of those left share no killer."""
        count, used = 0, set[str]()
        for one in sorted(left, key=lambda name: (len(self.killers[name]), name)):
            if used.isdisjoint(self.killers[one]):
                used.update(self.killers[one])
                count += 1
        return count
