"""All tuned numbers of a search, except those of likeness_policy.py.

Bytes, seconds (`_s`) and counts, unless a comment says otherwise. A share is a part of the whole, from 0 to 1.
"""

from harness.sandbox.facts import MIB
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class _Hunt:
    """The phases of a search."""

    # Batches of inputs
    batch_s: float = 1.0  # target duration of a batch: short, so that a failure ends the search soon
    first_batch: int = 4  # inputs per worker in the first batch, and in every later batch in all, at least
    most_in_batch: int = 512  # inputs in a batch, at most
    most_in_chunk: int = 32  # inputs that a worker tries before it reports the outcomes, at most
    least_input_s: float = 1e-4  # cost of an input, at least
    usual_input_s: float = 4e-3  # usual cost of a tiny input, on which both programs run
    # By which factor a tiny input costs more than usual, rounded down: then large inputs come earlier.
    slow_factors: tuple[int, ...] = (1, 4, 16, 64, 256)

    # Preparation
    least_samples_s: float = 2.0  # for running the reference on samples, at least
    most_samples: int = 10  # samples that the reference is run on, at most
    most_sample_bytes: int = 100_000  # the reference is not run on a larger sample
    guess_s: float = 5.0  # for guessing a shape
    first_cases: int = 50  # cases to try before input validators are asked about limits: the smallest
    try_small_s: float = 3.0  # for small inputs before limits are learnt: most wrong programs fail on them
    learn_limits_s: float = 12.0  # for asking input validators about rules, and as much again about limits
    raise_numbers_s: float = 3.0  # for asking input validators about large numbers in cases

    # After the first failure
    small_bytes: int = 60  # a failing input up to this size ends the search at once
    middling_bytes: int = 1000  # an input up to this size is small: for `little_smaller_s`, and for short limits
    smaller_s: float = 4.0  # further search for a smaller failing input, after one of more than `middling_bytes`
    little_smaller_s: float = 1.0  # further search for a smaller failing input, after one up to `middling_bytes`

    # Confirmation
    confirming_s: float = 1.0  # reserved for confirming, besides `confirming_runs`
    confirming_runs: int = 3  # runs at the time limit for which time is reserved to confirm
    confirming_times: int = 6  # with less time left than this many time limits, a single run confirms an input

    # Deadlines
    least_search_s: float = 2.0  # for searching, however long the preparation took
    last_inputs_s: float = 2.0  # after the deadline, for inputs that are still running
    late_s: float = 1.0  # after a deadline, until a computation of our own is interrupted
    timer_again_s: float = 0.5  # between interrupts of a computation: one alone may be lost
    timer_soon_s: float = (
        0.01  # until the next interrupt, if one came while a sandbox was in use, or in a callback
    )
    least_timer_s: float = 0.001  # until the first interrupt, at least

    # Warnings of the report
    few_inputs: int = 10  # a warning: fewer inputs than this were run, and `many_refused` were not valid
    many_refused: int = 500  # see `few_inputs`
    hurried_inputs: int = 50  # a warning: fewer inputs than this were run, and building took `hurried_s` or more
    hurried_s: float = 5.0  # seconds of building, at least, and half of the time
    most_unanswered: float = 0.9  # a warning: this share of the inputs, or more, could not be judged


@dataclass(frozen=True, kw_only=True)
class _Doubts:
    """Checks of a failing input."""

    most_peers: int = 3  # peers: other accepted programs that are run on a failing input
    build_s: float = 5.0  # for building a peer, at least
    slow_peer_s: float = 0.5  # CPU from which on a peer is slow: heuristics mostly use all their time
    slow_bytes: int = 1000  # a peer that is slow on an input up to this size is not run again
    checked_times: int = 4  # factor on the limits of the reference, for the reference with run-time checks
    samples: int = 3  # run-time checks are used if they report nothing on this many samples
    sample_bytes: int = 10_000  # a larger sample is not run with run-time checks; a larger answer is not read


