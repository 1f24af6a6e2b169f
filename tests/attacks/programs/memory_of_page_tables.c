/* Page tables: one byte read in every 2 MB of a mapping that cannot be written, so nothing counts it. */
#include "attack.h"

int main(void)
{
    long tables = 0;
    for (int i = 0; i < 16; i++) {
        char *p = mmap(0, 1L << 36, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            break;
        madvise(p, 1L << 36, MADV_NOHUGEPAGE);
        for (long at = 0; at < 1L << 36; at += 2 << 20, tables++)
            *(volatile char *)(p + at);
    }
    dprintf(1, "%ld MiB\n", tables >> 8);
    if (tables >> 8 > 2 * number("memory_mib"))
        escaped("twice the memory limit in page tables");
    return 0;
}
