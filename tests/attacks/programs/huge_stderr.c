/* Writes to standard error and output in turn, SIGXFSZ handled. */
#include "attack.h"

int main(void)
{
    static char block[1 << 16];
    signal(SIGXFSZ, SIG_IGN);
    for (long n = 0; n < 20000; n++)
        write(1 + n % 2, block, sizeof block);
    return 0;
}
