/* Types into the judge's terminal (TIOCSTI). */
#include "attack.h"

int main(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (ioctl(fd, TIOCSTI, "x") == 0 || ioctl(fd, TIOCSCTTY, 1) == 0)
            escaped("TIOCSTI");
    if (open("/dev/tty", O_RDWR) >= 0)
        escaped("/dev/tty");
    return 0;
}
