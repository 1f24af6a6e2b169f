"""A report in which every text that comes from outside is out for trouble."""

from harness.results.model import (
    CaseResult,
    CaseText,
    KeptLine,
    LinePair,
    Machine,
    Outcome,
    OutputDifference,
    Report,
    SubmissionResult,
)
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Isolation, Tier

NASTY = (
    "]]></failure>&amp;<script>alert(1)</script>\x00\x01\x08\x0b\x1b[31m\ud800\ufffe\uffff\u2028 \r\n"
    "::error::injected\n##[error]injected\n::set-output name=x::y\n%0A::warning::z\n"
    "```\n# heading @everyone | a | b | ![x](http://e.vil) <img src=x onerror=alert(1)> {{ 7*7 }}\n"
)
NAME = "a,b:c%<b>|`@x`\n::error::.py"
LINE = KeptLine(text=NASTY, start=7, cut=True)
CASE = CaseResult(
    name="sample/" + NAME,
    group="sample",
    verdict=Verdict.WRONG_ANSWER,
    reason=Reason.VALIDATOR,
    cpu_s=0.25,
    wall_s=0.5,
    memory_bytes=1 << 22,
    exit_code=0,
    message=NASTY,
    output=NASTY,
    difference=OutputDifference(
        first=1,
        rows=(LinePair(number=1, expected=LINE, printed=LINE, same=False),),
        expected_lines=1,
        printed_lines=2,
    ),
    stderr=NASTY,
)


def submission(path: str = NAME, message: str = "", **changed: object) -> SubmissionResult:
    values: dict[str, object] = {
        "verdict": Verdict.WRONG_ANSWER,
        "cases": (CASE,),
        "outcome": Outcome.NOT_AS_ASKED,
    }
    return SubmissionResult(path=path, language="cpp", message=message, **{**values, **changed})  # type: ignore[arg-type]


def report(*submissions: SubmissionResult) -> Report:
    compile_error = submission("ce.cpp", NASTY, verdict=Verdict.COMPILE_ERROR, cases=())
    return Report(
        problem="double",
        title=NASTY,
        time_limit_s=1.0,
        memory_limit_mib=256,
        isolation=Isolation(tier=Tier.NAMESPACED),
        machine=Machine(
            system="x", processor="<i>", cores=2, python="3", calibration_integer_s=None, calibration_memory_s=None
        ),
        submissions=submissions or (submission(), compile_error),
        shown=(CaseText(name=CASE.name, input=NASTY, answer=NASTY, input_bytes=9, answer_bytes=9),),
    )
