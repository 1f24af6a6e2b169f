/* Nearly the limit in each of three processes, each beside twins that share all of its memory: as much as a judge
 * could take for a child of vfork, which counts for nothing. The twins of one lose their first process, too. */
#include "attack.h"

static char stack[4][65536] __attribute__((aligned(16)));
static size_t size;

static void take(int value)
{
    char *p = malloc(size);
    memset(p, value, size);
    __asm__ volatile("" :: "r"(p) : "memory");
}

static int rest(void *unused)
{
    (void)unused;
    sleep(8);
    _exit(0);
}

static int take_and_rest(void *unused)
{
    take(3);
    return rest(unused);
}

int main(void)
{
    size = (size_t)number("memory_mib") * 9 / 10 << 20;
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            if (i < 2)
                take(i);
            for (int twin = 0; twin < 3; twin++)
                clone(i == 2 && twin == 0 ? take_and_rest : rest, stack[twin] + sizeof stack[twin],
                      CLONE_VM | SIGCHLD | (i == 0 ? CLONE_FILES | CLONE_FS : 0), 0);
            if (i == 1)
                syscall(SYS_exit, 0);
            rest(0);
        }
    usleep(700000);
    if (number("may_fork"))
        escaped("three processes, each with nearly the limit");
    return 0;
}
