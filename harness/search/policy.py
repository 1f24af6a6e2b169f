"""Every tuned number of a search, with its unit and the reason for its value.

Bytes, seconds (`_s`) and counts, unless a comment says otherwise. `tests/search` and `bench/stress_corpus.py` show what
a change of a number does.
"""

from harness.sandbox.facts import MIB
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class _Hunt:
    """The phases of a search."""

    batch_s: float = 1.0  # a batch of inputs takes about so long: a failure in it ends the search soon
    first_batch: int = 4  # inputs for each worker in the first batch, and at least in all
    most_in_batch: int = 512
    most_in_chunk: int = 32  # that one worker tries before it says what came of them
    first_cases: int = 50  # small cases that are tried before the input validators are asked anything
    glance_s: float = 3.0  # for small inputs before limits are learnt: most wrong programs fail on them
    learn_limits_s: float = 12.0  # asking the input validators for limits, and as long for rules
    raise_numbers_s: float = 3.0  # asking them for large numbers in cases
    small_bytes: int = 60  # a failing input of this size ends the search at once
    middling_bytes: int = 1000  # a larger one has `smaller_s` for a smaller one to come
    smaller_s: float = 4.0
    little_smaller_s: float = 1.0
    least_input_s: float = 1e-4  # that one input is taken to cost
    least_search_s: float = 2.0  # however long it took to prepare
    last_inputs_s: float = 2.0  # beyond the deadline for inputs that are under way
    least_samples_s: float = 2.0  # for the samples that the reference is asked
    most_samples: int = 10  # that the reference is asked, each of at most:
    most_sample_bytes: int = 100_000
    confirming_s: float = 1.0  # kept for confirming, and so many runs at the time limit:
    confirming_runs: int = 3
    late_s: float = 1.0  # beyond a deadline before what we compute ourselves is interrupted, and then so often:
    timer_again_s: float = 0.5
    least_timer_s: float = 0.001
    guess_s: float = 5.0  # for guessing a shape


@dataclass(frozen=True, kw_only=True)
class _Doubts:
    """What is asked about an input that fails."""

    most_peers: int = 3  # other accepted programs
    checked_times: int = 4  # the limits of the reference, for the one with run-time checks
    samples: int = 3  # on which it must go right to be asked, each of at most:
    sample_bytes: int = 10_000


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """The rules that samples show."""

    most_rules: int = 6
    rules_s: float = 1.0  # for looking for rules; the chances are taken from so many samples:
    samples: int = 4
    draws: int = 150  # that show how likely a rule is kept by chance; below this chance it counts as a rule:
    chance: float = 0.1
    highest: int = 10**18
    seconds: float = 3.0  # for a failing input that keeps all rules
    tries: tuple[int, ...] = (3, 5, 8, 12, 20, 40)  # sizes of inputs that are drawn for it
    at_once: int = 32
    idle_rounds: int = 4  # of so many draws without a new one: there are no others


@dataclass(frozen=True, kw_only=True)
class _Running:
    """What a run of a program gets, and what is kept of it."""

    reference_s: float = 10.0  # at least, also where the problem's limit is shorter
    default_limit_s: float = 2.0  # the time limit where a package states none
    busy_s: float = 0.1  # of CPU: a run that is stopped by the wall clock later than this was computing
    games_again: int = 4  # answers for the interactor with which a smaller input is tried before it passes
    crash_glance_s: float = 0.2  # of the reference while an input is made small: it mostly crashes soon
    estimate_programs: int = 3  # accepted programs and largest cases from which a time limit is estimated
    estimate_cases: int = 3
    estimate_least_bytes: int = 1000  # of the largest case: smaller ones say nothing about time
    estimate_cap_s: float = 10.0  # of a run, and at most this part of the time for the search:
    estimate_part: float = 0.1


@dataclass(frozen=True, kw_only=True)
class _Reference:
    """How long a slow reference is waited for."""

    share: int = 4  # one second in so many goes into answers that do not come at once
    quick_s: float = 0.1  # of CPU: an answer that comes at once
    first_s: float = 2.0  # at least, where all answers were quick so far
    moment_s: float = 0.2  # at least, elsewhere
    least_bytes: int = 256  # a slow run on a smaller input says nothing about larger ones: a value may do it
    alone_bytes: int = 4096  # from here on every input is asked about alone
    together: int = 8  # inputs that are asked about at once, with so long for each:
    together_s: float = 0.5


@dataclass(frozen=True, kw_only=True)
class _Validity:
    """Input validators and generators."""

    probes: int = 16  # inputs of a source that validators are asked about before it is trusted
    most_refused: int = 8  # a source is trusted while at most one in so many was refused
    generator_s: float = 10.0
    generator_bytes: int = 256 * MIB
    quick_generator_s: float = 0.5  # CPU and wall clock of a call with small numbers
    quick_generator_wall_s: float = 5.0
    endless_at_first: int = 3  # calls that may come to no end, then one for so many others: it costs as much
    calls_for_one: int = 16


