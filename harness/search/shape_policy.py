"""All tuned numbers for guessing and learning shapes, as those of a search in harness.search.policy."""

from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class _Guess:
    """Guessing shapes from cases, and reading them from sources."""

    case_bytes: int = 2000  # no shape is guessed from a larger case
    cases: int = 30  # cases to guess from, at most
    readings: int = 12  # other shapes of the same cases, at most
    generator_calls: int = 12  # calls whose outputs a shape is guessed from, if no case is built
    misfit_bytes: int = 100_000  # a larger case is not checked against a shape; a larger source gives no literals
    firm_rule_bytes: int = 8_000_000  # a larger failing input is not checked against the plausible shape
    reduced_bytes: int = 20_000  # from a larger failing input no shape is guessed
    program_bytes: int = 400_000  # a larger source is not read
    header_bytes: int = 100_000  # a larger header is not read
    # Limits to try where a validator shows none.
    unknown_limits: tuple[int, ...] = (10, 1000, 10**6, 10**9, 10**18)


@dataclass(frozen=True, kw_only=True)
class _Probing:
    """Running the reference on small draws of the shapes that programs may read.

    It handles a draw if it exits with 0.
    """

    all_s: float = 4.0  # for all runs
    run_s: float = 1.0  # limit of a run
    draws: int = 8  # of each shape, if a server runs the reference
    unserved_draws: int = 2  # of each shape, if no server does
    draw_size: int = 6  # of a draw: cells, letters and items
    enough_handled: float = 0.9  # share of the draws from which on no rule and no other letters are sought
    least_handled: float = 0.2  # share of the draws below which the programs read something else: a usual shape
    usual_handled: float = 0.6  # share of the draws of a usual shape, at least
    letters_gain: float = 2.0  # factor on the share that justifies other letters than the programs name


@dataclass(frozen=True, kw_only=True)
class _SampleRules:
    """The rules that samples show."""

    most_rules: int = 6  # to add to a shape, at most
    rules_s: float = 1.0  # CPU, for finding rules
    better_s: float = 3.0  # further search for a failing input that keeps all rules, after one that does not

    # The chance that random inputs keep a rule
    chance: float = 0.1  # what all samples keep is a rule if random inputs keep it with less than this chance
    samples: int = 4  # samples to estimate that chance for, at most
    draws: int = 150  # random inputs for each of these samples
    most_size: int = 5000  # of these inputs: large numbers make a sample no large input
    least_draws: int = 30  # random inputs with as many words as the sample, at least; else with the same counts

    # Rules against repetition of rows and edges
    ways_to_break: int = 6  # such a rule needs no chance, but this many repetitions in the samples that break it
    repeats_s: float = 0.5  # CPU, for finding such rules
    repeated: int = 12  # first lines of a sample, and first words of a line, that are repeated for that

    # Limits
    low: int = 3  # lower limit, at most, unless all values are `large`: tests of Codeflaws mostly go down to it
    large: int = 100  # a least value from here on is the lower limit
    least_power: int = 10**4  # a power of ten from here on that a sample has is the upper limit

    # Alphabets
    sure_letters: int = 4  # up to this many letters are the whole alphabet, if they come often (`uses_a_letter`)
    uses_a_letter: int = 2  # times that each of these letters comes on average, at least
    most_letters: int = 8  # up to this many letters are the whole alphabet, if that is hardly chance
    chance_of_letters: float = 1e-6  # chance below which a random text hardly has so few letters


