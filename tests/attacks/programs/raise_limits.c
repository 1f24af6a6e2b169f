/* Raises each limit. */
#include "attack.h"

int main(void)
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}, old;
    for (int i = 0; i < 16; i++) {
        getrlimit(i, &old);
        if ((i == RLIMIT_FSIZE || i == RLIMIT_NPROC || i == RLIMIT_CORE || i == RLIMIT_NOFILE || i == RLIMIT_DATA) && setrlimit(i, &all) == 0)
            escaped("a limit was raised");
    }
    return 0;
}
