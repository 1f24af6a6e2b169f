"""What editors and CI read: one line for each finding, annotations, JUnit of every command."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hostile import report

from harness.report import diagnostics, verification
from harness.report.diagnostics import Diagnostic, Severity, short_line, workflow_commands
from harness.report.junit import junit_xml
from harness.results.model import Asked, CaseResult, SubmissionResult
from harness.results.verdict import Reason, Verdict
from harness.rules.outcomes import with_outcome
from harness.verify.findings import Finding, Level, PartResult, Verification

WRONG = SubmissionResult(
    path="a.py",
    language="python3",
    verdict=Verdict.WRONG_ANSWER,
    cases=(
        CaseResult(
            name="sample/1",
            group="sample",
            verdict=Verdict.WRONG_ANSWER,
            reason=Reason.VALIDATOR,
            message="7, not 6",
        ),
    ),
)


def lines_of(submission: SubmissionResult, origin: Path = Path("work/a.py")) -> list[str]:
    judged = report(with_outcome(submission, Asked(require=(Verdict.ACCEPTED,))))
    return [short_line(each) for each in diagnostics.of_judging(judged, {"a.py": origin})]


def test_a_wrong_answer_is_a_line_about_the_file_that_was_judged() -> None:
    assert lines_of(WRONG) == ["work/a.py:1:1: error: wrong answer on sample/1: 7, not 6"]
    assert lines_of(replace(WRONG, verdict=Verdict.ACCEPTED)) == []


def test_a_crash_is_a_line_at_the_place_in_the_program() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nValueError: no\n'
    case = CaseResult(
        name="sample/1",
        group="sample",
        verdict=Verdict.RUN_TIME_ERROR,
        reason=Reason.EXIT_CODE,
        exit_code=1,
        message=trace,
    )
    [line] = lines_of(replace(WRONG, verdict=Verdict.RUN_TIME_ERROR, cases=(case,)))
    assert line.startswith("work/a.py:3:1: error: run time error on sample/1: exit code 1: ValueError: no")


def test_the_compiler_s_errors_keep_their_lines_and_columns_in_a_folder_too(tmp_path: Path) -> None:
    message = "main.cpp: In function 'int main()':\nmain.cpp:4:12: error: 'x' was not declared\nb.h:2: error: no"
    broken = replace(WRONG, verdict=Verdict.COMPILE_ERROR, cases=(), message=message)
    assert lines_of(broken) == [
        "work/a.py:4:12: error: 'x' was not declared",
        "work/a.py:2:1: error: no",
    ]
    assert lines_of(broken, tmp_path)[0].startswith(f"{tmp_path}/main.cpp:4:12: ")
    assert lines_of(replace(broken, message="killed")) == ["work/a.py:1:1: error: killed"]


def test_an_error_of_syntax_in_python_keeps_its_line() -> None:
    message = 'File "a.py", line 7\n    def f(:\n          ^\nSyntaxError: invalid syntax'
    broken = replace(WRONG, verdict=Verdict.COMPILE_ERROR, cases=(), message=message)
    assert lines_of(broken) == ["work/a.py:7:1: error: SyntaxError: invalid syntax"]


@pytest.mark.parametrize("text", ["two\nlines", "\x1b[2J", "::error::x", "a" * 5000])
def test_hostile_text_stays_in_its_line_and_no_annotation_is_a_command(text: str) -> None:
    diagnostic = Diagnostic(path=f"a{text}.py", severity=Severity.ERROR, text=text, title=text)
    line = short_line(diagnostic)
    assert "\n" not in line and "\x1b" not in line and len(line) < 1300
    [command, _] = workflow_commands([diagnostic], "notice")
    assert command.startswith("::error file=") and "\n" not in command
    assert command.count("::") == 2 or "::error::x" in text


def test_findings_of_verify_name_their_files_and_are_tests(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "1.in").touch()
    findings = (
        Finding(level=Level.ERROR, subject="1, 2", message="is refused"),
        Finding(level=Level.WARNING, subject="problem.yaml:3", message="no licence"),
        Finding(level=Level.NOTE, subject="x", message="a note"),
    )
    parts = (
        PartResult(part="inputs", summary="2 inputs", findings=findings),
        PartResult(part="time", summary="", skipped=True),
    )
    found = Verification(problem="double", title="", tier="T3", parts=parts)
    (tmp_path / "problem.yaml").touch()
    lines = [short_line(each) for each in verification.diagnostics(found, tmp_path, strict=False, notes=False)]
    assert lines == [
        f"{tmp_path}/data/1.in:1:1: error: inputs: 1, 2: is refused",
        f"{tmp_path}/problem.yaml:3:1: warning: inputs: problem.yaml:3: no licence",
    ]
    twice = replace(found, parts=(parts[0], replace(parts[0], part="answers")))
    once = [short_line(each) for each in verification.diagnostics(twice, tmp_path, strict=False, notes=False)]
    assert once == [line.replace(" inputs: ", " inputs, answers: ") for line in lines]
    assert "(1 error, 1 warning, 1 note;" in verification.conclusion(twice, strict=False).plain
    suites = list(ElementTree.fromstring(junit_xml(verification.suites(found, strict=True))))
    assert [(suite.get("failures"), suite.get("skipped")) for suite in suites] == [("2", "0"), ("0", "1")]
