"""The part `visualizers`: let them draw the samples. Judging ignores failures of visualizers; verify reports them."""

from collections.abc import Sequence
from dataclasses import field

from harness.build.executable import Executable
from harness.errors import HarnessError
from harness.judge.judging import Judging
from harness.judge.prepare import with_limits
from harness.judge.visualizers import Gallery, draw_input
from harness.package import Case, GroupCase, Package, ProblemType, Program
from harness.package.model import is_sample_name
from harness.values import dataclass
from harness.verify.findings import FindingCollector, PartResult, error_line
from harness.verify.setting import JudgedSubmissions

MOST_CASES = 5


def check_visualizers(judged: JudgedSubmissions) -> PartResult:
    """Draw with both visualizers. Failures are only warnings: no verdict depends on a picture."""
    package = judged.setting.package
    if package.input_visualizer is None and package.output_visualizer is None:
        return PartResult(summary="the package has none", skipped=True)
    drawing = _Drawing(judged=judged, cases=_few_cases(package))
    if package.input_visualizer is not None:
        drawing.draw_inputs(package.input_visualizer)
    if package.output_visualizer is not None:
        drawing.draw_outputs(package.output_visualizer)
    pictures = sum(int(row[2]) for row in drawing.rows)
    return drawing.findings.part(
        f"{pictures} pictures drawn of {len(drawing.cases)} cases",
        columns=("visualizer", "case", "pictures", "bytes", "files"),
        rows=tuple(drawing.rows),
    )


def _few_cases(package: Package) -> list[GroupCase]:
    """Return the samples; without any, the first secret cases."""
    cases = package.cases_with_groups()
    samples = [(group, case) for group, case in cases if is_sample_name(case.name)]
    return (samples or cases)[:MOST_CASES]


@dataclass(frozen=True, kw_only=True)
class _Drawing:
    """Draws the cases; collects findings and table rows."""

    judged: JudgedSubmissions
    cases: Sequence[GroupCase]
    findings: FindingCollector = field(default_factory=FindingCollector)
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def draw_inputs(self, program: Program) -> None:
        """Draw the input of each case."""
        setting = self.judged.setting
        visualizer = self._built(program)
        if visualizer is None:
            return
        for _, case in self.cases:
            self._add(case, draw_input(setting.package, setting.host, visualizer, case))

    def draw_outputs(self, program: Program) -> None:
        """Draw what an accepted solution prints for each case."""
        visualizer, solution = self._built(program), self._solution()
        if visualizer is None:
            return
        if solution is None:
            self.findings.note(program.path, "not run: no program here is accepted")
            return
        package = with_limits(self.judged.setting.package, self.judged.widest_s, None)
        judging = Judging(package=package, host=self.judged.setting.host)
        for group, case in self.cases:
            gallery = Gallery(visualizer=visualizer)
            judging.recorded(solution, group, case, gallery)
            self._add(case, gallery)

    def _built(self, program: Program) -> Executable | None:
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
        accepted = {result.path for result in self.judged.accepted_on_all() if result.verdict == "AC"}
        return next((program for program in package.submissions if program.path in accepted), None)

    def _add(self, case: Case, gallery: Gallery) -> None:
        """Add the images of a case to the table; if there are none, add the reason to the findings."""
        name = gallery.visualizer.program.path
        for fault in gallery.faults:
            self.findings.warning(name, f"{fault} (on {case.name})")
        size_bytes = sum(map(len, gallery.images.values()))
        self.rows.append((name, case.name, str(len(gallery.images)), str(size_bytes), ", ".join(gallery.images)))
        self.judged.setting.progress(f"{name} {case.name}")
