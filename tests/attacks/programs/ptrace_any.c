/* Attaches to every process. */
#include "attack.h"

int main(void)
{
    for (int pid = 1; pid < 3000; pid++)
        if (pid != getpid() && (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0 || ptrace(PTRACE_ATTACH, pid, 0, 0) == 0))
            escaped("attached");
    return 0;
}
