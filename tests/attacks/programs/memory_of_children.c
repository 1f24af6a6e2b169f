/* A little memory in each of many children. */
#include "attack.h"

int main(void)
{
    int limit = number("memory_mib");
    for (int i = 0; i < 24; i++)
        if (fork() == 0) {
            size_t size = (size_t)limit << 18;
            char *p = malloc(size);
            memset(p, 1, size);
            __asm__ volatile("" :: "r"(p) : "memory");
            sleep(8);
            _exit(0);
        }
    sleep(1);
    int alive = 0;
    while (waitpid(-1, 0, WNOHANG) == 0 && alive++ < 10)
        usleep(10000);
    if (number("may_fork"))
        escaped("24 children with a quarter of the limit each");
    return 0;
}
