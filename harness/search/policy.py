"""All tuned numbers of a search, with their units and the reasons for their values.

Bytes, seconds (`_s`) and counts, unless a comment says otherwise; one that ends with a colon goes on in the next line.
"""

from harness.sandbox.facts import MIB
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class _Hunt:
    """The phases of a search."""

    batch_s: float = 1.0  # target duration of a batch of inputs: short, so that a failure ends the search soon
    first_batch: int = 4  # inputs per worker in the first batch, and at least in every batch
    most_in_batch: int = 512
    most_in_chunk: int = 32  # inputs that a worker tries before it reports the outcomes
    first_cases: int = 50  # small cases to try before any question to the input validators
    try_small_s: float = 3.0  # for small inputs before limits are learnt: most wrong programs fail on them
    learn_limits_s: float = 12.0  # for asking the input validators about limits, and again for rules
    raise_numbers_s: float = 3.0  # for asking them about large numbers in cases
    small_bytes: int = 60  # a failing input of this size ends the search at once
    middling_bytes: int = 1000
    smaller_s: float = 4.0  # for a smaller failing input, after one of more than these bytes
    little_smaller_s: float = 1.0  # else
    least_input_s: float = 1e-4  # assumed cost of an input
    usual_input_s: float = 4e-3  # for a run of both programs on a tiny input
    slow_factors: tuple[int, ...] = (1, 4, 16, 64, 256)  # runs so many times as long: large inputs come earlier
    least_search_s: float = 2.0  # however long the preparation took
    last_inputs_s: float = 2.0  # after the deadline, for inputs that are still running
    least_samples_s: float = 2.0  # for asking the reference about samples
    most_samples: int = 10  # for the reference, each of at most:
    most_sample_bytes: int = 100_000
    confirming_s: float = 1.0  # reserved for confirming, plus this many runs at the time limit:
    confirming_runs: int = 3
    confirming_times: int = 6  # with less time than this many limits left, one run must do: others may slow it
    late_s: float = 1.0  # after a deadline, until our own computation is interrupted
    timer_again_s: float = 0.5  # between further interrupts, if the first had no effect
    timer_soon_s: float = 0.01  # until the next, if the first came while a sandbox was in use
    least_timer_s: float = 0.001
    guess_s: float = 5.0  # for guessing a shape
    few_inputs: int = 10  # fewer valid inputs among so many refused ones are no search:
    many_refused: int = 500
    most_unanswered: float = 0.9  # part of the inputs from which on it is no search either


@dataclass(frozen=True, kw_only=True)
class _Doubts:
    """Checks of a failing input."""

    most_peers: int = 3  # other accepted programs
    build_s: float = 5.0  # for building one, at least
    slow_peer_s: float = 0.5  # CPU of a peer that is slow: heuristics mostly use all their time
    slow_bytes: int = 1000  # a peer that is slow on an input up to this size is not run again
    checked_times: int = 4  # factor on the reference's limits, for the reference with run-time checks
    samples: int = 3  # that it must pass without a report to be used, each of at most:
    sample_bytes: int = 10_000


@dataclass(frozen=True, kw_only=True)
class _SampleRules:
    """The rules that samples show."""

    most_rules: int = 6
    rules_s: float = 1.0  # for finding rules; chances are estimated from this many samples:
    samples: int = 4
    draws: int = 150  # that give the chance that a rule holds by accident; below this chance it is a rule:
    chance: float = 0.1
    least_draws: int = 30  # of as many words as the sample
    # A rule against repetition of rows and edges needs no such chance: so many repetitions of a line or word, among so
    # many first ones of a sample, must break it.
    ways_to_break: int = 6
    repeats_s: float = 0.5  # for finding these
    repeated: int = 12
    low: int = 3  # where two samples of Codeflaws have 4 to 99, other tests mostly go down to this or less
    large: int = 100
    least_power: int = 10**4  # a power of ten from here on that a sample has is the limit
    few_letters: int = 4  # up to this many different letters are the whole alphabet, if each comes this often:
    times_a_letter: int = 2
    most_letters: int = 8  # up to this many, if a random text would have so few with less than this chance:
    chance_of_letters: float = 1e-6
    seconds: float = 3.0  # for a failing input that keeps all rules, after one that does not


