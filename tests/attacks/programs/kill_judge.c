/* Kills the judge, the bystander and its own parent, in five ways. */
#include "attack.h"

int main(void)
{
    int pids[] = {number("judge"), number("victim"), getppid()};
    for (int i = 0; i < 3; i++) {
        siginfo_t info = {.si_code = SI_QUEUE};
        if (pids[i] == 0)
            continue;
        kill(pids[i], SIGKILL);
        syscall(SYS_tgkill, pids[i], pids[i], SIGKILL);
        syscall(SYS_tkill, pids[i], SIGKILL);
        syscall(SYS_rt_sigqueueinfo, pids[i], SIGKILL, &info);
        syscall(424, syscall(434, pids[i], 0), SIGKILL, 0, 0);
    }
    return 0;
}