@dataclass(frozen=True, kw_only=True)
class _Running:
    """Limits of a program's run."""

    default_limit_s: float = 2.0  # time limit if the package states none
    reference_s: float = 10.0  # CPU limit of the reference, at least, even if the problem's limit is shorter
    reference_asleep_s: float = 2.0  # a reference that sleeps so long waits for ever: it has overwritten a lock
    busy_s: float = 0.1  # CPU from which on a run that the wall clock limit stopped was computing, not sleeping
    games_again: int = 4  # games on a smaller input, with different answers, until one is lost
    reducing_reference_s: float = 0.2  # CPU limit of the reference while an input is made small: it crashes soon

    # The first limit of both programs on a small input, if servers run them. A submission that exceeds it gets its
    # full time where validators accept the input, else where the reference succeeds within it or `longer_short_s`.
    short_s: float = 0.02  # the first limit, at least
    short_java_s: float = 0.2  # `short_s` for Java virtual machines, whose first runs are slow
    short_factor: int = 3  # the first limit is at least this factor on the shortest run of either program
    longer_short_s: float = 0.2  # second limit, for the reference, on a small input
    longer_short_share: int = 4  # one second of this many, at most, is lost beyond `longer_short_s`

    # Estimating a time limit that the package does not state
    estimate_programs: int = 3  # accepted programs to run for the estimate, at most
    estimate_cases: int = 3  # largest cases to run for the estimate, at most
    estimate_least_bytes: int = 1000  # if the largest case is smaller, there is no estimate
    estimate_cap_s: float = 10.0  # limit of a run for the estimate, at most
    estimate_part: float = 0.1  # limit of a run for the estimate, at most: a share of the time for the search
    estimate_soon_s: float = 5.0  # if the largest case takes longer, the estimate is from that case alone


@dataclass(frozen=True, kw_only=True)
class _Reference:
    """How long to wait for a slow reference."""

    share: int = 4  # one second of this many, at most, is spent on answers that are not quick
    quick_s: float = 0.1  # CPU of a quick answer, at most
    first_s: float = 2.0  # limit of a run, at least, if all answers for inputs of its size were quick
    moment_s: float = 0.2  # limit of a run, at least, if some answer for inputs of its size was slow
    least_factor: int = 3  # limit of a run, at least: this factor on the shortest; some fill hundreds of MiB
    most_least_s: float = 1.0  # no limit is raised beyond this by `least_factor`
    least_bytes: int = 256  # a slow run on a smaller input says nothing about others: a value may be the cause

    alone_bytes: int = 4096  # an input of this size or more is run alone
    together: int = 8  # smaller inputs that are run as one batch, at most
    together_s: float = 0.5  # limit of each run in a batch


@dataclass(frozen=True, kw_only=True)
class _Validity:
    """Input validators and generators."""

    probes: int = 16  # inputs of a source that validators are asked about before the source is trusted
    most_refused: int = 8  # a source is trusted while one input of this many was refused, at most
    validator_s: float = 1.0  # CPU limit of a validator, besides the time for the bytes of the input
    validator_bytes_a_second: int = 100_000  # a validator gets one more second for this many bytes

    generator_s: float = 10.0  # CPU limit of a generator that the user named, or of the recipe's own call
    generator_bytes: int = 256 * MIB  # output limit of a generator
    quick_generator_s: float = 0.5  # CPU limit of a call with our own arguments
    quick_generator_wall_s: float = 5.0  # wall clock limit of a call with our own arguments
    endless_at_first: int = 3  # calls with our own arguments that may exceed their limit
    calls_for_one: int = 16  # for each so many calls with our own arguments, one more may exceed its limit


