"""What samples show of graphs by chance is taken back where the input validators let it go."""

from collections.abc import Sequence

from harness.search.learn import drop_graph_rules
from harness.shapes import read_shape
from harness.shapes.graphs import components, is_acyclic
from harness.shapes.kinds import Array, Edges

GUESS = "n: 1..30 m: 0..60; graph(n, m, connected, simple, rising)"


def graph_of(valid: object) -> Edges:
    [_, _, graph] = drop_graph_rules(read_shape(GUESS), valid).block.items  # type: ignore[arg-type]
    assert isinstance(graph, Edges)
    return graph


def _edges(data: bytes) -> tuple[int, list[tuple[int, int]]]:
    first, *lines = data.decode().splitlines()
    return int(first.split()[0]), [(int(one), int(other)) for one, other in (line.split() for line in lines)]


def test_what_the_validator_lets_go_is_taken_back() -> None:
    graph = graph_of(lambda inputs: [True] * len(inputs))
    assert not (graph.connected or graph.rising or graph.simple or graph.acyclic or graph.loopless)


def test_what_the_validator_asks_for_stays() -> None:
    def valid(inputs: Sequence[bytes]) -> list[bool]:
        """Edges rise, none is a loop, but the graph may fall apart."""
        return [all(one < other for one, other in _edges(data)[1]) for data in inputs]

    graph = graph_of(valid)
    assert graph.rising and not graph.connected


def test_a_graph_without_a_way_back_need_not_have_edges_that_rise() -> None:
    graph = graph_of(lambda inputs: [is_acyclic(_edges(data)[1]) for data in inputs])
    assert graph.acyclic and not (graph.rising or graph.simple or graph.connected)


def test_edges_that_may_come_twice_need_no_loops() -> None:
    graph = graph_of(lambda inputs: [all(one != other for one, other in _edges(data)[1]) for data in inputs])
    assert graph.loopless and not (graph.acyclic or graph.simple)


def order_of(valid: object) -> str:
    [_, array] = drop_graph_rules(read_shape("n: 2..9; rising(n * (0..20))"), valid).block.items  # type: ignore[arg-type]
    assert isinstance(array, Array)
    return array.order


def _numbers(data: bytes) -> list[int]:
    return list(map(int, data.split()[1:]))


def test_an_order_is_taken_back_as_far_as_the_validator_lets_it_go() -> None:
    assert order_of(lambda inputs: [True] * len(inputs)) == ""
    assert order_of(lambda inputs: [sorted(_numbers(data)) == _numbers(data) for data in inputs]) == "sorted"
    assert (
        order_of(lambda inputs: [len(set(_numbers(data))) == len(_numbers(data)) for data in inputs]) == "distinct"
    )
    assert order_of(lambda inputs: [False] * len(inputs)) == "rising"


def test_a_graph_that_must_hang_together_does() -> None:
    graph = graph_of(lambda inputs: [components(*_edges(data), base=1) <= 1 for data in inputs])
    assert graph.connected and not graph.rising
