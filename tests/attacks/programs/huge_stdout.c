/* Writes to standard output without end, SIGXFSZ ignored. */
#include "attack.h"

int main(void)
{
    static char block[1 << 16];
    signal(SIGXFSZ, SIG_IGN);
    for (long n = 0; n < 10000; n++)
        if (write(1, block, sizeof block) < 0 && errno != EFBIG)
            break;
    return 0;
}
