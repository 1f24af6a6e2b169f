/* Calls the kernel with the x32 bit set, where filters may look away. */
#include "attack.h"

int main(void)
{
    if (syscall(0x40000000 | 41, AF_UNIX, SOCK_STREAM, 0) >= 0 || syscall(0x40000000 | 101, 0, 0, 0, 0) >= 0)
        escaped("x32");
    return 0;
}
