"""An input validator that never ends on some invalid input costs little: others are asked first."""

from types import SimpleNamespace
from typing import Any

from harness.check.batch_checks import ManyInputs
from harness.package.model import CaseSettings
from harness.sandbox.facts import KillReason

LOOPS, STRICT = "input_validators/a.cpp", "input_validators/b.py"


def validator(path: str) -> Any:
    return SimpleNamespace(executable=SimpleNamespace(program=SimpleNamespace(path=path)))


def test_the_validator_that_was_stopped_is_asked_last() -> None:
    asked: list[tuple[str, list[bytes]]] = []

    def run(_sandbox: Any, program: Any, calls: Any, _limits: Any) -> list[Any]:
        path, given = program.executable.program.path, [call.stdin for call in calls]
        asked.append((path, given))

        def result(data: bytes) -> Any:
            stopped = path == LOOPS and data == b"1 1\n"
            refused = path == STRICT and data == b"1 1\n"
            return SimpleNamespace(
                killed_for=KillReason.CPU if stopped else None,
                exit_code=None if stopped else 43 if refused else 42,
            )

        return [SimpleNamespace(result=result(data)) for data in given]

    programs: Any = SimpleNamespace(run=run)
    inputs = ManyInputs(
        programs=programs,
        validators=[validator(LOOPS), validator(STRICT)],
        limits=SimpleNamespace(),  # type: ignore[arg-type]
    )
    sandbox: Any = None
    for _ in range(2):
        assert inputs.accepted(sandbox, [b"1 1\n", b"1 2\n"], CaseSettings()) == [False, True]
    assert asked == [
        (LOOPS, [b"1 1\n", b"1 2\n"]),
        (STRICT, [b"1 2\n"]),
        (STRICT, [b"1 1\n", b"1 2\n"]),
        (LOOPS, [b"1 2\n"]),
    ]