@dataclass(frozen=True, kw_only=True)
class _Running:
    """Limits of a program's run."""

    reference_s: float = 10.0  # at least, even if the problem's limit is shorter
    reference_asleep_s: float = 2.0  # asleep so long, it waits for ever: it has overwritten a lock
    default_limit_s: float = 2.0  # the time limit if a package states none
    busy_s: float = 0.1  # of CPU: a run stopped by the wall clock after more than this was computing
    games_again: int = 4  # games with different answers that are played on a smaller input, until one is lost
    # First time limit of both programs on a small input, if servers run them. Where the reference succeeds in it, or
    # in the longer one, a slow submission gets its full time.
    short_s: float = 0.02  # in a Java virtual machine, whose first runs are slow:
    short_java_s: float = 0.2  # or, if the programs always take longer, this factor on their shortest run:
    short_factor: int = 3
    longer_short_s: float = 0.2
    longer_short_share: int = 4  # at most one second of this many is lost to such longer runs
    excuse_s: float = 0.2  # for the reference while an input is made small: crashes mostly come soon
    estimate_programs: int = 3  # accepted programs and largest cases for estimating a time limit
    estimate_cases: int = 3
    estimate_least_bytes: int = 1000  # of the largest case: smaller cases tell nothing about time
    estimate_cap_s: float = 10.0  # of a run, and at most this part of the time for the search:
    estimate_part: float = 0.1
    estimate_soon_s: float = 5.0  # if the largest case takes longer, the others are left out


@dataclass(frozen=True, kw_only=True)
class _Reference:
    """Waiting for a slow reference."""

    share: int = 4  # at most one second of this many is spent on answers that are not quick
    quick_s: float = 0.1  # of CPU: a quick answer
    first_s: float = 2.0  # at least, if all answers were quick so far
    moment_s: float = 0.2  # at least, otherwise
    # At least so many times the shortest run, since some programs always fill hundreds of MiB; but at most:
    least_factor: int = 3
    most_least_s: float = 1.0
    least_bytes: int = 256  # a slow run on a smaller input is ignored: a value may be the cause
    # Inputs are skipped from that length of their largest number on at which the reference failed on so many, and on so
    # many times as many as it ended on; shorter numbers than this say nothing; one second of so many is still lost.
    hopeless: int = 4
    hopeless_digits: int = 4
    hopeless_share: int = 8
    alone_bytes: int = 4096  # from this size on every input is asked about alone
    together: int = 8  # inputs that are asked about at once, with this time for each:
    together_s: float = 0.5


@dataclass(frozen=True, kw_only=True)
class _Validity:
    """Input validators and generators."""

    probes: int = 16  # inputs of a source that validators are asked about before it is trusted
    most_refused: int = 8  # a source is trusted while at most one in this many was refused
    validator_s: float = 1.0  # CPU of a validator on an input, plus the time for its bytes:
    validator_bytes_a_second: int = 100_000
    generator_s: float = 10.0
    generator_bytes: int = 256 * MIB
    quick_generator_s: float = 0.5  # CPU and wall clock of a call with small numbers
    quick_generator_wall_s: float = 5.0
    endless_at_first: int = 3  # calls that may run into their time limit, and one more for this many other calls:
    calls_for_one: int = 16


@dataclass(frozen=True, kw_only=True)
class _Guess:
    """Shapes that are guessed from cases."""

    case_bytes: int = 2000  # larger cases are ignored
    cases: int = 30
    misfit_bytes: int = 100_000  # larger samples are not checked against a given shape
    firm_rule_bytes: int = 8_000_000  # a larger failing input is not checked against what is hardly chance
    reduced_bytes: int = 20_000  # a larger failing input gets no shape of its own
    readings: int = 12  # of the same cases, at most
    most_places: int = 9  # of decimals
    unknown_limits: tuple[int, ...] = (10, 1000, 10**6, 10**9, 10**18)  # where a validator's source shows none
    generator_calls: int = 12  # to guess a shape from if no case is built
    program_bytes: int = 400_000  # larger sources are not read for a shape, nor headers that are larger than:
    header_bytes: int = 100_000
    handled_draws: int = 8  # of a shape that programs read, for the reference, each of this size:
    handled_size: int = 6
    slowly_handled_draws: int = 2  # for a reference that no server runs
    handled_run_s: float = 1.0  # limit of a run
    enough_handled: float = 0.9  # part of the draws: then no rule is sought
    least_handled: float = 0.2  # below this the programs read something else: then a usual shape with this part:
    usual_handled: float = 0.6
    letters_gain: float = 2.0  # factor on that part that justifies other letters than the programs name
    handled_s: float = 4.0  # for all of that


