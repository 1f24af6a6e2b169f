"""What a build leaves behind: within bounds, or it is its author's compile error.

A build may run code of strangers (a script, an annotation processor), and the judge copies all that it leaves: that
must not fill the disk, take hours, or stop at a path that is too long for the system.
"""

import os
import stat
from pathlib import Path

from harness.sandbox.limits import MIB

MOST_ITEMS = 20_000
MOST_BYTES = 1024 * MIB
LONGEST_PATH_BYTES = 1000


def excess(folder: Path) -> str | None:
    """What is too much in `folder`, in words; None where it is within bounds, and then all of it can be read.

    The sizes count as they look: a copy of a file with holes has none.
    """
    items = size_bytes = 0
    pending = [folder]
    while pending:
        current = pending.pop()
        if len(os.fsencode(current)) > len(os.fsencode(folder)) + LONGEST_PATH_BYTES:
            return f"the build left folders in folders, more than {LONGEST_PATH_BYTES} letters deep"
        current.chmod(0o755)  # programs can close their folders and files to everybody, us too
        with os.scandir(current) as entries:
            for entry in entries:
                items += 1
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    pending.append(current / entry.name)
                elif stat.S_ISREG(status.st_mode):
                    (current / entry.name).chmod(stat.S_IMODE(status.st_mode) | 0o600)
                    size_bytes += status.st_size
                if items > MOST_ITEMS:
                    return f"the build left more than {MOST_ITEMS:,} files and folders"
                if size_bytes > MOST_BYTES:
                    return f"the build left more than {MOST_BYTES // MIB} MiB"
    return None
