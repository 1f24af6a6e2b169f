/* POSIX shared memory. */
#include "attack.h"

int main(void)
{
    int fd = shm_open("/fill", O_RDWR | O_CREAT, 0600);
    long got = 0;
    for (int i = 1; fd >= 0 && i < 40; i++) {
        if (ftruncate(fd, (long)i << 23) < 0)
            break;
        char *p = mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (long)(i - 1) << 23);
        if (p == MAP_FAILED)
            break;
        memset(p, 1, 8 << 20);
        got += 8;
        usleep(20000);
    }
    if (got > 2 * number("memory_mib"))
        escaped("twice the memory limit in shared memory");
    return 0;
}