@dataclass(frozen=True, kw_only=True)
class _Learn:
    """Questions to input validators. Sizes are those of drawn inputs."""

    graph_inputs: int = 4  # all must be valid to remove a rule
    graph_draws: int = 60
    rule_sizes: tuple[int, ...] = (3, 5, 8, 12, 20, 40)
    rule_draws: int = 120  # to estimate the part of valid draws
    proposal_draws: int = 60  # with an additional rule, or of a reading of the samples
    first_draws: int = 12  # of these: if none is valid, the others are not asked about; if they take longer than
    slow_draws_s: float = 0.15  # this, only as many again are
    stuck_draws: int = 3  # with each value that no sample has
    widening_part: float = 0.65  # of the time, which is left when readings have been compared
    well_read: float = 0.5  # part of valid draws with which no other reading of the samples is sought
    as_valid: float = 0.8  # factor on that part with which a wider limit is taken for as good
    enough_valid: float = 0.9  # part of the draws: then no rule is sought
    least_gain: float = 1.25  # factor on valid draws that justifies a rule
    least_broken: float = 0.15  # part of the draws that must break a rule to make it worth asking about
    most_rules: int = 6
    most_proposals: int = 6  # for each rule
    limit_sizes: tuple[int, ...] = (6, 12, 30, 60)
    powers: tuple[int, ...] = tuple(10**power for power in range(1, 19))
    long_powers: tuple[int, ...] = tuple(10**e for e in (25, 30, 50, 99, 100, 199, 200, 499, 500, 999, 1000, 3000))
    counts: tuple[int, ...] = (10, 100, 1000, 10_000, 100_000, 200_000, 1_000_000)  # 2e5 is common, 1e6 costs much
    multiples: tuple[int, ...] = (2, 3, 5)  # of the largest valid power
    at_once: int = 3  # powers to ask about at a time, upwards, until none is valid
    most_named: int = 40  # numbers in the sources of input validators; more are tables
    named_digits: int = 19
    guessed_factor: int = 10  # a guessed limit is up to this many times what samples show
    large_count: int = 100  # inputs with a larger count are drawn at few sizes; from `costly_count` at fewer
    costly_count: int = 10_000
    huge_count: int = 1_000_000  # one size only
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
    raised_numbers: int = 30  # a case with more numbers is not raised: each costs a question
    raised_cases: int = 4


@dataclass(frozen=True, kw_only=True)
class _Assumed:
    """Limits beyond those of samples, used without validators."""

    # The highest number, the highest count, and rules that graphs of samples often keep by chance.
    steps: tuple[tuple[int, int, tuple[str, ...]], ...] = (
        (10**4, 20, ()),
        (10**6, 100, ("connected",)),
        (10**9, 2 * 10**5, ("connected", "rising", "acyclic")),
    )
    tables: range = range(50, 1_000_001)  # sizes of tables in sources, but for those of letters:
    letters: frozenset[int] = frozenset({127, 128, 255, 256, 257})
    few_letters: int = 3  # from this many letters on any letter may occur; brackets have two
    wide: int = 2 * 10**9  # at first larger only if samples are, or the reference reads 64 bits: others overflow
    long: int = 10**18  # larger numbers have many digits, at most:
    digits: int = 999
    words: int = 100  # items of a line that no number counts, in shapes without rules of the samples
    # With fewer words in all samples, an integer may seem to limit another by chance: in Codeflaws other tests break
    # such a limit in 16 of 19 problems whose samples have fewer words, in 4 of 19 whose samples have more; and in none
    # of 6 where a number is between two others (`q: k..n`).
    limiting_words: int = 20


@dataclass(frozen=True, kw_only=True)
class _Sources:
    """The mixture of sources. Weights are shares of the cost; a tiny input costs 1 unless programs are slow."""

    tiny_size: int = 60
    sizes: tuple[int, ...] = (3, 5, 8, 12, 20, 30, 60, 120)
    large_sizes: tuple[int, ...] = (1_000, 100_000, 10_000, 1_000_000)
    many_cases: int = 30  # test cases of a small random input
    base_bytes: int = 4000  # larger cases are not changed
    drawn_bases: int = 8  # inputs to change if there is no case
    sorted_by_value_bytes: int = 100  # cases up to this size are sorted by their numbers, not by length
    bytes_a_step: int = 8000  # this many bytes add the cost of a tiny input; so do
    lines_a_step: int = 100  # this many lines, which are drawn one by one
    refused_cost: float = 0.15  # of a copy that does not fit the shape: drawing is most of our own work
    generator_cost: float = 2
    large_cost: float = 15
    sample_weight: float = 3
    least_case_weight: float = 2  # secret cases come early enough to end by `cases_until`
    most_case_weight: float = 25
    cases_after: float = 6
    cases_until: float = 300
    seeded_weight: float = 6  # a generator named by the user
    changed_weight: float = 3
    raised_weight: float = 1
    scaled_weight: float = 2.5
    tiny_weight: float = 4
    most_skipped: int = 2000  # tiny inputs in a row that are not as the samples
    random_weight: float = 4
    preferred: int = 20  # random inputs in a row that are left out as they break a rule of the samples
    large_weight: float = 2.9
    wide_weight: float = 2  # of shapes wider than the first, each beginning at this cost after the one before:
    wide_after: float = 6
    wide_large_weight: float = 1
    killer_weight: float = 2
    killer_sizes: tuple[int, ...] = (60, 5000)
    large_killers: tuple[int, ...] = (200_000,)  # later: drawing one takes as long as a thousand small inputs
    large_killers_after: float = 200
    varied_weight: float = 4  # calls of the recipe with small numbers, as they are, and with other seeds
    recipe_weight: float = 2
    reseeded_weight: float = 0.5
    in_vain: int = 200  # inputs in a row that were tried before, to end the source
    small_first: float = 25  # cost of small inputs before larger inputs begin


