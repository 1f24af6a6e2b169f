"""Of `bridgit`: which doors the contestant must answer."""

from board import BOTTOM, TOP


class Threats:
    """What the contestant would have to answer, were a door closed; for one position that is lost for the king.

    A closed door counts in both forests, so its twin wants a place in the forest where it is not, and thereby the
    places of the doors between its ends there, which want others in turn. If none of them finds room for itself, and
    one would do so by joining TOP and BOTTOM, which both forests keep apart, then all of them are answers: the king
    would join them by his next move. Sets are the bits of a number: the doors, then the posts that are roots.
    """

    def __init__(self, forests):
        where, ends, tight = forests.where, forests.ends, forests.exactly_tight()
        bits = [1 << edge for edge in range(len(where))]
        for edge in tight:
            bits[edge] = 0
        ways = [forests.ways_to_roots(1 - home, bits) for home in (0, 1)]
        self._doors, self._threat = (1 << len(bits)) - 1, (1 << TOP | 1 << BOTTOM) << len(bits)
        self._known = {}
        self._wants = {
            edge: ways[home][ends[edge][0]] ^ ways[home][ends[edge][1]]
            for edge, home in enumerate(where)
            if home <= 1 and bits[edge]
        }

    def answers(self, door):
        """The doors, as bits, of which the contestant must fix one if this one is closed; 0: there is no threat."""
        if door not in self._wants:
            return 0
        if door not in self._known:
            self._known[door] = self._wanted_by(door)
        wanted = self._known[door]
        return (wanted & self._doors) ^ (1 << door) if wanted & ~self._doors == self._threat else 0

    def _wanted_by(self, door):
        """All that the twin of a door wants, and others in turn; at least one root too many if there is room."""
        wants, known, doors = self._wants, self._known, self._doors
        room = (doors + 1) << (BOTTOM + 1)
        wanted = fresh = 1 << door
        while fresh and wanted < room:
            edge = fresh.bit_length() - 1
            if edge in known:
                more = known[edge]
                wanted |= more
                fresh &= ~more
            else:
                more = wants[edge] & ~wanted
                wanted |= more
                fresh ^= 1 << edge | (more & doors)
        return wanted
