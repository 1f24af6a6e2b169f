/* A stack as deep as it gets. */
#include "attack.h"

static void deep(long n)
{
    char frame[1 << 20];
    memset(frame, 1, sizeof frame);
    if (n % 16 == 0)
        usleep(3000);
    if (n > 0)
        deep(n - 1);
    __asm__ volatile("" :: "r"(frame) : "memory");
}

int main(void)
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_STACK, &all);
    deep(number("memory_mib") * 3L);
    escaped("three times the memory limit on the stack");
    return 0;
}
