/* Memory in pipes, enlarged as far as they go. */
#include "attack.h"

int main(void)
{
    static char block[1 << 20];
    long got = 0;
    for (int i = 0; i < 500; i++) {
        int ends[2];
        if (pipe(ends) < 0)
            break;
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        ssize_t n = write(ends[1], block, sizeof block);
        got += n > 0 ? n >> 10 : 0;
    }
    dprintf(1, "%ld KiB\n", got);
    if (got >> 10 > number("memory_mib"))
        escaped("the memory limit in pipes");
    return 0;
}
