/* Every child forks too, and every one is its own session; 4,000 at most by generation. */
#include "attack.h"

int main(void)
{
    for (int generation = 0; generation < 12; generation++) {
        fork();
        setsid();
    }
    usleep(200000);
    if (number("may_fork") == 0 && getppid() != number("parent") && fork() > 0)
        escaped("forked where it may not");
    return 0;
}
