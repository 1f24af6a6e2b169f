/* Reads the environment of every process. */
#include "attack.h"

int main(void)
{
    char path[64];
    for (int pid = 1; pid < 3000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/environ", pid);
        show(path);
    }
    extern char **environ;
    for (char **e = environ; *e; e++)
        dprintf(1, "%s\n", *e);
    return 0;
}
