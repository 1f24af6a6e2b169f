/* Lets the kernel send SIGKILL to the judge as the owner of a pipe (F_SETOWN, F_SETSIG). */
#include "attack.h"

int main(void)
{
    int pids[] = {number("judge"), number("victim"), getppid()}, ends[2];
    for (int i = 0; i < 3; i++) {
        pipe(ends);
        if (fcntl(ends[0], F_SETSIG, SIGKILL) == 0 && fcntl(ends[0], F_SETOWN, pids[i]) == 0)
            escaped("owner set");
        fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
        write(ends[1], "x", 1);
    }
    return 0;
}
