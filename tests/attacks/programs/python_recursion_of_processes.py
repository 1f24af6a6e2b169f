"""multiprocessing, whose locks and queues live in shared memory."""

from attack import escaped, target

import multiprocessing

try:
    with multiprocessing.Pool(64) as pool:
        pool.map(abs, range(1000))
except (OSError, RuntimeError) as error:
    print(error)