@dataclass(frozen=True, kw_only=True)
class _Sources:
    """The mixture of sources of inputs.

    The cost of an input is in runs on a tiny one. A weight is a source's share of the cost of all inputs. A source
    whose `…_from_cost` is set begins when all others have spent that cost, divided by their weights.
    """

    # The cost of an input
    bytes_a_step: int = 8000  # this many bytes cost 1
    lines_a_step: int = 100  # this many lines cost 1, too: they are drawn one by one
    refused_cost: float = 0.15  # of a copy that does not fit the shape: drawing is most of our own work
    generator_cost: float = 2  # of a generator's call
    large_cost: float = 15  # of a generator's call for a large input

    # Cases, and what is made from them
    sample_weight: float = 3  # of samples
    least_case_weight: float = 2  # of secret cases, at least; else such that they end at `cases_until_cost`
    most_case_weight: float = 25  # of secret cases, at most
    cases_from_cost: float = 6  # of secret cases
    cases_until_cost: float = 300  # cost by which all secret cases are tried
    sorted_by_value_bytes: int = 100  # cases up to this size are sorted by their numbers, larger ones by length
    base_bytes: int = 4000  # a larger case is not changed; with larger numbers it may be a little longer
    most_passed: int = 64  # changed cases that passed and are changed again: the latest ones
    drawn_bases: int = 8  # random inputs to change, if there is no case
    changed_weight: float = 3  # of changed cases
    raised_weight: float = 1  # of cases with large numbers
    scaled_weight: float = 2.5  # of cases made larger

    # Inputs of the shape
    tiny_size: int = 60  # tiny inputs are all those up to this size: cells, letters and items
    tiny_weight: float = 4  # of tiny inputs
    most_skipped: int = 2000  # tiny inputs in a row that break a rule of the samples, to end the source
    magnitudes: int = 8  # in one of so many small random inputs each integer has its own order of magnitude
    sizes: tuple[int, ...] = (3, 5, 8, 12, 20, 30, 60, 120)  # of small random inputs, in turn
    many_cases: int = 30  # test cases in every second small random input
    random_weight: float = 4  # of small random inputs
    large_sizes: tuple[int, ...] = (1_000, 100_000, 10_000, 1_000_000)  # of large random inputs, in turn
    large_weight: float = 2.9  # of large random inputs
    large_from_cost: float = 25  # of nearly all sources of large inputs; of some twice as much
    wide_weight: float = 2  # of small random inputs of a wider shape
    wide_large_weight: float = 1  # of large random inputs of a wider shape
    wide_from_runs: float = 6  # of each wider shape after the one before: as a `…_from_cost`, but in runs
    killer_weight: float = 2  # of killers
    killer_sizes: tuple[int, ...] = (60, 5000)  # of killers
    large_killers: tuple[int, ...] = (200_000,)  # sizes of large killers
    large_killers_from_cost: float = 200  # late: drawing one takes as long as a thousand small inputs

    # Calls of generators
    seeded_weight: float = 6  # of a generator that the user named
    varied_weight: float = 4  # of the recipe's calls with small numbers
    recipe_weight: float = 2  # of the recipe's calls as they are
    reseeded_weight: float = 0.5  # of the recipe's calls with other seeds

    most_repeats: int = 200  # inputs in a row that were tried before, to end their source
    most_replayed: int = 10_000  # more such inputs, at most, that a source may give after an earlier search


@dataclass(frozen=True, kw_only=True)
class _Calls:
    """Numbers in calls of generators."""

    choice: int = 3  # a number up to this is a choice rather than a size
    scaled: tuple[int, ...] = (12, 25, 6, 40)  # largest number of a call that is scaled down, in turn
    small: tuple[int, ...] = (5, 2, 3, 4, 6, 8, 12)  # largest random number of a call, in turn
    small_side: int = 60  # largest number of a small call, with which --slowest begins; no smaller number grows
    most_smaller: int = 80  # calls to try in order to make a call smaller, about


