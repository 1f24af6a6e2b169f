/* Opens a socket of every family and type. */
#include "attack.h"

int main(void)
{
    for (int family = 0; family < 50; family++)
        for (int type = 1; type <= 5; type++) {
            int fd = socket(family, type, 0);
            if (fd >= 0)
                dprintf(1, "ESCAPED: socket(%d, %d)\n", family, type);
            close(fd);
        }
    return 0;
}
