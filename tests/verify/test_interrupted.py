"""Verifying that somebody stops: what was found so far is not lost."""

import pytest
from click.testing import CliRunner

from conftest import PackageMaker
from harness.cli import verify as command_module
from harness.verify.findings import Finding, Level, PartResult, Verification
from harness.verify.run import Verifier


class StoppedAfterOnePart(Verifier):
    def run(self, parts: object) -> Verification:
        finding = Finding(level=Level.WARNING, subject="double", message="its name is short")
        self.observer.end(PartResult(part="package", summary="looked at", findings=(finding,)))
        raise KeyboardInterrupt


def test_stopped_verify_says_what_it_has_found(monkeypatch: pytest.MonkeyPatch, double_with: PackageMaker) -> None:
    monkeypatch.setattr(command_module, "Verifier", StoppedAfterOnePart)
    result = CliRunner().invoke(command_module.command, [str(double_with({})), "--jobs", "1"])
    assert "warning package: double: its name is short" in result.output
    assert result.exit_code != 0
