/* Takes the judge's and the bystander's share of the processor, and its memory limits. */
#include "attack.h"

int main(void)
{
    int pids[] = {number("judge"), number("victim"), getppid(), 1};
    struct rlimit zero = {0, 0};
    for (int i = 0; i < 4; i++) {
        if (pids[i] == 0)
            continue;
        if (setpriority(PRIO_PROCESS, pids[i], 19) == 0)
            escaped("setpriority");
        if (prlimit(pids[i], RLIMIT_CPU, &zero, 0) == 0)
            escaped("prlimit");
    }
    if (setpriority(PRIO_USER, getuid(), 19) == 0)
        escaped("setpriority of the user");
    return 0;
}
