"""Output validator of `deadlock`: a single false `dead` rejects; else the score is the share of dead positions found.

The answer holds the truth, a word for each position: `dead`, or `unknown` where the position can be solved. The data
has both in every case; an input of one's own without a dead position is worth everything to whoever calls none dead.
"""

from judgelib import JudgeAnswer, TeamOutput, run_output_validator

MAX_POSITIONS = int("{{max_positions}}")
WORDS = (b"dead", b"unknown")


def check(case: JudgeAnswer, answer: JudgeAnswer, output: TeamOutput) -> float:
    """The share of the dead positions that the output calls dead."""
    positions = case.integer("T", 1, MAX_POSITIONS)
    truth = read_words(answer, positions)
    said = read_words(output, positions)
    for number in range(positions):
        if said[number] == b"dead" and truth[number] != b"dead":
            output.fail("position %d can be solved, and is called dead" % (number + 1))
    dead = truth.count(b"dead")
    return said.count(b"dead") / dead if dead else 1.0


def read_words(stream, positions):
    """One word for each position, and nothing else."""
    words = [stream.choice("position %d" % number, WORDS) for number in range(1, positions + 1)]
    stream.end()
    return words


if __name__ == "__main__":
    run_output_validator(check)
