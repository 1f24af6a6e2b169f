/* Takes from the judge the right to read its own files. */
#include "attack.h"

int main(void)
{
    if (fchmod(1, 0) == 0 || fchmod(2, 0) == 0 || chmod("/proc/self/fd/1", 0) == 0)
        escaped("standard output was made unreadable");
    if (fchown(1, getuid(), getgid()) == 0 || fsetxattr(1, "user.x", "x", 1, 0) == 0)
        escaped("standard output was changed");
    return 0;
}
