"""The plot of how a program's time grows."""

from xml.etree import ElementTree

from harness.report.growth_plot import growth_plot, growth_words
from harness.search.time_fit import Fit, Point, fitted

SVG = "{http://www.w3.org/2000/svg}"
ENDED = [Point(size=size, cpu_s=size**2 * 1e-6, reference_s=0.001) for size in (100, 200, 400, 800)]
STOPPED = Point(size=1600, cpu_s=1.5, stopped=True)


def drawn(*points: Point, program: str = "my.cpp", inputs: str = "on all of them") -> ElementTree.Element:
    return ElementTree.fromstring(growth_plot(points, fitted(points), 1.0, program=program, inputs=inputs))


def test_names_are_text_and_printable() -> None:
    root = drawn(*ENDED, program="<script>&")
    assert root.tag == f"{SVG}svg"
    assert any(element.text == "<script>&" for element in root.iter())
    assert drawn(*ENDED, program="\x1b[31m\x00.cpp").tag == f"{SVG}svg"  # neither may stand in XML


def test_a_run_that_was_stopped_is_another_mark_than_one_that_ended() -> None:
    texts = [element.text for element in drawn(*ENDED, STOPPED).iter(f"{SVG}text")]
    assert "stopped there" in texts
    assert "stopped there" not in [element.text for element in drawn(*ENDED).iter(f"{SVG}text")]
    marks = [root.findall(f"{SVG}circle") for root in (drawn(*ENDED), drawn(*ENDED, STOPPED))]
    assert len(marks[0]) == len(marks[1])  # of those that ended, the reference's, two of the legend


def test_a_single_point_has_a_plot_too() -> None:
    assert drawn(Point(size=0, cpu_s=0.0)).findall(f"{SVG}circle")


def test_a_long_title_keeps_its_beginning_and_its_end() -> None:
    [title] = [
        one.text for one in drawn(*ENDED, inputs="a" * 500 + "z").iter(f"{SVG}text") if "aaa" in str(one.text)
    ]
    assert title is not None
    assert len(title) < 100
    assert title.endswith("z")


def test_everything_stays_within_the_picture() -> None:
    root = drawn(*ENDED, STOPPED)
    for one in root.findall(f"{SVG}circle"):
        assert 0 < float(one.attrib["cx"]) < 640
        assert 0 < float(one.attrib["cy"]) < 420


def test_an_exponent_that_falls_is_no_growth() -> None:
    assert growth_words(Fit(exponent=1.83, factor=1.0)) == "grows as size^1.83"
    assert growth_words(Fit(exponent=-0.74, factor=1.0)) == "larger inputs of this kind are not slower"
