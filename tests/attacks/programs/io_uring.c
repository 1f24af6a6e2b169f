/* Opens files and sockets behind seccomp's back. */
#include "attack.h"

int main(void)
{
    char parameters[120] = {0};
    if (syscall(425, 8, parameters) >= 0)
        escaped("io_uring_setup");
    return 0;
}
