/* Sleeps, with every signal blocked. */
#include "attack.h"

int main(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, 0);
    for (;;)
        pause();
    return 0;
}