@dataclass(frozen=True, kw_only=True)
class _Texts:
    """Cases that are changed, made larger or made smaller as texts."""

    extremes: tuple[int, ...] = (10**5, 2 * 10**5, 10**6, 10**9, 2**31 - 1, 10**18)  # to put in place of a number
    few_tokens: int = 200  # first tokens of a text that are looked at; words and numbers of programs that are used

    # Changed copies
    rounds: tuple[int, ...] = (1, 1, 2, 3)  # changes of a copy: one of these numbers, at random
    most_misfits: int = 1200  # copies in a row that do not fit, to end the source
    near_bytes: int = 200  # a number at most this far before a line may count its tokens
    most_literal: int = 10**18  # a larger number of a program is not put into copies
    doubled_bytes: int = 100_000  # of a copy whose lines are all repeated, at most

    # Larger copies
    # Lines, tokens or letters to grow to; 10^5 is common.
    lengths: tuple[int, ...] = (10, 16, 40, 200, 2000, 20_000, 100_000, 100_000, 200_000)
    short_length: int = 40  # lines, tokens or letters of the copy that shows whether a way to grow is valid
    ways_at_once: tuple[int, int] = (12, 100)  # ways to grow that are asked about at once: at first, and at most
    ways_s: float = 0.3  # if asking took less than this, twice as many ways are asked about next time
    ways_chosen: int = 3  # valid ways of each group that is used
    scaled_bytes: int = 4_000_000  # to add to a copy in one step, at most
    scaled_rounds: tuple[int, ...] = (1, 1, 1, 2)  # steps, at random; two give many queries to a long word
    different: int = 100  # different pieces with which a copy is made larger, at most
    likely_counts: int = 4  # numbers of a copy that may be the count to correct, at most

    # Smaller copies
    cuts_at_once: int = 32  # texts that are tried at once
    large_bytes: int = 20_000  # in a larger text only large chunks are cut
    parts: int = 256  # a large chunk is at least one part of this many of its group
    long_group: int = 100  # from a large text only lines with more tokens, and words with more letters, are cut
    likely_cuts: int = 2  # ways to correct the count of a cut of a large text, at most


@dataclass(frozen=True, kw_only=True)
class _Reduce:
    """Making a failing input small."""

    reducing_s: float = 10.0  # for making small
    exhaustive_s: float = 6.0  # for trying all smaller inputs, within `reducing_s`
    beyond_s: float = 8.0  # after the time for the search: for building, making small and confirming
    building_part: float = 0.25  # share of `beyond_s` by which building may delay the end of the search, at most

    # Shares of the time
    first_share: float = 0.6  # for reducing with the limit at first; the rest is for the problem's own limit
    less_certain_share: float = 0.25  # for a smaller input that breaks a rule of the samples
    readings_share: float = 0.3  # for other readings of the samples, where validators guard a guess
    guess_share: float = 0.25  # of `exhaustive_s`: for all smaller inputs of the first guess
    calls_share: float = 0.2  # for making the generator's call smaller
    likeness_share: float = 0.3  # for inputs that are more like the samples

    least_cap_s: float = 0.2  # limit of a run at first, at least; it is lower than the problem's
    cap_factor: int = 10  # limit of a run at first, as a factor on the time of the first failure
    small_bytes: int = 2000  # of an input up to this size the generator's call is not made smaller
    budget: int = 20_000  # runs of the greedy shrinker
    exhaustive: int = 12_000  # smaller values to try, at most
    of_its_size: int = 2000  # values of the same size to try for a simpler one, at most
    unread_bytes: int = 500  # nobody reads a larger input: one that is `far_smaller`, but less certain, is shown
    far_smaller: int = 20  # factor; of 587-A of Codeflaws it is 2,199 bytes against 14, of 551-A 9,999 against 12
    few_parts: int = 400  # a value of more cells, letters and items is not shrunk from other starts
    restarts: int = 125  # batches of other starts to try, at most
    starts_at_once: int = 32  # other starts in a batch
    remembered_bytes: int = 200  # a longer input on which the submission is right may be tried again
    batch_bytes: int = 1 << 20  # of a batch of inputs, at most
    wasted_s: float = 0.25  # runs of a batch together, at most, since those after its first failure are wasted


