/* Changes mode, owner, times and attributes of a file that is open to all. */
#include "attack.h"

int main(void)
{
    struct timespec times[2] = {{1, 0}, {1, 0}};
    const char *file = target("open_file");
    if (chmod(file, 0) == 0 || chown(file, getuid(), getgid()) == 0 || utimensat(AT_FDCWD, file, times, 0) == 0 || setxattr(file, "user.x", "x", 1, 0) == 0)
        escaped("attributes changed");
    if (truncate(file, 0) == 0 || open(file, O_RDONLY | O_TRUNC) >= 0)
        escaped("truncated");
    return 0;
}
