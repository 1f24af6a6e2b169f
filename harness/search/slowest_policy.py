"""All tuned numbers of the hunt for the slowest input, as those of a search in harness.search.policy."""

from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class _Slowest:
    """The hunt for the slowest input."""

    finalists: int = 4  # kinds of inputs that are tried at growing sizes
    least_s: float = 5.0  # for the search, if building took most of the time
    learning_part: float = 0.15  # of the time: for the rules that input validators demand, and again for limits
    raising_part: float = 0.07  # of the time: for large numbers in cases
    large_first_part: float = 0.25  # part of the time that is left: for large inputs before small ones
    small_part: float = 0.3  # part of the time left then: for small inputs, and up to this part for changed ones:
    changed_part: float = 0.5
    time_limits: int = 2  # time limits until a run is stopped
    wall_factor: int = 2  # wall limit: this factor on the CPU limit, plus:
    wall_s: float = 1.0
    slow_small_part: float = 0.25  # of the limit: above it, smaller inputs of the kind are measured, too
    start_s: float = 0.002  # start-up of a process; shorter times are noise
    step_s: float = 1e-9  # of a basic block, roughly
    step_floor_s: float = 1e-6  # added to costs in steps, so that tiny inputs do not differ by large factors
    counted_part: float = 0.05  # of the limit: counting is many times slower
    uncounted_factor: int = 4  # a run this many times slower than its steps spent its time in libraries, uncounted
    small_size: int = 2000  # numbers and letters
    sizes: tuple[int, ...] = tuple(5000 << step for step in range(8))
    in_vain: int = 2  # sizes in a row at which inputs of a kind do not grow: there are no larger ones
    steps: int = 6  # from a small call to the largest
    smaller: int = 5
    refused_first: int = 5  # more refused inputs than this many times
    refused_times: int = 4  # the valid ones: changed cases are tried, too; and so many before each large draw:
    cases_a_draw: int = 12
    draws_in_vain: int = 10  # large draws in a row that give no value, to end them
    draws_a_corner: int = 3  # large draws, of which one has counts at their highest or lowest
    killer_size: int = 100_000  # numbers and letters
    killer_seeds: int = 5  # draws to find a valid one, into which killers are written
    killer_part: float = 0.3  # of the time that is left
    least_slower: float = 1.2  # times the slowest input so far: a lower factor is noise
    climbing_part: float = 0.4  # of the remaining time, for changing the slowest input: soon if it is promising,
    promising_part: float = 0.1  # taking more than this part of the limit; in the end if it takes more than:
    least_climbed_s: float = 0.02
    least_climb: float = 1.1  # times the slowest input so far
    least_growth: float = 1.2  # a lower factor counts as the same size: then no number can grow
    fitted_factor: int = 16  # fit only sizes up to this many times below the largest: other terms matter below
    start_factor: int = 50  # an input this many times smaller gives the start-up time
    least_fitted_s: float = 0.004
    enough_counted: int = 3


SLOWEST = _Slowest()
