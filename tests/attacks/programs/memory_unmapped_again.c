/* Shared memory that is unmapped after it was filled, kept by descriptors to itself. */
#include "attack.h"

int main(void)
{
    long got = 0;
    for (int i = 0; i < 64; i++) {
        int fd = syscall(SYS_memfd_create, "m", 0);
        if (fd < 0)
            break;
        static char block[1 << 20];
        for (int n = 0; n < 8 && write(fd, block, sizeof block) > 0; n++)
            got++;
    }
    if (got > 2 * number("memory_mib"))
        escaped("memory in memfds");
    return 0;
}