@dataclass(frozen=True, kw_only=True)
class _Slowest:
    """The hunt for the slowest input."""

    # Parts of the time of the search
    least_s: float = 5.0  # for the search, if building took most of the time
    large_first_part: float = 0.25  # of the time that is left: for large inputs before small ones
    climbing_part: float = 0.4  # of the time that is left: for changing the slowest input
    killer_part: float = 0.3  # of the time that is left: for killers
    small_part: float = 0.3  # of the time that is left: for small inputs
    changed_part: float = 0.5  # of the time that is left: for small inputs and for changed calls together

    # Measuring a run
    time_limits: int = 2  # a run is stopped after this many time limits
    start_s: float = 0.002  # start-up of a process; shorter times are noise
    step_s: float = 1e-9  # of a basic block, roughly
    step_floor_s: float = 1e-6  # added to costs in steps, so that tiny inputs do not differ by large factors
    counted_part: float = 0.05  # of the limit: in a longer run steps are not counted, as that is many times slower
    uncounted_factor: int = 4  # a run this many times slower than its steps spent its time in libraries, uncounted

    # Small inputs. Sizes are in numbers and letters.
    small_size: int = 2000  # of small inputs
    smaller: int = 5  # sizes below that of a slow input, each half as large as the one before
    slow_small_part: float = 0.25  # of the limit: above it, all these sizes are measured, else only the smallest
    fittest: int = 2  # kinds of large inputs, killers too, that are tried at growing sizes
    finalists: int = 4  # kinds of small inputs that are tried at growing sizes

    # Large inputs
    sizes: tuple[int, ...] = tuple(5000 << step for step in range(8))  # of large inputs
    steps: int = 6  # calls from a small one to the largest
    most_stalls: int = 2  # sizes in a row at which inputs of a kind do not grow, or are invalid, to end them
    least_growth: float = 1.2  # factor on the bytes; inputs that grow by less count as not growing
    least_slower: float = 1.2  # factor on the slowest input so far; a lower one is noise
    draws_a_corner: int = 3  # of this many large draws, one has counts at their highest or lowest
    most_failed_draws: int = 10  # large draws in a row that give no value, to end them

    # Changed cases are tried between draws if more inputs were refused than `refused_times` times the valid ones.
    refused_times: int = 4  # factor on the valid inputs
    refused_first: int = 5  # valid inputs that this comparison assumes at least, while small inputs are tried
    cases_a_draw: int = 12  # changed cases before each large draw; 1 if few inputs are refused

    # Killers
    killer_size: int = 100_000  # numbers and letters

    # Changes of the slowest input
    promising_part: float = 0.1  # of the limit: an input that takes longer is changed soon
    least_climbed_s: float = 0.02  # an input that takes longer is changed in the end
    least_climb: float = 1.1  # factor on the slowest input so far; a lower one is noise

    # The fit of time to size
    fitted_factor: int = 16  # smaller sizes than the largest divided by this are left out: other terms matter
    start_factor: int = 50  # an input this many times smaller than the largest gives the start-up time
    least_fitted_s: float = 0.004  # shorter times are left out
    enough_counted: int = 3  # runs whose steps are known, to fit these in place of times


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
    least_handled: float = 0.1  # share of the draws below which the programs read something else: a usual shape
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


HUNT = _Hunt()
DOUBTS = _Doubts()
RUNNING = _Running()
REFERENCE = _Reference()
VALIDITY = _Validity()
SOURCES = _Sources()
CALLS = _Calls()
TEXTS = _Texts()
REDUCE = _Reduce()
SLOWEST = _Slowest()
GUESS = _Guess()
PROBING = _Probing()
SAMPLE_RULES = _SampleRules()
LEARN = _Learn()
ASSUMED = _Assumed()
