"""All tuned numbers of the hunt for the slowest input, as those of a search in harness.search.policy."""

from harness.values import dataclass


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


SLOWEST = _Slowest()
