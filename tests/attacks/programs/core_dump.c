/* Dumps core. */
#include "attack.h"

int main(void)
{
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &all);
    prctl(PR_SET_DUMPABLE, 1);
    abort();
    return 0;
}
