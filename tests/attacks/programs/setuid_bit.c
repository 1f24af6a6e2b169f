/* Makes its standard output a setuid program. */
#include "attack.h"

int main(void)
{
    if (fchmod(1, 04755) == 0)
        escaped("fchmod");
    if (chmod("/proc/self/fd/1", 06755) == 0 || fchmodat(AT_FDCWD, "/dev/stdout", 02755, 0) == 0 || syscall(452, AT_FDCWD, "/dev/stdout", 04755, 0) == 0)
        escaped("chmod");
    return 0;
}
