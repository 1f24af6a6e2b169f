"""Input and output visualizers: each draws the samples. A judge passes over one that fails: nobody else would tell."""

from collections.abc import Iterator, Sequence
from dataclasses import field

from harness.build import Executable
from harness.errors import HarnessError
from harness.judge import Gallery, Judging, draw_input
from harness.package import Case, Group, Package, ProblemType, Program
from harness.values import dataclass
from harness.verify.findings import Findings, PartResult, error_line
from harness.verify.judged_submissions import Judged, with_limit

MOST_CASES = 5


def check_visualizers(judged: Judged) -> PartResult:
    """The part `visualizers`. One that draws nothing is a warning: verdicts do not come from it."""
    package = judged.setting.package
    if package.input_visualizer is None and package.output_visualizer is None:
        return PartResult(part="visualizers", summary="the package has none", skipped=True)
    drawing = _Drawing(judged=judged, cases=tuple(_few(package)))
    drawing.inputs(package.input_visualizer)
    drawing.outputs(package.output_visualizer)
    pictures = sum(int(row[2]) for row in drawing.rows)
    return PartResult(
        part="visualizers",
        summary=f"{pictures} pictures drawn of {len(drawing.cases)} cases",
        findings=drawing.findings.result(),
        columns=("visualizer", "case", "pictures", "bytes", "files"),
        rows=tuple(drawing.rows),
    )


def _few(package: Package) -> Iterator[tuple[Group, Case]]:
    """The samples; without any, the first secret cases."""
    chosen = package.sample if any(package.sample.all_cases()) else package.secret
    found = [(group, case) for group in chosen.holders() for case in group.cases]
    yield from found[:MOST_CASES]


@dataclass(frozen=True, kw_only=True)
class _Drawing:
    judged: Judged
    cases: Sequence[tuple[Group, Case]]
    findings: Findings = field(default_factory=Findings)
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def inputs(self, program: Program | None) -> None:
        """Draw each case's input."""
        setting = self.judged.setting
        visualizer = self._built(program)
        if visualizer is None:
            return
        for _, case in self.cases:
            self._tell(case, draw_input(setting.package, setting.host, visualizer, case))

    def outputs(self, program: Program | None) -> None:
        """Draw what an accepted solution says to each case."""
        visualizer = self._built(program)
        if visualizer is None:
            return
        solution = self._solution()
        if solution is None:
            self.findings.note(_name(visualizer), "not run: no program here is accepted")
            return
        package = with_limit(self.judged.setting.package, self.judged.widest_s)
        judging = Judging(package=package, host=self.judged.setting.host)
        for group, case in self.cases:
            gallery = Gallery(visualizer=visualizer)
            judging.recorded(solution, group, case, gallery)
            self._tell(case, gallery)

    def _built(self, program: Program | None) -> Executable | None:
        if program is None:
            return None
        setting = self.judged.setting
        try:
            [built] = setting.host.build_judge_programs([program], setting.package.limits)
        except HarnessError as error:
            self.findings.warning(program.path, f"cannot be built, so nothing is drawn: {error_line(str(error))}")
            return None
        return built

    def _solution(self) -> Program | None:
        package = self.judged.setting.package
        if ProblemType.SUBMIT_ANSWER in package.types:
            return None
        accepted = {one.path for one in self.judged.accepted_on_all() if one.verdict == "AC"}
        return next((one for one in package.submissions if one.path in accepted), None)

    def _tell(self, case: Case, gallery: Gallery) -> None:
        name = _name(gallery.visualizer)
        for fault in gallery.faults:
            self.findings.warning(name, f"{fault} (on {case.name})")
        size = sum(map(len, gallery.images.values()))
        self.rows.append((name, case.name, str(len(gallery.images)), str(size), ", ".join(gallery.images)))
        self.judged.setting.progress(f"{name} {case.name}")


def _name(visualizer: Executable) -> str:
    return visualizer.program.path
