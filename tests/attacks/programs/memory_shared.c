/* Shared anonymous memory, which RLIMIT_DATA does not see. */
#include "attack.h"

int main(void)
{
    long got = 0;
    int limit = number("memory_mib");
    while (got < 4 * limit) {
        char *p = mmap(0, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            break;
        memset(p, 1, 4 << 20);
        got += 4;
        usleep(2000);
    }
    usleep(100000);
    dprintf(1, "%ld MiB\n", got);
    if (got >= 2 * limit)
        escaped("twice the memory limit");
    return 0;
}
