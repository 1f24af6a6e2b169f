/* Writes the test's input through every name of descriptor 0. */
#include "attack.h"

int main(void)
{
    const char *names[] = {"/proc/self/fd/0", "/dev/stdin", "/dev/fd/0", "/proc/thread-self/fd/0", target("input")};
    for (int i = 0; i < 5; i++) {
        int fd = open(names[i], O_WRONLY);
        if (fd < 0)
            fd = open(names[i], O_RDWR);
        if (fd >= 0 && write(fd, "overwritten", 11) == 11)
            escaped(names[i]);
        if (truncate(names[i], 0) == 0 || open(names[i], O_RDONLY | O_TRUNC) >= 0)
            dprintf(1, "opened %s with O_TRUNC\n", names[i]);
    }
    if (write(0, "x", 1) == 1 || ftruncate(0, 0) == 0 || fchmod(0, 0777) == 0)
        escaped("descriptor 0 is writable");
    return 0;
}
