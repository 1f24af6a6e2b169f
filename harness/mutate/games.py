"""Plays mutants on new inputs of interactive and multi-pass problems: every game is a plain judged run.

No process can play many games, so the search is of hundreds of inputs where comparing.py's is of many thousands.
"""

from collections.abc import Iterator, Sequence

from harness.mutate.building import Schemata
from harness.mutate.candidate_inputs import Arena
from harness.mutate.compare import Comparison
from harness.mutate.corpus import Corpus
from harness.sandbox import Sandbox
from harness.values import dataclass

GAMES = 300  # of each mutant


@dataclass(frozen=True, kw_only=True)
class Playing:
    """Plays the mutants of one solution until each has lost where the original wins."""

    arena: Arena
    schemata: Schemata
    corpus: Corpus

    def each(self, numbers: Sequence[int]) -> Iterator[Comparison]:
        """The outcomes, as they come."""
        for _, outcome in self.arena.host.pool.each(self._play, numbers):
            yield outcome

    def _play(self, sandbox: Sandbox, number: int) -> Comparison:
        for place, data in enumerate(self.corpus.inputs):
            if self._loses(sandbox, number, data) and self.arena.is_valid(sandbox, data):
                return Comparison(number=number, searched=place, killer=data)
        return Comparison(number=number, searched=len(self.corpus.inputs))

    def _loses(self, sandbox: Sandbox, number: int, data: bytes) -> bool:
        """Twice, for an interactor may play by chance, and a busy machine may keep everybody waiting."""
        original, mutant = self.schemata.as_mutant(0), self.schemata.as_mutant(number)
        return all(self.arena.tells_apart(sandbox, original, mutant, data) for _ in range(2))
