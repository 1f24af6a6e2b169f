/* Stops itself. */
#include "attack.h"

int main(void)
{
    raise(SIGSTOP);
    kill(getpid(), SIGSTOP);
    sleep(100);
    return 0;
}
