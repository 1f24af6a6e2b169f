"""Judges one submission on one case of a package."""

from dataclasses import dataclass

from harness.build import Executable
from harness.judge.case_run import Trial
from harness.judge.context import Setting
from harness.judge.submitted_answers import Answers
from harness.package import Case, Group
from harness.results.model import CaseResult
from harness.sandbox import Sandbox


@dataclass(frozen=True, kw_only=True)
class CaseJudge(Setting):
    """Judges any case, from any worker."""

    def judge(self, sandbox: Sandbox, submission: Executable | Answers, group: Group, case: Case) -> CaseResult:
        """Run and judge; a judge program's failure becomes the verdict JE."""
        with self.host.work_folder(sandbox) as work:
            trial = Trial(setting=self, sandbox=sandbox, submission=submission, group=group, case=case, work=work)
            return trial.result()
