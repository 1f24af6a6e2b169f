/* Takes descriptors out of every process. */
#include "attack.h"

int main(void)
{
    for (int pid = 1; pid < 3000; pid++) {
        int fd = syscall(434, pid, 0);
        for (int i = 0; pid != getpid() && fd >= 0 && i < 64; i++)
            if (syscall(438, fd, i, 0) >= 0)
                escaped("a descriptor of another process");
        close(fd);
    }
    return 0;
}
