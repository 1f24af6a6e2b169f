/* Gains privileges from setuid programs and by setuid(0). */
#include "attack.h"

int main(void)
{
    const char *programs[] = {"/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/sudo", "/usr/bin/newgrp"};
    if (setuid(0) == 0 || setgid(0) == 0 || setresuid(0, 0, 0) == 0 || seteuid(0) == 0)
        escaped("setuid(0)");
    if (prctl(PR_CAPBSET_READ, 21, 0, 0, 0) == 1 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        escaped("privileges can be gained");
    for (int i = 0; i < 5 && number("may_fork"); i++)
        if (fork() == 0) {
            execl(programs[i], programs[i], "-c", "id", (char *)0);
            _exit(1);
        }
    while (wait(0) > 0) { }
    return 0;
}
