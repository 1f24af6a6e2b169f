/* Opens the memory of every process but itself. */
#include "attack.h"

int main(void)
{
    char path[64];
    for (int pid = 1; pid < 3000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/mem", pid);
        if (pid != getpid() && open(path, O_RDONLY) >= 0)
            escaped(path);
    }
    return 0;
}