@dataclass(frozen=True, kw_only=True)
class _Guess:
    """Shapes that are guessed from cases."""

    case_bytes: int = 2000  # larger cases are not looked at
    cases: int = 30
    misfit_bytes: int = 100_000  # larger samples are not held against a given shape
    reduced_bytes: int = 20_000  # a larger failing input gets no shape of its own
    generator_calls: int = 12  # from which a shape is guessed where no case is built
    digested_draws: int = 8  # of a shape that programs read, on which the reference is asked, each of this size:
    digested_size: int = 6
    slowly_digested_draws: int = 2  # of a reference that cannot fork itself
    digested_run_s: float = 1.0  # that a run may take
    enough_digested: float = 0.9  # part of the draws: no rule is looked for
    digested_s: float = 4.0  # for all of that


@dataclass(frozen=True, kw_only=True)
class _Learn:
    """Questions to input validators. Sizes are those of drawn inputs."""

    graph_sizes: tuple[int, ...] = (4, 8, 16, 30, 60)
    graph_inputs: int = 4  # all must be valid for a rule to go
    graph_draws: int = 60
    rule_sizes: tuple[int, ...] = (3, 5, 8, 12, 20, 40)
    rule_draws: int = 120  # that show how many are valid
    proposal_draws: int = 60  # with one rule more
    enough_valid: float = 0.9  # part of the draws: no rule is looked for
    least_gain: float = 1.25  # so many times as many valid draws let a rule stand
    least_broken: float = 0.15  # part of the draws that break a rule worth asking about
    most_rules: int = 6
    most_proposals: int = 6  # for each rule
    limit_sizes: tuple[int, ...] = (6, 12, 30, 60)
    powers: tuple[int, ...] = tuple(10**power for power in range(1, 19))
    long_powers: tuple[int, ...] = tuple(
        10**power for power in (25, 30, 50, 99, 100, 199, 200, 499, 500, 999, 1000, 3000)
    )
    counts: tuple[int, ...] = (10, 100, 1000, 10_000, 100_000, 200_000, 1_000_000)  # 2e5 is common, 1e6 costs much
    multiples: tuple[int, ...] = (2, 3, 5)  # of the largest power that was valid
    large_count: int = 100  # inputs with more are drawn at a few sizes only; from `costly_count` fewer
    costly_count: int = 10_000
    huge_count: int = 1_000_000  # one size only
    raised_values: tuple[int, ...] = tuple(
        sorted((2 * 10**9, 2 * 10**5, *(10**power for power in range(2, 19))), reverse=True)
    )
    raised_numbers: int = 30  # a case with more is not raised: each costs a question
    raised_cases: int = 4


@dataclass(frozen=True, kw_only=True)
class _Assumed:
    """Limits beyond those of samples where no validator can be asked."""

    # The highest number, the highest count, and what graphs of samples often are by chance.
    steps: tuple[tuple[int, int, tuple[str, ...]], ...] = (
        (10**4, 20, ()),
        (10**6, 100, ("connected",)),
        (10**9, 10**5, ("connected", "rising")),
        (10**9, 2 * 10**5, ("connected", "rising", "acyclic")),
    )
    few_letters: int = 3  # different letters up to so many are all there are; brackets, say
    wide: int = 2 * 10**9  # beyond only where samples are: right programs overflow there, too
    long: int = 10**18  # beyond, numbers have many digits, at most:
    digits: int = 999


@dataclass(frozen=True, kw_only=True)
class _Sources:
    """What is tried, in what mixture. Weights are shares of the cost; a tiny input costs 1."""

    tiny_size: int = 60
    sizes: tuple[int, ...] = (3, 5, 8, 12, 20, 30, 60, 120)
    large_sizes: tuple[int, ...] = (1_000, 100_000, 10_000, 1_000_000)
    many_cases: int = 30  # test cases of a small random input
    base_bytes: int = 4000  # larger cases are not changed
    drawn_bases: int = 8  # inputs that are changed where there is no case
    sorted_by_value_bytes: int = 100  # of cases up to this size the numbers say more than the length
    bytes_a_step: int = 8000  # so many bytes cost as much as a tiny input more
    generator_cost: float = 3
    large_cost: float = 16
    sample_weight: float = 3
    least_case_weight: float = 2  # secret cases come early enough to be through by `cases_until`
    most_case_weight: float = 25
    cases_after: float = 6
    cases_until: float = 300
    seeded_weight: float = 6  # a generator that somebody named
    changed_weight: float = 3
    raised_weight: float = 1
    scaled_weight: float = 2.5
    tiny_weight: float = 4
    random_weight: float = 4
    large_weight: float = 2.9
    wide_weight: float = 2  # of shapes wider than the guess
    wide_large_weight: float = 1
    killer_weight: float = 2
    killer_sizes: tuple[int, ...] = (60, 5000, 200_000)
    varied_weight: float = 4  # calls of the recipe with small numbers, as they are, and with other seeds
    recipe_weight: float = 2
    reseeded_weight: float = 0.5
    small_first: float = 25  # costs of small inputs before larger ones begin