@dataclass(frozen=True, kw_only=True)
class _Learn:
    """Questions to input validators. Sizes are those of drawn inputs."""

    # Shares of valid draws
    rule_sizes: tuple[int, ...] = (3, 5, 8, 12, 20, 40)  # of draws, in turn
    rule_draws: int = 120  # to estimate the share of valid ones before a rule is added
    proposal_draws: int = 60  # to estimate that share with one more rule, or for another reading of the samples
    first_draws: int = 12  # of the `proposal_draws`: if none of these is valid, the others are not tried
    slow_draws_s: float = 0.15  # if the `first_draws` take longer than this, only as many others are tried
    stuck_draws: int = 3  # with each value of an integer that no sample has

    # Readings of the samples
    well_read: float = 0.5  # share of valid draws from which on no other reading is sought
    as_valid: float = 0.8  # factor on the share of valid draws that a wider limit must keep
    widening_part: float = 0.65  # share of the time that is kept for wider limits when readings are compared

    # Rules
    enough_valid: float = 0.9  # share of valid draws from which on no rule is sought
    least_gain: float = 1.25  # factor on the share of valid draws that justifies a rule
    least_broken: float = 0.15  # share of the draws that break a rule, at least, to ask about it
    most_rules: int = 6  # to add, at most
    most_proposals: int = 6  # rules to ask about for each that is added, at most
    graph_draws: int = 60  # in which inputs are sought that break a rule of a graph or an array
    graph_inputs: int = 4  # inputs that break such a rule, at most: all must be valid to drop it

    # Limits
    limit_sizes: tuple[int, ...] = (6, 12, 30, 60)  # of draws with a certain value
    powers: tuple[int, ...] = tuple(10**power for power in range(1, 19))  # upper limits to try
    long_powers: tuple[int, ...] = tuple(10**e for e in (25, 30, 50, 99, 100, 199, 200, 499, 500, 999, 1000, 3000))
    multiples: tuple[int, ...] = (2, 3, 5)  # of the largest valid limit, to try as well
    at_once: int = 3  # powers to ask about at a time, upwards, until none is valid
    named_digits: int = 19  # first digits that are read of a number in a validator's source
    most_named: int = 40  # more numbers in the sources of input validators are tables, no limits
    guessed_factor: int = 10  # a guessed limit is up to this many times what samples show

    # Counts
    counts: tuple[int, ...] = (10, 100, 1000, 10_000, 100_000, 200_000, 1_000_000)  # 2e5 is common, 1e6 costs much
    large_count: int = 100  # inputs with a count from here on are drawn at four sizes
    costly_count: int = 10_000  # inputs with a count from here on are drawn at two sizes
    huge_count: int = 1_000_000  # inputs with a count from here on are drawn at one size

    # Large numbers in cases
    raised_values: tuple[int, ...] = tuple(
        sorted((2 * 10**9, 2 * 10**5, *(10**power for power in range(2, 19))), reverse=True)
    )
    # The three largest primes below each power of ten, where no round number is valid.
    raised_primes: tuple[int, ...] = tuple(
        10**power - below
        for power, gaps in zip(
            range(9, 2, -1),
            ((63, 71, 107), (11, 29, 41), (9, 27, 29), (17, 21, 39), (9, 11, 29), (27, 33, 51), (3, 9, 17)),
            strict=True,
        )
        for below in gaps
    )
    most_raised_numbers: int = 30  # a case with more numbers is not raised: each number costs a question
    most_raised_cases: int = 4  # cases to raise, at most


@dataclass(frozen=True, kw_only=True)
class _Assumed:
    """Limits beyond those of samples, used without validators."""

    # The highest number, the highest count, and rules that graphs of samples often keep by chance.
    steps: tuple[tuple[int, int, tuple[str, ...]], ...] = (
        (10**4, 20, ()),
        (10**6, 100, ("connected",)),
        (10**9, 2 * 10**5, ("connected", "rising", "acyclic")),
    )
    wide: int = 2 * 10**9  # highest number at first: right programs of 32 bits overflow beyond it
    long: int = 10**18  # highest number if samples have one above `wide`, or if the reference reads 64 bits
    digits: int = 999  # digits of a number, at most, if samples have one above `long`
    tables: range = range(50, 1_000_001)  # sizes of tables in sources that may be limits
    letters: frozenset[int] = frozenset({127, 128, 255, 256, 257})  # sizes of tables of letters: no limits
    open_alphabet: int = 3  # an alphabet of this many letters or more may have any other; brackets have two
    words: int = 100  # items of a line that no number counts, at most, in shapes without rules of the samples
    # With fewer words than this in all samples, an integer may seem to limit another one by chance: in Codeflaws
    # other tests break such a limit in 16 of 19 problems whose samples have fewer words, and in 4 of 19 whose samples
    # have more; they break it in none of 6 where a number is between two others (`q: k..n`).
    limiting_words: int = 20


GUESS = _Guess()
PROBING = _Probing()
SAMPLE_RULES = _SampleRules()
LEARN = _Learn()
ASSUMED = _Assumed()
