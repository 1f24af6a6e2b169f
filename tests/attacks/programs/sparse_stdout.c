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
    if (fallocate(1, 0, 0, 300L << 20) == 0)
        escaped("fallocate");
    return 0;
}