@dataclass(frozen=True, kw_only=True)
class _Calls:
    """Numbers in calls of generators."""

    most_seed: int = 2**31 - 1
    choice: int = 3  # a number up to this is a choice rather than a size
    scaled: tuple[int, ...] = (12, 25, 6, 40)  # the largest number of a call, in turn
    small: tuple[int, ...] = (5, 2, 3, 4, 6, 8, 12)
    small_side: int = 60  # of an input that --slowest begins with
    most_smaller: int = 80  # calls tried to make a call smaller


@dataclass(frozen=True, kw_only=True)
class _Texts:
    """Cases changed, made larger or made smaller as texts."""

    longest_bytes: int = 4000  # of a case to change
    rounds: tuple[int, ...] = (1, 1, 2, 3)  # changes of a copy, at random
    attempts: int = 6  # to get a copy whose kinds of lines occur
    in_vain: int = 200  # consecutive copies that do not fit, to end the source
    near_bytes: int = 200  # a number within this distance before a line may count its tokens
    few_tokens: int = 200
    most_literal: int = 10**18  # a number in a program that is put into inputs, at most
    doubled_bytes: int = 100_000  # at most, of a case whose lines are doubled
    extremes: tuple[int, ...] = (10**5, 2 * 10**5, 10**6, 10**9, 2**31 - 1, 10**18)
    few_words: int = 12  # up to this many different words are commands, each its own class
    many_tokens: int = 4  # more tokens of a class are one kind, whatever their number
    lines_looked_at: int = 200
    lengths: tuple[int, ...] = (10, 16, 40, 200, 2000, 20_000, 100_000, 100_000, 200_000)  # 10^5 is common
    scaled_bytes: int = 4_000_000  # added in a round, at most
    growths: tuple[int, int] = (12, 100)  # ways to grow in a round: at first, and at most, if it takes up to:
    growths_s: float = 0.3
    growths_chosen: int = 3  # by short texts, with so many lines, tokens or letters (more than a long case has):
    short_length: int = 40
    scaled_rounds: tuple[int, ...] = (1, 1, 1, 2)  # two rounds give many queries to a long word
    different: int = 100  # pieces used to enlarge a case
    likely_counts: int = 4  # counts to correct, of possibly thousands
    large_bytes: int = 20_000  # in a larger text only large chunks are cut
    parts: int = 256  # at most, into which it is divided
    long_group: int = 100  # least number of pieces of a line or word to be cut
    likely_cuts: int = 2  # ways to correct its counts
    cuts_at_once: int = 32


@dataclass(frozen=True, kw_only=True)
class _Reduce:
    """Making a failing input small."""

    reducing_s: float = 10.0
    exhaustive_s: float = 6.0  # of `reducing_s`, for trying all smaller inputs
    beyond_s: float = 8.0  # for building, making small and confirming, after the time for the search
    building_part: float = 0.25  # of that: building time that does not shorten the search
    least_cap_s: float = 0.2  # time limit of candidates, at least; `cap_factor` times the first failure's time
    cap_factor: int = 10
    first_share: float = 0.6  # of the time; the rest checks the input against the problem's own limit
    outside_share: float = 0.25  # of the time, for a smaller input that breaks a rule of the samples
    calls_share: float = 0.2  # of the time, for the generator's call; skipped for inputs up to:
    small_bytes: int = 2000
    budget: int = 20_000  # runs of a greedy descent
    exhaustive: int = 12_000  # smaller values to try, at most
    of_its_size: int = 2000
    few_parts: int = 400  # cells, letters, …: no restarts for a larger value
    restarts: int = 125  # rounds, each with this many starts:
    starts_at_once: int = 32
    remembered_bytes: int = 200  # longest passed input that is remembered
    batch_bytes: int = 1 << 20
    likeness_share: float = 0.3  # of the time, for inputs that are more like the samples
    in_vain_s: float = 0.25  # runs after the first failure of a batch are wasted


HUNT = _Hunt()
DOUBTS = _Doubts()
SAMPLE_RULES = _SampleRules()
RUNNING = _Running()
REFERENCE = _Reference()
VALIDITY = _Validity()
GUESS = _Guess()
LEARN = _Learn()
ASSUMED = _Assumed()
SOURCES = _Sources()
CALLS = _Calls()
TEXTS = _Texts()
REDUCE = _Reduce()
