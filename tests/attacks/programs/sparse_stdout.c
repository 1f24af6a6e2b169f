/* Makes standard output large without writing: ftruncate, lseek, fallocate beyond its end. */
#include "attack.h"

int main(void)
{
    signal(SIGXFSZ, SIG_IGN);
    if (ftruncate(1, 1L << 40) == 0)
        escaped("ftruncate");
    if (pwrite(1, "x", 1, 1L << 40) == 1)
        escaped("pwrite");
    if (fallocate(1, FALLOC_FL_KEEP_SIZE, 0, 300L << 20) == 0)
        escaped("reserved disk beyond the limit");
    struct { short type, whence; long start, length; int sysid, pid, pad[4]; } space = {0, 0, 0, 300L << 20, 0, 0, {0}};
    unsigned long reserve[] = {0x40305828, 0x4030582a, 0x40305839};
    for (int i = 0; i < 3; i++)
        if (ioctl(1, reserve[i], &space) == 0)
            escaped("reserved disk by ioctl");
    if (fallocate(1, 0, 0, 300L << 20) == 0)
        escaped("fallocate");
    return 0;
}
