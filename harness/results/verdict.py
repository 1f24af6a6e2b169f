"""The verdicts, and the table that maps them to other vocabularies."""

import enum


class Verdict(enum.StrEnum):
    """The verdict of a case, a group or a submission. The value is the code used in every report."""

    ACCEPTED = "AC"
    WRONG_ANSWER = "WA"
    TIME_LIMIT_EXCEEDED = "TLE"
    RUN_TIME_ERROR = "RTE"
    MEMORY_LIMIT_EXCEEDED = "MLE"
    OUTPUT_LIMIT_EXCEEDED = "OLE"
    COMPILE_ERROR = "CE"
    JUDGE_ERROR = "JE"
    SKIPPED = "SK"

    @property
    def words(self) -> str:
        """The verdict in words, for people."""
        return self.name.replace("_", " ").capitalize()


class Reason(enum.StrEnum):
    """The reason of a verdict, for machines; the report words it."""

    CPU_TIME = "cpu_time"
    WALL_TIME = "wall_time"
    IDLE = "idle"
    MEMORY = "memory"
    OUTPUT = "output"
    EXIT_CODE = "exit_code"
    SIGNAL = "signal"
    VALIDATOR = "validator"
    INTERRUPTED = "interrupted"


# submissions.yaml has AC, WA, TLE and RTE only (2025-09, "submissions.yaml"): exceeding the memory or output limit is a
# run-time error. CE and JE satisfy no rule.
PACKAGE_FORMAT_CODE = {
    Verdict.ACCEPTED: "AC",
    Verdict.WRONG_ANSWER: "WA",
    Verdict.TIME_LIMIT_EXCEEDED: "TLE",
    Verdict.RUN_TIME_ERROR: "RTE",
    Verdict.MEMORY_LIMIT_EXCEEDED: "RTE",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "RTE",
}
