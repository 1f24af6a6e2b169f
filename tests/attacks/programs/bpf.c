/* Loads a program into the kernel. */
#include "attack.h"

int main(void)
{
    char attributes[128] = {0};
    if (syscall(SYS_bpf, 0, attributes, sizeof attributes) >= 0 || (errno != EPERM && errno != ENOSYS))
        escaped("bpf reached the kernel");
    return 0;
}