@dataclass(frozen=True, kw_only=True)
class _Calls:
    """Numbers in calls of generators."""

    most_seed: int = 2**31 - 1
    choice: int = 3  # a number up to this is a choice rather than a size
    scaled: tuple[int, ...] = (12, 25, 6, 40)  # the largest number of a call, in turn
    small: tuple[int, ...] = (2, 3, 4, 5, 6, 8, 12)
    small_side: int = 60  # of an input that --slowest begins with
    most_smaller: int = 80  # calls tried to make one smaller


@dataclass(frozen=True, kw_only=True)
class _Texts:
    """Cases changed, made larger or made smaller as texts."""

    longest_bytes: int = 4000  # of a case that is changed
    rounds: tuple[int, ...] = (1, 1, 2, 3)  # changes of one copy, by chance
    attempts: int = 6  # to get lines of kinds that occur
    in_vain: int = 200  # copies in a row that do not fit end the source
    near_bytes: int = 200  # before a line a number may count its tokens
    few_tokens: int = 200
    doubled_bytes: int = 100_000  # at most, of a case whose lines come twice
    extremes: tuple[int, ...] = (10**5, 2 * 10**5, 10**6, 10**9, 2**31 - 1, 10**18)
    few_words: int = 12  # different words up to so many are commands and stand for themselves
    many_tokens: int = 4  # more of one class are one kind, however many
    lines_looked_at: int = 200
    lengths: tuple[int, ...] = (200, 2000, 20_000, 100_000, 100_000, 200_000)  # 10^5 is the commonest limit
    scaled_bytes: int = 800_000  # at most
    scaled_rounds: tuple[int, ...] = (1, 1, 1, 2)  # two: many queries to a long word
    different: int = 100  # pieces that a case is made larger with
    likely_counts: int = 4  # of ten thousand counts that may be put right
    large_bytes: int = 20_000  # a text of which only large chunks are cut out
    parts: int = 256  # into which it is cut at most
    long_group: int = 100  # pieces of a line or word that it must have
    likely_cuts: int = 2  # ways to put its counts right
    cuts_at_once: int = 32


@dataclass(frozen=True, kw_only=True)
class _Reduce:
    """Making a failing input small."""

    reducing_s: float = 10.0
    exhaustive_s: float = 6.0  # of them for trying all smaller inputs
    beyond_s: float = 9.0  # for building, making small and confirming, after the time for the search
    building_part: float = 0.25  # of that, which building may take without making the search shorter
    least_cap_s: float = 0.2  # a limit for candidates: so many times what the first failure took, at least this
    cap_factor: int = 10
    first_share: float = 0.6  # of the time; in the rest the find is held against the problem's own limit
    calls_share: float = 0.2  # of the time, for the generator's call; not for inputs that are small already:
    small_bytes: int = 2000
    budget: int = 20_000  # runs of one greedy descent
    exhaustive: int = 12_000  # smaller values that are all tried
    of_its_size: int = 2000
    few_parts: int = 400  # cells, letters, …: a larger value is not begun elsewhere
    trades: int = 8  # draws with less of one thing and more of another
    restarts: int = 125  # rounds, with so many starts in each:
    starts_at_once: int = 32
    remembered_bytes: int = 200  # of inputs that passed
    batch_bytes: int = 1 << 20
    in_vain_s: float = 0.25  # runs behind the first failure of a batch are for nothing


@dataclass(frozen=True, kw_only=True)
class _Slowest:
    """The hunt for the slowest input."""

    finalists: int = 4
    small_part: float = 0.3  # of the time for small inputs, and until this part for changed ones:
    changed_part: float = 0.5
    time_limits: int = 2  # that a run is waited for
    wall_factor: int = 2  # of the CPU seconds that a run gets, and so much more:
    wall_s: float = 1.0
    slow_small_part: float = 0.25  # of the limit: smaller inputs of such a kind are measured, too
    start_s: float = 0.002  # of a process without any input; noise below it
    step_s: float = 1e-9  # of a basic block, roughly
    step_floor_s: float = 1e-6
    counted_part: float = 0.05  # of the limit: counting takes many times as long
    uncounted_factor: int = 4  # a run of so many times the seconds of its steps was in libraries, not counted
    small_size: int = 2000  # numbers and letters
    sizes: tuple[int, ...] = tuple(5000 << step for step in range(8))
    steps: int = 6  # from a small call to the largest
    smaller: int = 5
    killer_sizes: tuple[int, ...] = (
        100_000,
        50_000,
        25_000,
    )  # the largest for all killers, the others for the worst
    killer_part: float = 0.4  # of the time that is left for growing
    draws: int = 6  # for one that fills its size
    least_growth: float = 1.2  # less is the same size: no number may be larger
    filled: int = 4  # a draw may be so many times smaller than wanted
    fitted_factor: int = 16  # only sizes up to so many times smaller than the largest: below, other terms show
    start_factor: int = 50  # an input so many times smaller shows what a start costs
    least_fitted_s: float = 0.004
    enough_counted: int = 3  # points


HUNT = _Hunt()
DOUBTS = _Doubts()
SHOWN = _Shown()
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
SLOWEST = _Slowest()
