"""Takes memory faster than a look every 10 ms can see: one huge block, all of it written at once."""

from attack import escaped, target

limit = int(target["memory_mib"])
try:
    block = bytearray(b"\1") * (6 * limit << 20)
    escaped(f"{len(block) >> 20} MiB")
except MemoryError as error:
    print("refused", error)
